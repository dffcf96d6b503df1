import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from 'toolwright';
import { factsOf, textOf } from '../support/text-of.ts';
import { call, doors, expectServing, type Door } from './bad-input/doors.ts';
import { SECRET } from './bad-input/pit.module.ts';
import { message } from '../support/raw-http.ts';
import { LIMIT } from './bad-input/limit.ts';

interface BadCall {
  readonly name: string;
  readonly args: unknown;
  readonly code: string;
  /** The first line of the answer. */
  readonly says: RegExp;
  /** Further lines that help to repair the call. */
  readonly helps?: readonly RegExp[];
}

// As JSON, where `__proto__` is a member like any other
const json = (text: string): unknown => JSON.parse(text) as unknown;

const BAD_CALLS: readonly BadCall[] = [
  {
    name: 'no action',
    args: {},
    code: 'MISSING_DISCRIMINATOR',
    says: /^action is required\. Available: echo, /,
  },
  {
    name: 'an action of another type',
    args: { action: 7 },
    code: 'INVALID_DISCRIMINATOR',
    says: /^action must be a string/,
  },
  {
    name: 'an unknown action',
    args: { action: 'eco' },
    code: 'UNKNOWN_ACTION',
    says: /^Unknown action "eco"/,
    helps: [/Did you mean: echo/],
  },
  {
    name: 'an action named like a member of every object',
    args: { action: 'constructor' },
    code: 'UNKNOWN_ACTION',
    says: /^Unknown action "constructor"/,
  },
  {
    name: 'the action __proto__',
    args: { action: '__proto__' },
    code: 'UNKNOWN_ACTION',
    says: /^Unknown action "__proto__"/,
  },
  {
    name: 'an unknown field',
    args: { action: 'echo', text: 'a', txt: 'b' },
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: txt: unknown field$/,
    helps: [/Accepted fields: text, anything, inner/, /did you mean text/],
  },
  {
    name: 'a missing field',
    args: { action: 'echo' },
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: text: /,
    helps: [/expected string; received nothing/],
  },
  {
    name: 'fields of the wrong type',
    args: { action: 'echo', text: ['a'], inner: { count: 'x' } },
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: text: .*; inner\.count: /,
    helps: [/inner\.count: expected integer; received string "x"/],
  },
  {
    name: 'a nested unknown field',
    args: { action: 'echo', text: 'a', inner: { count: 1, cuont: 2 } },
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: inner\.cuont: unknown field$/,
  },
  {
    name: '__proto__ at the top',
    args: json('{"action":"echo","text":"a","__proto__":{"polluted":1}}'),
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: __proto__: unknown field/,
  },
  {
    name: 'constructor at the top',
    args: json('{"action":"echo","text":"a","constructor":{"prototype":{"polluted":1}}}'),
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: constructor: unknown field/,
  },
  {
    name: '__proto__ in a nested object',
    args: json('{"action":"echo","text":"a","inner":{"count":1,"__proto__":{"polluted":1}}}'),
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: inner\.__proto__: unknown field/,
  },
  {
    name: 'constructor in a nested object',
    args: json('{"action":"echo","text":"a","inner":{"count":1,"constructor":{}}}'),
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: inner\.constructor: unknown field/,
  },
  {
    name: '__proto__ in a value of any kind',
    args: json('{"action":"echo","text":"a","anything":[{"__proto__":{"polluted":1}}]}'),
    code: 'VALIDATION_FAILED',
    says: /^Validation failed: anything\.0\.__proto__: unknown field/,
  },
];

describe.each(Object.entries(doors))('through %s', (_name, open) => {
  let door: Door;
  beforeAll(async () => {
    door = await open();
  });
  afterAll(() => door.close());

  test.each(BAD_CALLS)('$name is answered so that it can be repaired, and serving goes on', async (bad) => {
    const result = (await call(door.client, bad.args as object)) as CallToolResult;
    expect(result.isError).toBe(true);
    expect(factsOf(result)).toMatchObject({ code: bad.code, tool: 'pit' });
    expect(textOf(result).split('\n')[0]).toMatch(bad.says);
    for (const help of bad.helps ?? []) expect(textOf(result)).toMatch(help);
    await expectServing(door.client);
  });

  test('an unknown tool is named with those there are, and serving goes on', async () => {
    const result = (await door.client.callTool({ name: 'pitt', arguments: {} })) as CallToolResult;
    expect(textOf(result)).toMatch(/^Unknown tool "pitt"\. Available: pit\n/);
    expect(factsOf(result)).toMatchObject({ code: 'UNKNOWN_TOOL', suggestion: 'pit' });
    await expectServing(door.client);
  });

  test.each([
    ['throwString', '[pit/throwString] only a string'],
    ['throwUndefined', '[pit/throwUndefined] what was thrown is not an Error but undefined'],
    ['throwSecret', '[pit/throwSecret] The database is down'],
  ])('%s reaches the client as its message alone, and serving goes on', async (action, says) => {
    const result = (await call(door.client, { action })) as CallToolResult;
    expect(textOf(result).split('\n')[0]).toBe(says);
    expect(factsOf(result)).toMatchObject({ code: 'INTERNAL_ERROR', tool: 'pit', action });
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(JSON.stringify(result)).not.toContain('stack');
    await expectServing(door.client);
  });

  test('64 levels of nesting are data like any other', async () => {
    const anything = json(`${'['.repeat(64)}${']'.repeat(64)}`);
    const result = (await call(door.client, { action: 'echo', text: 'deep', anything })) as CallToolResult;
    expect(JSON.parse(textOf(result))).toMatchObject({ text: 'deep', anything });
  });
});

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
