import { expect, test } from '@jest/globals';
import { Cancellation } from '../../../src/call/call-context.ts';
import { Call, nextState, type CallEvent, type CallState } from '../../../src/kernel/call/call.ts';
import { NO_CLIENT } from '../../../src/runtime/clients/served-clients.ts';
import type { ServedContext } from '../../../src/kernel/call/service-request.ts';
import type { Whole } from '../../../src/call/request-context.ts';

const STATES: readonly CallState[] = ['idle', 'asking', 'suspended', 'detached', 'done'];
const EVENTS: readonly CallEvent[] = ['record', 'suspend', 'detach', 'end'];

/** Everything else is refused. */
const ALLOWED: Readonly<Record<string, CallState>> = {
  'idle record': 'asking',
  'idle detach': 'detached',
  'idle end': 'done',
  'asking suspend': 'suspended',
  'asking detach': 'detached',
  'asking end': 'done',
  'suspended end': 'done',
  'detached end': 'done',
};

const pairs = STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));

test.each(pairs)('a call that is %s may %s, or gets an error', (state, event) => {
  const expected = ALLOWED[`${state} ${event}`];
  const next = (): CallState => nextState(state, event);
  if (expected === undefined) expect(next).toThrow(`A call that is ${state} cannot ${event}`);
  else expect(next()).toBe(expected);
});

test('a call that is done stays so', () => {
  for (const event of EVENTS) expect(() => nextState('done', event)).toThrow('done');
});

const authInfo = { token: 't', clientId: 'program', scopes: ['a'] };
const cancellation = new Cancellation();

/** Every member of a request; one that is added to requests is missing here. */
const CONTEXT = {
  requestId: 7,
  signal: cancellation.signal,
  isCancelled: false,
  sessionId: 'session',
  meta: { tenant: 'acme' },
  authInfo,
  address: '192.0.2.1',
  caller: undefined,
  client: () => ({ name: 'editor', capabilities: {} }),
  header: (name: string) => `value of ${name}`,
  notify: () => Promise.resolve(),
  request: () => Promise.resolve({}),
  retry: { requestState: 'sealed', inputResponses: {} },
  step: undefined,
  idempotency: undefined,
  surface: undefined,
  // Read where a call finds its tool
  isFitted: undefined,
  startTask: undefined,
  report: undefined,
  releaseStream: () => undefined,
  hide: () => undefined,
  member: () => undefined,
  log: () => Promise.resolve(),
  raw: { of: 'the transport' },
  encoder: { encodeError: undefined } as unknown as ServedContext['encoder'],
  carrier: 'http',
  holdStatus: () => undefined,
  protocolVersion: '2025-11-25',
  http: { port: 3000, httpVersion: '1.1' },
  callTrace: { traceparent: '00-1-2-01' },
  consent: 'granted',
} satisfies Whole<ServedContext>;

function callOfContext(): Call {
  const request = { method: 'tools/call', params: { name: 'a' }, context: CONTEXT, served: NO_CLIENT };
  return new Call({ ...request, cancellation });
}

const FACTS = Object.entries(CONTEXT).flatMap(([name, value]) => (typeof value === 'function' ? [] : [name]));

test.each(FACTS)('another run of a handler has the %s of its request', (name) => {
  const again = callOfContext().again({ journal: [], open: [] });
  const seen = again as unknown as Readonly<Record<string, unknown>>;
  const own = typeof seen[name] === 'function' ? undefined : seen[name];
  expect(own).toBe(CONTEXT[name as keyof ServedContext]);
});

test('another run of a handler reaches the client of its request', async () => {
  const held: unknown[] = [];
  const request = { method: 'tools/call', params: {}, served: NO_CLIENT, cancellation };
  const context = { ...CONTEXT, holdStatus: (until: unknown) => void held.push(until) };
  const again = new Call({ ...request, context }).again({ journal: [], open: [] });
  const until = Promise.resolve();
  again.holdStatus?.(until);
  expect(held).toEqual([until]);
  expect([again.client().name, again.header('a')]).toEqual(['editor', 'value of a']);
  expect(again.releaseStream).toBe(CONTEXT.releaseStream);
});

test('another run of a handler has what was found out before it, and nothing of the former run', () => {
  const found = {
    args: { id: 1 },
    target: { kind: 'action' },
    opened: { id: 'state' },
    authority: { caller: { clientId: 'program' } },
    namesNothing: false,
    hidesUri: true,
    audited: {},
    observation: {},
    localCaller: authInfo,
    handOver: () => undefined,
    addedLater: 'x',
  };
  const ofOneRun = { onAbandon: () => undefined, onAccept: () => undefined, replayer: {}, limit: {} };
  const call = Object.assign(callOfContext(), found, ofOneRun);
  const again = call.again({ journal: [], open: [] }) as unknown as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(found)) expect([name, again[name]]).toEqual([name, value]);
  for (const name of Object.keys(ofOneRun)) expect([name, again[name]]).toEqual([name, undefined]);
  expect(again['context']).toBe(call);
});
