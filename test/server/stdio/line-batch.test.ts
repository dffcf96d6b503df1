import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineBatch } from '../../../src/server/stdio/line-batch.ts';

/** A batch, and what it writes. */
function batchOf(write: (text: string) => Promise<void> = () => Promise.resolve()) {
  const written: string[] = [];
  const batch = new LineBatch((text) => {
    written.push(text);
    return write(text);
  });
  return { batch, written };
}

test('the lines of one turn are one write, in their order', async () => {
  const { batch, written } = batchOf();
  const all = ['a', 'b', 'c'].map((line) => batch.add(line));
  expect(written).toEqual([]);
  await Promise.all(all);
  expect(written).toEqual(['a\nb\nc\n']);
});

test('takes what the promises of the turn still bring', async () => {
  const { batch, written } = batchOf();
  const first = batch.add('a');
  const second = Promise.resolve()
    .then(() => Promise.resolve())
    .then(() => batch.add('b'));
  await Promise.all([first, second]);
  expect(written).toEqual(['a\nb\n']);
});

test('each turn has its write, and no line is lost, doubled or overtaken', async () => {
  const turns = fc.array(fc.array(fc.stringMatching(/^[a-z]{0,4}$/u), { maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(turns, async (lines) => {
      const { batch, written } = batchOf();
      const all: Promise<void>[] = [];
      for (const turn of lines) {
        all.push(...turn.map((line) => batch.add(line)));
        await nextTurn();
      }
      await Promise.all(all);
      const expected = lines.filter((turn) => turn.length > 0);
      expect(written).toEqual(expected.map((turn) => turn.map((line) => `${line}\n`).join('')));
    }),
    { numRuns: 50 },
  );
});

test('resolves when the write has ended, and not before', async () => {
  let end = (): void => undefined;
  const { batch, written } = batchOf(() => new Promise<void>((resolve) => (end = resolve)));
  let isWritten = false;
  const adding = batch.add('a').then(() => (isWritten = true));
  await nextTurn();
  expect([written, isWritten]).toEqual([['a\n'], false]);
  end();
  expect(await adding).toBe(true);
});

test('what comes while a write lasts is not held up by it', async () => {
  const { batch, written } = batchOf((text) =>
    text === 'a\n' ? new Promise(() => undefined) : Promise.resolve(),
  );
  void batch.add('a');
  await nextTurn();
  await batch.add('b');
  expect(written).toEqual(['a\n', 'b\n']);
});

test('a write that fails fails for each of its lines, and the next turn is written', async () => {
  const broken = new Error('broken pipe');
  let isBroken = true;
  const { batch, written } = batchOf(() => (isBroken ? Promise.reject(broken) : Promise.resolve()));
  const results = await Promise.allSettled([batch.add('a'), batch.add('b')]);
  expect(results).toEqual([
    { status: 'rejected', reason: broken },
    { status: 'rejected', reason: broken },
  ]);
  isBroken = false;
  await batch.add('c');
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test('writes at once for who cannot wait for the end of the turn, and nothing twice', async () => {
  const { batch, written } = batchOf();
  const adding = batch.add('a');
  await batch.flush();
  expect(written).toEqual(['a\n']);
  await adding;
  await batch.flush();
  expect(written).toEqual(['a\n']);
});
