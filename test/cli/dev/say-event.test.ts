import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { AdviceTeller, Growth, sayEvent } from '../../../src/cli/dev/say-event.ts';
import { Terminal } from '../../../src/cli/output/terminal.ts';
import type { Problem, Replacement } from '../../../src/index.ts';

function openTerminal(json = false) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = new Terminal({ stdin, stdout, stderr, env: {} }, { json });
  return { terminal, said: () => String((stderr.read() as Buffer | null) ?? '') };
}

/** What is said of a swap. */
function said(replacement: Partial<Replacement>, files: readonly string[] = ['a.ts'], json = false): string {
  const { terminal, said: saidSoFar } = openTerminal(json);
  const all = { changed: [], unannounced: [], finished: Promise.resolve(), ...replacement };
  const entry = undefined as never;
  sayEvent(
    { kind: 'swapped', entry, files, milliseconds: 12.3, replacement: all, count: 2 },
    terminal,
    false,
  );
  return saidSoFar();
}

test('a swap names its files and the lists that were announced', () => {
  expect(said({})).toBe('Swapped a.ts in 12 ms; no list changed\n');
  expect(said({ changed: ['tools', 'prompts'] })).toBe('Swapped a.ts in 12 ms; announced: tools, prompts\n');
  expect(said({}, ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'])).toContain('a.ts, b.ts, c.ts and 2 more');
});

test('what reaches clients only when they connect again is said', () => {
  expect(said({ unannounced: ['instructions', 'name'] })).toContain(
    'Clients see the new instructions, name when they connect again.',
  );
});

test('with --json a swap is one line', () => {
  expect(JSON.parse(said({ changed: ['tools'] }, ['a.ts'], true))).toEqual({
    swapped: ['a.ts'],
    milliseconds: 12.3,
    changed: ['tools'],
    unannounced: [],
    count: 2,
  });
});

test('a new start is advised after a thousand swaps, once', () => {
  const growth = new Growth();
  expect(growth.advice(999)).toBeUndefined();
  expect(growth.advice(1000)).toContain('1000 swaps took');
  expect(growth.advice(1001)).toBeUndefined();
});

const [advice, other, note] = (['TW_ADVICE_OUTPUT', 'TW_ADVICE_HOST', 'TW_NOTE_LOOSE'] as const).map(
  (code): Problem => ({ code, where: 'books', what: 'is odd.', fix: 'mend it' }),
) as [Problem, Problem, Problem];

test('advice is a line each, said once until it was mended', () => {
  const { terminal, said } = openTerminal();
  const teller = new AdviceTeller();
  teller.tell([advice, note], terminal);
  expect(said()).toBe(
    'advice TW_ADVICE_OUTPUT: books is odd.\n`toolwright check` says why, and what to do.\n',
  );
  teller.tell([advice, note], terminal);
  expect(said()).toBe('');
  teller.tell([other], terminal);
  expect(said()).toMatch(/^advice TW_ADVICE_HOST: [^\n]*\n`/);
  teller.tell([advice, other], terminal);
  expect(said()).toMatch(/^advice TW_ADVICE_OUTPUT: [^\n]*\n`/);
});

test('with --json advice is one line', () => {
  const { terminal, said } = openTerminal(true);
  new AdviceTeller().tell([advice, note], terminal);
  expect(JSON.parse(said())).toEqual({ advice: [advice] });
});
