import { expect, test } from '@jest/globals';
import { compareByClient } from '../../../src/cli/lock/compare-by-client.ts';
import type { LockedSurface, Surface } from '../../../src/cli/surface/surface.ts';

const RISK = 'grouped-by-risk/signatures';

function locked(names: readonly string[], clients: readonly string[], hash = names.join()): LockedSurface {
  return { names, clients, hash, tokens: 10 };
}

function surface(surfaces: Surface['surfaces'], others: Partial<Surface> = {}): Surface {
  return {
    ...{ surfaceHash: 'x', server: {}, prompts: [], resources: [], resourceTemplates: [] },
    tools: [{ name: 'crm', inputSchema: { type: 'object' } }],
    profiles: '2026-11',
    ...(surfaces === undefined ? {} : { surfaces }),
    ...others,
  };
}

const compare = (before: Surface, after: Surface): readonly string[] =>
  compareByClient(before, after).map(
    ({ level, rule, where, message }) => `${level} ${rule} ${where} | ${message}`,
  );

const before = surface({ [RISK]: locked(['crm_read', 'crm_write'], ['codex', 'zed']) });

test('equal sides differ in nothing, and what one side does not say is not compared', () => {
  expect(compare(before, before)).toEqual([]);
  expect(compare(surface(undefined), before)).toEqual([]);
  expect(compare(before, surface(undefined))).toEqual([]);
});

test('tools that belong to no group are compared by their names, and by who gets them', () => {
  const withBeside = (beside: Readonly<Record<string, readonly string[]>>): Surface =>
    surface({ [RISK]: { ...locked(['crm_read', 'crm_write'], ['codex', 'zed']), beside } });
  const [one, both] = [withBeside({ read_result: ['codex'] }), withBeside({ read_result: ['codex', 'zed'] })];
  expect(compare(before, one)).toEqual([expect.stringMatching(/^safe surface-name-added .*: read_result /)]);
  expect(compare(one, before)).toEqual([expect.stringMatching(/^breaking .*removed .*: read_result /)]);
  expect(compare(one, both)).toEqual([expect.stringMatching(/^risky surface-changed /)]);
});

test('a name that is gone is breaking, and risky where another surface still has it', () => {
  const gone = surface({ [RISK]: locked(['crm_read'], ['codex', 'zed']) });
  expect(compare(before, gone)).toEqual([
    `breaking surface-name-removed surface ${RISK}: crm_write | Clients of a surface cannot call a tool any more`,
  ]);
  const elsewhere = { ...gone.surfaces, flat: locked(['crm_write'], []) };
  expect(compare(before, surface(elsewhere))).toEqual([
    expect.stringMatching(/^risky surface-name-moved .*: crm_write /),
  ]);
  expect(compare(before, surface(elsewhere, { foreignNames: false }))).toEqual([
    expect.stringMatching(/^breaking surface-name-removed /),
  ]);
  expect(compare(gone, before)).toEqual([expect.stringMatching(/^safe surface-name-added .*: crm_write /)]);
});

test('clients that get another surface are one risky change, and breaking where old names stop to work', () => {
  const moved = {
    [RISK]: locked(['crm_read', 'crm_write'], []),
    flat: locked(['crm_find'], ['codex', 'zed']),
  };
  const says = 'risky client-surface-changed surface flat | Clients get another surface: codex, zed had';
  expect(compare(before, surface(moved))).toEqual([`${says} "${RISK}"`]);
  expect(compare(before, surface(moved, { foreignNames: false }))).toEqual([
    `${says} "${RISK}"`,
    expect.stringMatching(/^breaking .*: crm_read /),
    expect.stringMatching(/^breaking .*: crm_write /),
  ]);
  expect(compare(surface({}), surface({ flat: moved.flat }))).toEqual([`${says} "own"`]);
  expect(compare(before, surface({}))).toEqual([expect.stringMatching(/^risky .* surface own \| /)]);
});

test('other texts of a surface are risky where the tools themselves are the same; another edition is safe', () => {
  const texts = { [RISK]: locked(['crm_read', 'crm_write'], ['codex', 'zed'], 'other') };
  expect(compare(before, surface(texts))).toEqual([expect.stringMatching(/^risky surface-changed /)]);
  expect(compare(before, surface(texts, { tools: [] }))).toEqual([]);
  expect(compare(before, { ...before, profiles: '2027-01' })).toEqual([
    'safe profiles-changed clients | What is known of clients is of another month: it was 2026-11, and is 2027-01',
  ]);
});
