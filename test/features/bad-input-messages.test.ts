import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { message } from '../support/raw-http.ts';
import { doors, expectServing, type Door } from './bad-input/doors.ts';
import { LIMIT } from './bad-input/limit.ts';

// One of the doors starts processes, which takes its time on a busy machine.
jest.setTimeout(60_000);

const echo = (extra: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pit","arguments":{"action":"echo","text":"a",${extra}}}}`;

const BAD_MESSAGES: readonly [string, string, number, RegExp][] = [
  ['text that is not JSON', '{"jsonrpc":"2.0",', -32700, /^Parse error: /],
  ['JSON that is not a message', '"hello"', -32600, /a message must be an object/],
  ['a message of another protocol', '{"id":1,"method":"ping"}', -32600, /jsonrpc must be "2\.0"/],
  ['params that are no object', message('tools/call', ['pit']), -32600, /params must be an object/],
  ['a message over the limit', echo(`"anything":"${'x'.repeat(LIMIT)}"`), -32600, /larger than 300000 bytes/],
  [
    '100,000 levels of nesting',
    echo(`"anything":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    -32600,
    /nested deeper than \d+ levels/,
  ],
  ['100,000 open brackets', '['.repeat(100_000), -32600, /nested deeper than \d+ levels/],
];

const rawDoors = Object.entries(doors).filter(([name]) => name !== 'the in-memory transport');

describe.each(rawDoors)('through %s', (_name, open) => {
  let door: Door;
  beforeAll(async () => {
    door = await open();
  });
  afterAll(() => door.close());

  test.each(BAD_MESSAGES)(
    '%s gets an error that says why, and serving goes on',
    async (_name, text, code, says) => {
      const answer = await door.raw?.(text);
      expect(answer?.error).toEqual({ code, message: expect.stringMatching(says) });
      await expectServing(door.client);
    },
  );
});
