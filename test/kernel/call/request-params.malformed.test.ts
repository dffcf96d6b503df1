import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { fakeApplication, echo, type MemoryLogger } from '../../support/fake-application.ts';
import { fullService } from '../../support/fake-service.ts';
import { serveHttp } from '../../../src/transports/http/serve-http.ts';
import type { HttpServing } from '../../../src/transports/serving.ts';
import { McpApplication, Module } from '../../../src/index.ts';
import { initialize, message, send } from '../../support/raw-http.ts';

const prompt = { type: 'ref/prompt', name: 'greet' };

/** What is wrong with the params of each method, and the parameter that the answer must name. */
const MALFORMED: readonly [string, unknown, RegExp][] = [
  ['logging/setLevel', undefined, /params/],
  ['logging/setLevel', {}, /level/],
  ['logging/setLevel', { level: 'loud' }, /level.*"debug".*"emergency"/],
  ['logging/setLevel', { level: 3 }, /level/],
  ['completion/complete', undefined, /argument must be an object/],
  ['completion/complete', { ref: prompt, argument: { name: 3, value: '' } }, /argument\.name/],
  ['completion/complete', { ref: { type: 'x' }, argument: { name: '', value: '' } }, /ref\.type/],
  ['completion/complete', { ref: prompt, argument: { name: '', value: '' }, context: 3 }, /context/],
  ['resources/read', {}, /uri/],
  ['resources/read', { uri: ['memo:one'] }, /uri/],
  ['resources/subscribe', { uri: 3 }, /uri/],
  ['resources/unsubscribe', undefined, /uri/],
  ['resources/list', { cursor: 4 }, /cursor/],
  ['resources/templates/list', { cursor: 'made up' }, /cursor/],
  ['prompts/list', { cursor: null }, /cursor/],
  ['prompts/get', { name: {} }, /name/],
  ['prompts/get', { name: 'greet', arguments: { a: 1 } }, /arguments\.a/],
  ['tools/list', { cursor: [] }, /cursor/],
  ['tools/call', {}, /name/],
  ['tools/call', { name: null }, /name/],
];

const MODES = [
  ['with sessions', true],
  ['without sessions', false],
] as const;

describe.each(MODES)('%s, params that are wrong', (_mode, sessions) => {
  let serving: HttpServing;
  let headers: Record<string, string> = {};
  let logger: MemoryLogger;

  beforeAll(async () => {
    const surface = { ...fakeApplication({}), service: fullService({ fakeTools: { echo } }) };
    ({ logger } = surface);
    serving = await serveHttp(surface, { port: 0, sessions });
    if (sessions) headers = { 'mcp-session-id': await initialize(serving.url) };
  });
  afterAll(() => serving.close());

  const answerTo = async (method: string, params: unknown) => {
    const { body } = await send(serving.url, { body: message(method, params), headers });
    const [, data] = /^data: (.+)$/m.exec(body) ?? [];
    return JSON.parse(data ?? body) as {
      error?: { code: number; message: string; data?: unknown };
      result?: unknown;
    };
  };

  const cases = MALFORMED.filter(([method]) => sessions || method !== 'logging/setLevel');
  test.each(cases)('of %s are refused in one sentence: %j', async (method, params, text) => {
    const { error } = await answerTo(method, params);
    expect(error).toEqual({ code: -32602, message: expect.stringMatching(text) });
    expect(error?.message).not.toMatch(/\n|invalid_|\{/);
    expect(logger.records.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('do not hold up a request for a task where there are no tasks', async () => {
    const { result } = await answerTo('tools/call', { name: 'echo', arguments: { a: 1 }, task: { ttl: 5 } });
    expect(result).toMatchObject({ content: [{ text: '{"a":1}' }] });
    expect(await answerTo('ping', { task: {} })).toMatchObject({ result: {} });
  });
});

test('without sessions a level is refused, because it would not be kept', async () => {
  const serving = await serveHttp(fakeApplication({ echo }), { port: 0, sessions: false });
  const { body } = await send(serving.url, { body: message('logging/setLevel', { level: 'error' }) });
  expect(body).toContain('-32602');
  expect(body).toContain('without a session');
  await serving.close();
});

test('without sessions nothing is declared that could not be kept', async () => {
  const surface = { ...fakeApplication({}), service: fullService() };
  const serving = await serveHttp(surface, { port: 0, sessions: false, json: true });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '0' },
  };
  const { body } = await send(serving.url, { body: message('initialize', params) });
  expect(JSON.parse(body)).toMatchObject({
    result: { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} } },
  });
  expect(body).not.toMatch(/listChanged|subscribe|logging/);
  await serving.close();
});

@Module({})
class EmptyModule {}

test('a malformed initialize is refused in one sentence, over any transport', async () => {
  const app = await McpApplication.create(EmptyModule);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await app.connect(far);
  const answered = new Promise<unknown>((resolve) => {
    near.onmessage = resolve;
  });
  await near.start();
  await near.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { capabilities: 3 },
  });
  expect(await answered).toMatchObject({
    error: {
      code: -32602,
      message: expect.stringMatching(/^initialize was called .*protocolVersion.*clientInfo/),
    },
  });
  await app.close();
});
