import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/workflow/rpc/line-splitter.ts';

const LIMIT = 8;

/** What is expected, from the whole text at once. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines
    .map((line) => line.replace(/\r$/, ''))
    .map((line) => (line.length > LIMIT ? 'too-long' : line));
}

test('cuts the same lines from any pieces', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r'), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (pieces) => {
      const splitter = new LineSplitter(LIMIT);
      const lines = [...pieces.flatMap((piece) => [...splitter.push(Buffer.from(piece))]), ...splitter.end()];
      const found = lines.map((line) => (line === 'too-long' ? line : Buffer.from(line.bytes).toString()));
      expect(found).toEqual(linesOf(pieces.join('')));
    }),
    { numRuns: 500 },
  );
});
