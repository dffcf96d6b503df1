import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteCollector } from '../../src/shared/byte-collector.ts';
import { LineReader } from '../../src/shared/line-reader.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('gives back what came, however it was cut, or nothing beyond the limit', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 12 });
  fc.assert(
    fc.property(chunks, fc.nat({ max: 9000 }), (given, limit) => {
      const collector = new ByteCollector(limit);
      const whole = Buffer.concat(given);
      const fits = given.map((chunk) => collector.add(chunk));
      expect(fits.at(-1) ?? true).toBe(whole.length <= limit);
      expect(collector.isTooLarge).toBe(whole.length > limit);
      expect(Buffer.from(collector.take())).toEqual(whole.length > limit ? Buffer.alloc(0) : whole);
      expect([collector.size, collector.take().length]).toEqual([0, 0]);
    }),
  );
});

test('says when the pieces are small and many, and counts from the start again', () => {
  const collector = new ByteCollector(1e6);
  const add = (count: number, size: number): boolean => {
    for (let n = 0; n < count; n += 1) collector.add(new Uint8Array(size));
    return collector.isScattered;
  };
  expect([add(2000, 1), add(1, 1)]).toEqual([false, true]);
  collector.take();
  expect([add(2000, 1), add(1, 40_000), add(500, 1)]).toEqual([false, false, false]);
});

test('does not copy what comes in one piece', () => {
  const collector = new ByteCollector(10);
  const chunk = Buffer.from('all of it');
  collector.add(chunk);
  expect(collector.take()).toBe(chunk);
});

describe('bytes that come one by one cost little more than themselves', () => {
  const COUNT = 1_000_000;
  const single = (): Uint8Array => Buffer.from([0x78]);

  test('in a body', () => {
    const collector = new ByteCollector(4 * COUNT);
    const before = memory();
    for (let count = 0; count < COUNT; count += 1) collector.add(single());
    expect(memory() - before).toBeLessThan(8 * COUNT);
    expect(collector.take().length).toBe(COUNT);
  });

  test('in a line', () => {
    const reader = new LineReader(4 * COUNT);
    const before = memory();
    for (let count = 0; count < COUNT; count += 1) reader.push(single());
    expect(memory() - before).toBeLessThan(8 * COUNT);
    expect(reader.push(Buffer.from('\n'))).toHaveLength(1);
  });
});
