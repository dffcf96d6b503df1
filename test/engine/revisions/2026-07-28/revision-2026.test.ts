import { describe, expect, test } from '@jest/globals';
import { fakeApplication, latch, type FakeTool } from '../../../support/fake-application.ts';
import { fullService } from '../../../support/fake-service.ts';
import { envelope, headers2026, message2026, post2026 } from '../../../support/client-of-2026.ts';
import { send } from '../../../support/raw-http.ts';
import { finishingTool, serve } from '../../../support/http-server.ts';
import { rawConnection } from '../../../support/connections-2026.ts';

const retry: FakeTool = (_args, exchange) => JSON.stringify(exchange.retry);

describe('the answers of a client that calls again', () => {
  const answer = { action: 'accept', content: {} };
  const inputResponses = { one: answer, two: { result: answer }, three: { method: 'x' }, four: 'text' };

  test('reach the call as results only: anything else is asked for again', async () => {
    const { send: post, next } = await rawConnection({ retry });
    await post(message2026('tools/call', { name: 'retry', requestState: undefined, inputResponses }));
    const expected = JSON.stringify({ inputResponses: { one: answer } });
    expect(await next()).toMatchObject({ result: { content: [{ text: expected }] } });
  });

  test.each([
    ['a state that is not a text', { requestState: 5 }, 'requestState must be a string'],
    ['answers that are no object', { inputResponses: [answer] }, 'inputResponses must be an object'],
  ])('are refused with %s', async (_name, params, reason) => {
    const { url } = await serve({}, { retry });
    const { status, error } = await post2026(url, 'tools/call', { name: 'retry', ...params });
    expect([status, error]).toEqual([200, { code: -32602, message: `Invalid params: ${reason}` }]);
  });

  test('mean nothing to a method that never asks', async () => {
    const { url } = await serve({}, { retry });
    const { body } = await post2026(url, 'tools/list', { requestState: 5, inputResponses: 'none' });
    expect(JSON.parse(body)).toMatchObject({ result: { tools: [{ name: 'retry' }] } });
  });
});

describe('what is wrong with an envelope is said by name', () => {
  const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

  test.each([
    ['a member', { [CAPABILITIES]: undefined }, CAPABILITIES, 'is missing'],
    ['a member of a member', { [CAPABILITIES]: { roots: 1 } }, `${CAPABILITIES}.roots`, 'must be an object'],
    [
      'a name that a client made up',
      { [CAPABILITIES]: { extensions: { ['x'.repeat(500)]: 1 } } },
      `${CAPABILITIES}.extensions.${'x'.repeat(100)}`,
      'must be an object',
    ],
  ])('%s', async (_name, others, key, problem) => {
    const { send: post, next } = await rawConnection();
    await post(message2026('tools/list', { _meta: envelope({}, others) }));
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32602,
        message: `Invalid params: _meta ${key} ${problem}`,
        data: { envelope: { key, problem } },
      },
    });
  });

  test('all members that are missing at once', async () => {
    const { url } = await serve();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: {} } });
    const response = await send(url, { headers: headers2026('tools/list'), body });
    const missing = ['io.modelcontextprotocol/protocolVersion', CAPABILITIES];
    expect([response.status, response.error]).toMatchObject([400, { data: { envelope: { missing } } }]);
  });
});

describe('a connection of 2026-07-28', () => {
  test('runs one request of an id at a time', async () => {
    const { wait, started, finish } = finishingTool();
    const { send: post, next } = await rawConnection({ wait });
    await post(message2026('tools/call', { name: 'wait' }, 7));
    await started;
    await post(message2026('tools/list', {}, 7));
    expect(await next()).toMatchObject({ id: 7, error: { code: -32600 } });
    finish();
    expect(await next()).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
    await post(message2026('tools/list', {}, 7));
    expect(await next()).toMatchObject({ id: 7, result: { tools: [{}] } });
  });

  test.each([0, '', -1])('answers and cancels a request with the id %j', async (id) => {
    const [started, aborted] = [latch(), latch()];
    const wait: FakeTool = async (_args, { signal }) => {
      signal.addEventListener('abort', () => aborted.open());
      started.open();
      await aborted.promise;
    };
    const { send: post, next, received } = await rawConnection({ wait });
    await post(message2026('tools/call', { name: 'wait' }, id));
    await started.promise;
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    await aborted.promise;
    await post(message2026('tools/list', {}, id));
    expect(await next()).toMatchObject({ id, result: {} });
    expect(received).toEqual([]);
  });

  test('keeps no more than 1000 subscriptions', async () => {
    const { send: post, next, received, serving } = await rawConnection();
    const notifications = { toolsListChanged: true };
    for (let id = 0; id < 1001; id += 1)
      await post(message2026('subscriptions/listen', { notifications }, id));
    for (let id = 0; id < 1000; id += 1) {
      expect(await next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    }
    expect(await next()).toMatchObject({ id: 1000, error: { code: -32000 } });
    serving.notify({ kind: 'tools' });
    expect(received).toHaveLength(1000);
  });

  test('knows nothing of an application without parts', async () => {
    const { url } = await serve(
      {},
      {},
      { ...fakeApplication({}), service: fullService({ tools: undefined }) },
    );
    const call = await post2026(url, 'tools/call', { name: 'echo' });
    expect([call.status, call.error?.code]).toEqual([404, -32601]);
    const { body } = await post2026(url, 'server/discover');
    const { result } = JSON.parse(body) as { result: { capabilities: object } };
    expect(Object.keys(result.capabilities)).toEqual(['logging', 'prompts', 'resources', 'completions']);
  });
});

describe('a filter of a subscription', () => {
  test.each([
    ['that is missing', undefined, 'notifications must be an object that says what to listen to'],
    ['that is a list', [], 'notifications must be an object that says what to listen to'],
    [
      'with a text for a boolean',
      { toolsListChanged: 'yes' },
      'notifications.toolsListChanged must be true or false',
    ],
    [
      'with one URI in place of a list',
      { resourceSubscriptions: 'memo:one' },
      'notifications.resourceSubscriptions must be a list of URIs',
    ],
    [
      'with a number among the URIs',
      { resourceSubscriptions: ['memo:one', 1] },
      'notifications.resourceSubscriptions must be a list of URIs',
    ],
  ])('%s is refused', async (_name, notifications, reason) => {
    const { url } = await serve();
    const { status, error } = await post2026(url, 'subscriptions/listen', { notifications });
    expect([status, error]).toEqual([400, { code: -32602, message: `Invalid params: ${reason}` }]);
  });

  test('that asks for nothing is granted, and ends at once', async () => {
    const { url } = await serve();
    const { body } = await post2026(url, 'subscriptions/listen', { notifications: {} });
    const [first, last] = body.split('\n').filter((line) => line.startsWith('data: '));
    const meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
    expect(JSON.parse(first!.slice(6))).toMatchObject({ params: { notifications: {}, _meta: meta } });
    expect(JSON.parse(last!.slice(6))).toMatchObject({
      id: 1,
      result: { resultType: 'complete', _meta: meta },
    });
  });
});
