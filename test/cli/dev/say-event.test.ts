import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { Growth, sayEvent } from '../../../src/cli/dev/say-event.ts';
import { Terminal } from '../../../src/cli/output/terminal.ts';
import type { Replacement } from '../../../src/index.ts';

/** What is said of a swap. */
function said(replacement: Partial<Replacement>, files: readonly string[] = ['a.ts'], json = false): string {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = new Terminal({ stdin, stdout, stderr, env: {} }, { json });
  const all = { changed: [], unannounced: [], finished: Promise.resolve(), ...replacement };
  const entry = undefined as never;
  sayEvent(
    { kind: 'swapped', entry, files, milliseconds: 12.3, replacement: all, count: 2 },
    terminal,
    false,
  );
  return String(stderr.read());
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
