import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { startServer } from '../attacked-server.ts';
import type { Target } from '../attack.ts';
import { floodStdio } from './stdio-floods.ts';
import { holdStreams, shareStreams } from './stream-floods.ts';
import { floodWire } from './wire-floods.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const target: Target = {
  build: ROOT,
  isQuick: true,
  limit: 20_000,
  serve: (name, options) => startServer(ROOT, name, options),
  progress: () => undefined,
};
const notesOf = (rows: readonly { readonly name: string; readonly note?: string | undefined }[]) =>
  Object.fromEntries(rows.map(({ name, note }) => [name, note]));

test('a flood of standard input is answered, and what is too much of it refused', async () => {
  expect(notesOf(await floodStdio(target))).toMatchObject({
    '5000 lines of garbage': expect.stringMatching(/^0 wrong answers/),
    '1500 calls that wait': expect.stringMatching(/^500 refused; with room again: served/),
  });
});

test('a flood of the wire is answered or closed, and the next call served', async () => {
  const notes = notesOf(await floodWire(target));
  expect(notes['1000 requests in one go']).toMatch(/^1000 answered/);
  expect(notes['heads that contradict themselves']).toMatch(/^(?:(?:400|431|nothing): \d+[,;] )+heap/);
});

test('every stream that is held open is notified, and each person has a share of them', async () => {
  const held = await holdStreams(target);
  expect(held.map(({ note }) => note)).toEqual([
    expect.stringMatching(/^300 open/),
    expect.stringMatching(/^300 open/),
  ]);
  const shares = 'of 100: bob 50, alice 25, carol 25';
  expect((await shareStreams(target)).map(({ note }) => note)).toEqual([shares, shares]);
});
