import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { McpApplication, type HttpServing } from 'toolwright';
import { DirectModule } from '../../../support/direct-app.ts';
import { MemoryLogger } from '../../../support/fake-application.ts';
import { JSON_HEADERS, type RawRequest } from '../../../support/raw-http.ts';
import { comparable } from '../../../support/oracle/comparable.ts';
import { differencesOf, headOf, isFault, type AnswerHead } from '../../../support/oracle/http-differences.ts';
import { oracle2026 } from '../../../support/oracle/oracle-2026.ts';
import { body2025, META, sample2026, REQUESTS } from '../../../support/oracle/corpus.ts';
import { messagesOf, observe } from '../../observe.ts';

const SECRETS = ['a secret of at least thirty-two characters'];
const IDENTITY = { name: 'direct', version: '1.0.0' };
const PREFIX = 'io.modelcontextprotocol/';

/** Beside what both eras have in common. */
const REQUESTS_2026: readonly (readonly [string, unknown])[] = [
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } },
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'name', value: 'A' } },
  ],
  ['completion/complete', { ref: {}, argument: {} }],
  ['completion/complete', {}],
  ['tasks/get', { taskId: 'none' }],
  ['tasks/get', {}],
  ['tasks/cancel', { taskId: 'none' }],
  ['tasks/result', { taskId: 'none' }],
  ['tasks/list', {}],
  ['initialize', {}],
  ['tools/call', { name: 'desk', arguments: { action: 'ask' }, requestState: 'made up' }],
  ['tools/call', { name: 'desk', arguments: { action: 'ask' }, requestState: 5 }],
  ['tools/call', { name: 'desk', arguments: { action: 'ask' }, inputResponses: { other: {} } }],
  ['prompts/get', { name: 'greet', arguments: { name: 'Ann' }, requestState: 'made up' }],
  ['resources/read', { uri: 'memo:one', requestState: 'made up' }],
  ['tools/list', { requestState: 5, inputResponses: 'none' }],
  ['subscriptions/listen', { notifications: {} }],
];

const ENVELOPES: Readonly<Record<string, object>> = {
  'no revision': { [`${PREFIX}protocolVersion`]: undefined },
  'a revision that is a number': { [`${PREFIX}protocolVersion`]: 20260728 },
  'an unknown revision': { [`${PREFIX}protocolVersion`]: '2099-01-01' },
  'a revision of the other era': { [`${PREFIX}protocolVersion`]: '2025-11-25' },
  'no capabilities': { [`${PREFIX}clientCapabilities`]: undefined },
  'capabilities that are a list': { [`${PREFIX}clientCapabilities`]: [] },
  'capabilities that are null': { [`${PREFIX}clientCapabilities`]: null },
  'a capability that is not an object': { [`${PREFIX}clientCapabilities`]: { elicitation: true } },
  'forms that are no object': { [`${PREFIX}clientCapabilities`]: { elicitation: { form: 1 } } },
  'roots whose changes are a text': { [`${PREFIX}clientCapabilities`]: { roots: { listChanged: 'yes' } } },
  'an extension that is not an object': { [`${PREFIX}clientCapabilities`]: { extensions: { 'a/b': 1 } } },
  'what nobody knows': { [`${PREFIX}clientCapabilities`]: { telepathy: {} } },
  'a capability with more': { [`${PREFIX}clientCapabilities`]: { elicitation: { later: 1 } } },
  'no client': { [`${PREFIX}clientInfo`]: undefined },
  'a client without a version': { [`${PREFIX}clientInfo`]: { name: 'a' } },
  'a client that is a text': { [`${PREFIX}clientInfo`]: 'me' },
  'a client with more': { [`${PREFIX}clientInfo`]: { name: 'a', version: '1', later: 1 } },
  'a title that is a number': { [`${PREFIX}clientInfo`]: { name: 'a', version: '1', title: 1 } },
  'icons that are no list': { [`${PREFIX}clientInfo`]: { name: 'a', version: '1', icons: 'none' } },
  'an icon without a source': { [`${PREFIX}clientInfo`]: { name: 'a', version: '1', icons: [{}] } },
  'an icon of a theme that is none': {
    [`${PREFIX}clientInfo`]: { name: 'a', version: '1', icons: [{ src: 'data:,', theme: 'blue' }] },
  },
  'an icon as it should be': {
    [`${PREFIX}clientInfo`]: { name: 'a', version: '1', icons: [{ src: 'data:,', sizes: ['any'] }] },
  },
  'a log level': { [`${PREFIX}logLevel`]: 'debug' },
  'another log level': { [`${PREFIX}logLevel`]: 'warning' },
  'no such log level': { [`${PREFIX}logLevel`]: 'loud' },
};

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no Accept of streams': { accept: 'application/json' },
  'any Accept': { accept: '*/*' },
  'a session that never was': { 'mcp-session-id': 'nobody' },
  'an unknown revision': { 'mcp-protocol-version': '2099-01-01' },
  'a revision of the other era': { 'mcp-protocol-version': '2025-11-25' },
  'no revision': { 'mcp-protocol-version': '' },
  'another method': { 'mcp-method': 'tools/list' },
  'no method': { 'mcp-method': '' },
  'another name': { 'mcp-name': 'desks' },
  'no name': { 'mcp-name': '' },
  'a name in Base64': { 'mcp-name': '=?base64?ZGVzaw==?=' },
  'a name in wrong Base64': { 'mcp-name': '=?base64?!?=' },
  'a name that only begins as Base64': { 'mcp-name': '=?base64?ZGVzaw==' },
};

const ADD = ['tools/call', { name: 'desk', arguments: { action: 'add', a: 1, b: 2 } }] as const;

let app: McpApplication;
let serving: HttpServing;
let oracle: (request: Request) => Promise<Response>;
beforeAll(async () => {
  app = await McpApplication.create(DirectModule, {
    ...IDENTITY,
    instructions: false,
    logger: new MemoryLogger(),
    secrets: SECRETS,
  });
  serving = await app.listen({ port: 0, signals: false });
  oracle = oracle2026(app, IDENTITY);
});
afterAll(() => app.close());

interface Seen {
  readonly status: number;
  readonly head: AnswerHead;
  readonly messages: readonly unknown[];
}

/** What the SDK answers. */
async function foretold({ headers, body }: RawRequest): Promise<Seen> {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...headers },
    body: String(body),
  });
  const response = await oracle(request);
  const messages = messagesOf(response.headers.get('content-type') ?? '', await response.text());
  const { status } = response;
  return { status, head: headOf(status, response.headers), messages: messages.map(comparable) };
}

/** Expects the same of both; twice of the engine, because the second may take a shorter way. */
async function both(given: RawRequest): Promise<Seen> {
  const all = Object.entries<string>({ ...JSON_HEADERS, ...given.headers }).filter(
    ([, value]) => value !== '',
  );
  const request = { ...given, headers: Object.fromEntries(all) };
  const expected = await foretold(request);
  for (let time = 0; time < 2; time += 1) {
    const { status, head, messages } = await observe(serving.url, request);
    const faults = differencesOf('2026-07-28', head, expected.head).filter(isFault);
    expect({ status, faults, messages: messages.map(comparable) }).toEqual({
      status: expected.status,
      faults: [],
      messages: expected.messages,
    });
  }
  return expected;
}

describe('the engine answers as the SDK does', () => {
  test.each([...REQUESTS, ...REQUESTS_2026])('%s %j', async (method, params) => {
    const { messages } = await both(sample2026(method, params));
    expect(messages.length).toBeGreaterThan(0);
  });

  test.each(Object.keys(ENVELOPES))('to an envelope with %s', async (name) => {
    const meta = { ...META, ...ENVELOPES[name] };
    const revision = (meta as Record<string, unknown>)[`${PREFIX}protocolVersion`];
    for (const request of [
      ['tools/list', {}],
      ADD,
      ['tools/call', { name: 'desk', arguments: { action: 'chat' } }],
    ]) {
      const sample = sample2026(request[0] as string, request[1], meta);
      const headers = {
        ...sample.headers,
        'mcp-protocol-version': typeof revision === 'string' ? revision : '2026-07-28',
      };
      const { messages } = await both({ ...sample, headers });
      expect(messages.length).toBeGreaterThan(0);
    }
  });

  test.each(Object.keys(HEADERS))('to headers with %s', async (name) => {
    const sample = sample2026(...ADD);
    const { messages } = await both({ ...sample, headers: { ...sample.headers, ...HEADERS[name] } });
    expect(messages).toHaveLength(1);
  });

  test.each([
    ['with its method', { 'mcp-method': 'notifications/initialized' }, {}],
    ['without its method', {}, {}],
    ['with another method', { 'mcp-method': 'tools/list' }, {}],
    ['with an envelope', {}, { _meta: META }],
    ['in an unknown revision', {}, { _meta: { [`${PREFIX}protocolVersion`]: '2099-01-01' } }],
    ['in no revision', {}, { _meta: { [`${PREFIX}protocolVersion`]: 5 } }],
  ])('to a notification %s', async (_name, headers, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized', params });
    const { status } = await both({ body, headers: { 'mcp-protocol-version': '2026-07-28', ...headers } });
    expect([202, 400]).toContain(status);
  });

  test.each([
    ['elicitation', { elicitation: {} }],
    ['forms', { elicitation: { form: {}, url: {} } }],
    ['pages only', { elicitation: { url: {} } }],
    ['tasks', { extensions: { 'io.modelcontextprotocol/tasks': {} } }],
  ])('to a client that declares %s', async (_name, capabilities) => {
    const meta = { ...META, [`${PREFIX}clientCapabilities`]: capabilities };
    for (const action of ['ask', 'who', 'chat', 'count']) {
      await both(sample2026('tools/call', { name: 'desk', arguments: { action } }, meta));
    }
    const jobs = sample2026('tools/call', { name: 'jobs', arguments: { action: 'run' } }, meta);
    expect((await both(jobs)).status).toBe(200);
  });

  test('to any request', async () => {
    const member = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('desk', 'greet', 'memo:one', 'add'),
    );
    const params = fc.dictionary(
      fc.constantFrom('name', 'arguments', 'uri', 'cursor', '_meta', 'task', 'ref', 'requestState', 'taskId'),
      fc.oneof(member, fc.dictionary(fc.constantFrom('action', 'a', 'b', 'name', 'progressToken'), member)),
    );
    const method = fc.constantFrom(...new Set([...REQUESTS, ...REQUESTS_2026].map(([name]) => name)));
    await fc.assert(
      fc.asyncProperty(method, params, async (name, given) => {
        fc.pre(name !== 'subscriptions/listen');
        await both(sample2026(name, given));
      }),
      { numRuns: 100 },
    );
    expect((await both({ body: body2025('tools/list', { _meta: META }) })).status).toBe(400);
  });
});
