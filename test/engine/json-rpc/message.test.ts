import { expect, test } from '@jest/globals';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { isProtocolMessage, replyText, writtenOnce } from '../../../src/engine/json-rpc/message.ts';
import { tries } from '../../support/thorough.ts';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';
const odd = fc.constantFrom(null, true, 1.5, -1, 2 ** 60, '', [], {}, ['a']);
const maybe = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: value.map((given) => ({ [name]: given })) },
    { weight: 1, arbitrary: odd.map((given) => ({ [name]: given })) },
  );
const object = (...members: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...members).map((parts) => Object.assign({}, ...parts) as object);

const meta = object(
  maybe('progressToken', fc.constantFrom('t', 0)),
  maybe(RELATED_TASK, object(maybe('taskId', fc.constant('task')), maybe('more', fc.constant(1)))),
  maybe('traceparent', fc.constant('00-1')),
);
const head = object(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant({ jsonrpc: '2.0' }) },
    { weight: 1, arbitrary: maybe('jsonrpc', odd) },
  ),
  maybe('id', fc.constantFrom(1, 'a')),
);
const kinds = [
  object(
    maybe('method', fc.constant('tools/list')),
    maybe('params', object(maybe('_meta', meta), maybe('name', fc.constant('x')))),
  ),
  maybe('result', object(maybe('_meta', meta), maybe('tools', fc.constant([])))),
  maybe(
    'error',
    object(maybe('code', fc.constant(-32600)), maybe('message', fc.constant('no')), maybe('data', odd)),
  ),
  fc.constant({ extra: 1 }),
];
/** Mostly of one kind. */
const message = fc
  .tuple(head, fc.subarray(kinds, { minLength: 1 }), fc.boolean())
  .chain(([start, parts, isMixed]) => object(fc.constant(start), ...parts.slice(0, isMixed ? undefined : 1)));

test('a message is what both lines of the SDK take as one', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: odd }), (value) => {
      const isMessage = isProtocolMessage(value);
      if (isMessage) accepted += 1;
      expect(isMessage).toBe(JSONRPCMessageSchema.safeParse(value).success);
      // The later line answers requests only.
      if (typeof value !== 'object' || value === null || !('method' in value)) return;
      expect(isMessage).toBe(isJSONRPCRequest(value) || isJSONRPCNotification(value));
    }),
    { numRuns: tries(500, 5000) },
  );
  expect(accepted).toBeGreaterThan(tries(5, 100));
});

test('the text of a reply is what JSON.stringify makes of it, whatever its result is', () => {
  const stamp = writtenOnce(
    Object.freeze({ 'io.modelcontextprotocol/serverInfo': { name: 'a "b"', version: '1' } }),
  );
  const text = fc.string({ unit: 'binary' });
  const block = fc.oneof(
    fc.record({ type: fc.constantFrom('text', 'image'), text }),
    fc.record({ text, type: fc.constant('text') }),
    fc.record({ type: fc.constant('text'), text, annotations: fc.object() }),
    fc.record({ type: fc.constant('text'), text, toJSON: fc.constant(() => 'else') }),
  );
  const result = fc.record(
    {
      content: fc.oneof(fc.array(block, { maxLength: 2 }), fc.constant('text')),
      resultType: fc.constantFrom('complete', 'other', undefined),
      _meta: fc.oneof(fc.constant(stamp), fc.constant({ ...stamp, more: 1 }), fc.constant(undefined)),
      isError: fc.boolean(),
      toJSON: fc.constant(() => ({ other: true })),
    },
    { requiredKeys: ['content'] },
  );
  const fail = (error: Error): never => {
    throw error;
  };
  fc.assert(
    fc.property(result, fc.oneof(text, fc.integer()), (value, id) => {
      expect(replyText({ result: value }, id, fail)).toBe(
        JSON.stringify({ result: value, jsonrpc: '2.0', id }),
      );
    }),
    { numRuns: tries(300, 3000) },
  );
  const complete = { content: [{ type: 'text', text: 'a' }], resultType: 'complete', _meta: stamp };
  expect(JSON.parse(replyText({ result: complete }, 1, fail))).toEqual({
    result: complete,
    jsonrpc: '2.0',
    id: 1,
  });
});
