import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readLines } from '../../../src/workflow/rpc/workflow-rpc-server.ts';

const LIMIT = 8;

/** What is expected, from the whole text at once. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines
    .map((line) => line.replace(/\r$/, ''))
    .map((line) => (line.length > LIMIT ? 'too-long' : line));
}

test('cuts the same lines from any pieces', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r'), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (pieces) => {
      const found: string[] = [];
      const input = Readable.from(pieces.map((piece) => Buffer.from(piece)));
      for await (const line of readLines(input, LIMIT, new AbortController().signal)) {
        found.push(line === 'too-long' ? line : Buffer.from(line.bytes).toString());
      }
      expect(found).toEqual(linesOf(pieces.join('')));
    }),
    { numRuns: 500 },
  );
});
