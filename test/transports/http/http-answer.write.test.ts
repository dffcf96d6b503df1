import { expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { JSON_HEADERS } from '../../../src/transports/http/http-answer.ts';
import { writeAnswer } from '../../../src/transports/http/node-exchange.ts';

function written(text: string): readonly unknown[] {
  const parts: unknown[] = [];
  const outgoing = {
    writeHead: () => outgoing,
    end: (...given: readonly unknown[]) => void parts.push(...given),
  };
  writeAnswer({ status: 200, headers: JSON_HEADERS, text }, outgoing as unknown as ServerResponse);
  return parts;
}

test('a long answer that a client leaves unread is kept as bytes, and not as a text beside them', () => {
  const [long, wide] = ['x'.repeat(100_000), 'é'.repeat(100_000)];
  expect(written(long)).toEqual([Buffer.from(long)]);
  expect(written(wide)).toEqual([Buffer.from(wide)]);
});

test('a short answer is written in one piece with its head', () => {
  expect(written('{}')).toEqual(['{}', 'latin1']);
  expect(written('"é"')).toEqual(['"é"', 'utf8']);
});
