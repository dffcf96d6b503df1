import { expect, test } from '@jest/globals';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { isProtocolMessage } from '../../../src/engine/json-rpc/message.ts';

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
    { numRuns: 5000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
