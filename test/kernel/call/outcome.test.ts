import { afterEach, describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import type { Call } from '../../../src/kernel/call/call.ts';
import { challengeOf, resultOf, withoutChallenge, type Challenge } from '../../../src/kernel/call/outcome.ts';
import { connectVersion1 } from '../../support/connections/client-of-version-1.ts';
import { CONNECTIONS } from '../../support/connections/connection-kinds.ts';
import { headers2026, message2026 } from '../../support/client-of-2026.ts';
import { message, send, type RawResponse } from '../../support/raw-http.ts';
import { CALLS, createStaged, type StagedApplication } from '../../support/staged-app.ts';

const REASON = 'Sign in first';
const ERROR = new ProtocolError(-32003, REASON, { code: 'UNAUTHENTICATED', retryAfter: 7 });
const CHALLENGE: Challenge = {
  status: 401,
  headers: { 'WWW-Authenticate': 'Bearer scope="notes"', 'Retry-After': '7' },
};
const CALL = CALLS['a tool'] as NonNullable<(typeof CALLS)[string]>;
const PROMPT = CALLS['a prompt'] as NonNullable<(typeof CALLS)[string]>;

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** An application that refuses every request; it may do something before. */
async function refusing(before?: (call: Call) => Promise<void>): Promise<StagedApplication> {
  const made = await createStaged((stages) => ({
    ...stages,
    request: {
      ...stages.request,
      authorize: () => () => (call) =>
        before === undefined
          ? challengeOf(ERROR, CHALLENGE)
          : before(call).then(() => challengeOf(ERROR, CHALLENGE)),
    },
  }));
  closing.push(() => made.close());
  return made;
}

async function listening(options: object, before?: (call: Call) => Promise<void>): Promise<string> {
  const { app } = await refusing(before);
  const { url } = await app.listen({ port: 0, signals: false, ...options });
  return url;
}

async function sessionAt(url: string): Promise<Readonly<Record<string, string>>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tester', version: '1.0.0' },
  };
  const { headers } = await send(url, { body: message('initialize', params, 'init') });
  return { 'mcp-session-id': String(headers['mcp-session-id']) };
}

function expectChallenge({ status, headers, body }: RawResponse): void {
  expect(status).toBe(401);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'www-authenticate': 'Bearer scope="notes"',
    'retry-after': '7',
  });
  expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32003, message: REASON } });
}

const REFUSED_CALL = {
  isError: true,
  content: [{ type: 'text', text: expect.stringMatching(`^\\[notes\\] ${REASON}\nCode: UNAUTHENTICATED`) }],
  _meta: { 'toolwright/error': { code: 'UNAUTHENTICATED', message: REASON, tool: 'notes', retryAfter: 7 } },
};

describe('a challenge is the status of the response', () => {
  test.each([
    ['a call', CALL],
    ['a prompt', PROMPT],
    ['a list', ['tools/list', {}] as const],
  ])('to %s without a session', async (_name, [method, params]) => {
    for (const json of [false, true]) {
      const url = await listening({ sessions: false, json });
      expectChallenge(await send(url, { body: message(method, params) }));
    }
  });

  test.each([
    ['a call', CALL],
    ['a prompt', PROMPT],
    ['a list', ['tools/list', {}] as const],
  ])('to %s of a session', async (_name, [method, params]) => {
    const url = await listening({});
    const headers = await sessionAt(url);
    expectChallenge(await send(url, { headers, body: message(method, params) }));
  });

  test.each([
    ['a call', CALL, 'notes'],
    ['a prompt', PROMPT, 'review'],
    ['a list', ['tools/list', {}] as const, undefined],
    [
      'a subscription',
      ['subscriptions/listen', { notifications: { toolsListChanged: true } }] as const,
      undefined,
    ],
  ])('to %s of 2026-07-28', async (_name, [method, params], name) => {
    const url = await listening({});
    const body = JSON.stringify(message2026(method, params));
    expectChallenge(await send(url, { headers: headers2026(method, name), body }));
  });

  test('also when it comes late, as long as nothing was written', async () => {
    const url = await listening({ sessions: false }, () => new Promise((resolve) => setTimeout(resolve, 20)));
    expectChallenge(await send(url, { body: message(...CALL) }));
  });
});

describe('a challenge is an error result of the tool, or the error alone', () => {
  test.each([
    ['without a session', false],
    ['in a session', true],
  ])('in a batch %s', async (_name, sessions) => {
    const url = await listening({ sessions, json: true });
    const headers = sessions ? await sessionAt(url) : {};
    const version = { 'mcp-protocol-version': '2025-03-26' };
    const body = `[${message(...CALL, 1)},${message(...PROMPT, 2)}]`;
    const response = await send(url, { headers: sessions ? headers : version, body });
    expect(response.status).toBe(200);
    expect(response.headers['www-authenticate']).toBeUndefined();
    expect(JSON.parse(response.body)).toMatchObject([
      { id: 1, result: REFUSED_CALL },
      { id: 2, error: { code: -32003, message: REASON } },
    ]);
  });

  test.each([
    ['without a session', false],
    ['in a session', true],
  ])('on a stream that has begun, %s', async (_name, sessions) => {
    const url = await listening({ sessions }, (call) => call.log('warning', 'Who is it?', undefined));
    const headers = sessions ? await sessionAt(url) : {};
    const called = await send(url, { headers, body: message(...CALL) });
    expect([called.status, called.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(answerIn(called)).toMatchObject({ id: 1, result: REFUSED_CALL });
    const got = await send(url, { headers, body: message(...PROMPT) });
    expect(answerIn(got)).toMatchObject({ id: 1, error: { code: -32003, message: REASON } });
  });

  const connected = CONNECTIONS.filter(({ way, isAttached }) => isAttached || !way.startsWith('HTTP'));
  test.each(connected.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    const { app } = await refusing();
    const client = await route.connect(app);
    closing.push(() => client.close());
    expect(await client.send(...CALL)).toMatchObject(REFUSED_CALL);
    expect(await client.refusal(...PROMPT)).toMatchObject({ code: -32003, message: REASON });
  });

  test('attached to an SDK v1 server', async () => {
    const { app } = await refusing();
    const server = new McpServer({ name: 'owner', version: '1.0.0' });
    app.attach(server);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = await connectVersion1(near, {});
    closing.push(() => client.close());
    expect(await client.send(...CALL)).toMatchObject(REFUSED_CALL);
    expect(await client.refusal(...PROMPT)).toMatchObject({ code: -32003, message: REASON });
  });

  test('app.call', async () => {
    const { call } = await refusing();
    expect(await call('notes', { action: 'add', topic: 'a' })).toMatchObject(REFUSED_CALL);
  });
});

test('a challenge is plain data that nothing can change, with its headers in lower case', () => {
  const { challenge } = challengeOf(ERROR, CHALLENGE);
  expect(challenge).toEqual({
    status: 401,
    headers: { 'www-authenticate': 'Bearer scope="notes"', 'retry-after': '7' },
  });
  expect([challenge, challenge?.headers].every(Object.isFrozen)).toBe(true);
});

test('all other outcomes stay as they are', () => {
  const outcome = resultOf({});
  expect(withoutChallenge(outcome, { method: 'tools/call' })).toBe(outcome);
});

test('a challenge without a code is known by that of a failure of the server', () => {
  const outcome = challengeOf(new ProtocolError(-32003, REASON), CHALLENGE);
  const refused = withoutChallenge(outcome, { method: 'tools/call', params: { name: 'notes' } });
  expect(refused).toMatchObject({ kind: 'result', value: { isError: true } });
  expect(JSON.stringify(refused)).toContain('Code: INTERNAL_ERROR');
});

/** The last message of a stream. */
function answerIn({ body }: RawResponse): unknown {
  const last = body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .at(-1);
  return JSON.parse(String(last).slice('data: '.length));
}

test('writes headers of a challenge that can be sent, and leaves the framing to the server', () => {
  const headers = {
    'WWW-Authenticate': 'Bearer error_description="a\nb“c”"',
    'Content-Length': '3',
    'a b': 'c',
  };
  expect(challengeOf(ERROR, { status: 401, headers }).challenge).toEqual({
    status: 401,
    headers: { 'www-authenticate': 'Bearer error_description="a?b?c?"' },
  });
});
