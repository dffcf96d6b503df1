import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AnswerReader, type HttpAnswer } from '../../bench/load/answer-reader.ts';

const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}';
const chunked =
  'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nda: \r\n3\r\n{}\n\r\n0\r\n\r\n';

/** What comes of a text that arrives in pieces. */
function readAll(text: string, cuts: readonly number[]): readonly (readonly [number, string])[] {
  const bytes = Buffer.from(text);
  const ends = [...new Set(cuts.map((cut) => cut % bytes.length)), bytes.length].sort((a, b) => a - b);
  const reader = new AnswerReader();
  const answers = ends.map((end, index) => reader.read(bytes.subarray(ends[index - 1] ?? 0, end)));
  return answers
    .filter((answer): answer is HttpAnswer => answer !== undefined)
    .map(({ status, body }) => [status, body.toString()] as const);
}

test('reads an answer with a length however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(readAll(sized, cuts)).toEqual([[200, '{"a":1}']]);
    }),
  );
});

test('puts the chunks of an answer together however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(readAll(chunked, cuts)).toEqual([[202, 'da: {}\n']]);
    }),
  );
});

test('reads the next answer after the one before', () => {
  const reader = new AnswerReader();
  expect(reader.read(Buffer.from(chunked))?.status).toBe(202);
  expect(reader.read(Buffer.from(sized))?.body.toString()).toBe('{"a":1}');
});

test('refuses an answer without a length, which only the end of the connection would end', () => {
  const reader = new AnswerReader();
  expect(() => reader.read(Buffer.from('HTTP/1.1 500 Oh\r\n\r\n'))).toThrow('500');
});
