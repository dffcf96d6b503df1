import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineReader, type Line } from '../../src/shared/line-reader.ts';

const textOf = (line: Line): string => (line === 'too-long' ? line : Buffer.from(line.bytes).toString());

function read(limit: number, chunks: readonly Uint8Array[]): readonly string[] {
  const reader = new LineReader(limit);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()].map(textOf);
}

/** Cuts bytes at some places, which may be the same. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('wherever the stream is cut', () => {
  const text = fc
    .array(fc.constantFrom('a', 'é', '😀', '\r', ' ', '\n', '\n'), { maxLength: 40 })
    .map((parts) => parts.join(''));
  const places = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });

  test('the lines are the same, and those over the limit are lost alone', () => {
    fc.assert(
      fc.property(text, places, fc.nat({ max: 12 }), (whole, at, limit) => {
        const lines = whole.split('\n');
        const expected = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
        expect(read(limit, cut(Buffer.from(whole), at))).toEqual(
          expected.map((line) => (Buffer.byteLength(line) > limit ? 'too-long' : line)),
        );
      }),
    );
  });
});

test('a line comes with the chunk that ends it', () => {
  const reader = new LineReader(10);
  expect(reader.push(Buffer.from('a'))).toEqual([]);
  expect(reader.push(Buffer.from('b\nc\nd')).map(textOf)).toEqual(['ab', 'c']);
  expect(reader.push(Buffer.from('\n')).map(textOf)).toEqual(['d']);
  expect(reader.end()).toEqual([]);
});

test('the limit is in bytes, and a line may have as many', () => {
  expect(read(4, [Buffer.from('éé\néé.\néé')])).toEqual(['éé', 'too-long', 'éé']);
});

test('what stands behind the last newline comes once', () => {
  const reader = new LineReader(3);
  reader.push(Buffer.from('\nend'));
  expect(reader.end().map(textOf)).toEqual(['end']);
  expect(reader.end()).toEqual([]);
  reader.push(Buffer.from('longer'));
  expect(reader.end()).toEqual(['too-long']);
  expect(reader.push(Buffer.from('a\n')).map(textOf)).toEqual(['a']);
});

test('a line in one piece is the bytes that came, without a copy', () => {
  const chunk = new Uint8Array(Buffer.from('first\nsecond\n'));
  const lines = new LineReader(10).push(chunk);
  expect(lines.map(textOf)).toEqual(['first', 'second']);
  for (const line of lines) expect(line !== 'too-long' && line.bytes.buffer === chunk.buffer).toBe(true);
});
