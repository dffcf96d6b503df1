import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineWriter } from '../../../src/transports/stdio/stdio-transport.ts';

/** A writer, and what it writes. */
function writerOf(write: (text: string) => Promise<void> = () => Promise.resolve()) {
  const written: string[] = [];
  const writer = new LineWriter((text) => {
    written.push(text);
    return write(text);
  });
  return { writer, written };
}

test('lines that come at once are one write, in their order', async () => {
  const { writer, written } = writerOf();
  const all = ['a', 'b', 'c'].map((line) => writer.add(line));
  expect(written).toEqual([]);
  await Promise.all(all);
  expect(written).toEqual(['a\nb\nc\n']);
});

test('takes what comes of promises that took as many steps, and waits for no more', async () => {
  const { writer, written } = writerOf();
  const after = async (steps: number, line: string): Promise<void> => {
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await writer.add(line);
  };
  const late = async (): Promise<void> => {
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    expect(written).toEqual(['a\nb\n']);
    await writer.add('c');
  };
  await Promise.all([after(3, 'a'), after(3, 'b'), late()]);
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test('each turn has its write, and no line is lost, doubled or overtaken', async () => {
  const turns = fc.array(fc.array(fc.stringMatching(/^[a-z]{0,4}$/u), { maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(turns, async (lines) => {
      const { writer, written } = writerOf();
      const all: Promise<void>[] = [];
      for (const turn of lines) {
        all.push(...turn.map((line) => writer.add(line)));
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
  const { writer, written } = writerOf(() => new Promise<void>((resolve) => (end = resolve)));
  let isWritten = false;
  const adding = writer.add('a').then(() => (isWritten = true));
  await nextTurn();
  expect([written, isWritten]).toEqual([['a\n'], false]);
  end();
  expect(await adding).toBe(true);
});

test('what comes while a write lasts is not held up by it', async () => {
  const { writer, written } = writerOf((text) =>
    text === 'a\n' ? new Promise(() => undefined) : Promise.resolve(),
  );
  void writer.add('a');
  await nextTurn();
  await writer.add('b');
  expect(written).toEqual(['a\n', 'b\n']);
});

test('a write that fails fails for each of its lines, and the next turn is written', async () => {
  const broken = new Error('broken pipe');
  let isBroken = true;
  const { writer, written } = writerOf(() => (isBroken ? Promise.reject(broken) : Promise.resolve()));
  const results = await Promise.allSettled([writer.add('a'), writer.add('b')]);
  expect(results).toEqual([
    { status: 'rejected', reason: broken },
    { status: 'rejected', reason: broken },
  ]);
  isBroken = false;
  await writer.add('c');
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test('writes at once for who cannot wait, and nothing twice', async () => {
  const { writer, written } = writerOf();
  const adding = writer.add('a');
  writer.flush();
  expect(written).toEqual(['a\n']);
  await adding;
  writer.flush();
  expect(written).toEqual(['a\n']);
});

test('reports a write that failed whose lines it had, also where others came behind them', async () => {
  const broken = new Error('broken pipe');
  const { writer, written } = writerOf((text) =>
    text === 'a\n' ? Promise.reject(broken) : Promise.resolve(),
  );
  const first = writer.add('a');
  writer.flush();
  const second = writer.add('b');
  const results = await Promise.allSettled([first, second]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(written).toEqual(['a\n', 'b\n']);
});
