import { describe, expect, jest, test } from '@jest/globals';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RequestContext } from '../../src/call/request-context.ts';
import { attachService } from '../../src/attach/attach-service.ts';
import type { RequestHandler } from '../../src/attach/server-target.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { attachedClient } from '../support/attached-client.ts';
import { fakePrompts, fullService } from '../support/fake-service.ts';
import { latch, toolsOnly, type FakeTool } from '../support/fake-application.ts';

const FORM = {
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
};

const ask: FakeTool = async (_args, exchange) =>
  JSON.stringify(await exchange.request('elicitation/create', FORM));

/** A tool that gives what asking the client threw. */
function failing(thrown: unknown[]): FakeTool {
  return async (_args, exchange) => {
    await exchange.request('elicitation/create', FORM).catch((error: unknown) => thrown.push(error));
    return 'failed';
  };
}

describe('a client of the SDK', () => {
  test('answers what a call asks', async () => {
    const { client } = await attachedClient(fullService({ fakeTools: { ask } }), { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: 'accept',
      content: { ok: params.message === 'Sure?' },
    }));
    expect(await client.callTool({ name: 'ask' })).toMatchObject({
      content: [{ text: '{"action":"accept","content":{"ok":true}}' }],
    });
  });

  test('answers what a prompt asks', async () => {
    const { client } = await attachedClient(
      fullService({
        prompts: {
          ...fakePrompts({}),
          get: async (_name, _args, exchange) => ({
            description: JSON.stringify(await exchange.request('roots/list', {})),
            messages: [],
          }),
        },
      }),
      { roots: {} },
    );
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///a' }] }));
    expect((await client.getPrompt({ name: 'x' })).description).toBe('{"roots":[{"uri":"file:///a"}]}');
  });

  test('that refuses gives an error without its code and data', async () => {
    const thrown: unknown[] = [];
    const { client } = await attachedClient(fullService({ fakeTools: { ask: failing(thrown) } }), {
      elicitation: {},
    });
    client.setRequestHandler(ElicitRequestSchema, () => {
      throw Object.assign(new Error('not now'), { code: -32001, data: { secret: 1 } });
    });
    await client.callTool({ name: 'ask' });
    expect(thrown[0]).toMatchObject({ message: 'The client gave no answer to elicitation/create: not now' });
    expect(Object.keys(thrown[0] as object)).toEqual([]);
    expect(ToolError.is(thrown[0])).toBe(false);
  });

  test('is notified that a question is void when it cancels the call, and only then', async () => {
    const asked = latch();
    const seen: unknown[] = [];
    const settled = latch();
    const { client } = await attachedClient(
      fullService({
        fakeTools: {
          ask: async (_args, exchange) => {
            await exchange.request('ping', {});
            await exchange.request('elicitation/create', FORM).catch((error: unknown) => seen.push(error));
            settled.open();
            return 'late';
          },
        },
      }),
      { elicitation: {} },
    );
    const voided = latch();
    client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => {
      signal.addEventListener('abort', () => {
        voided.open();
      });
      asked.open();
      return new Promise(() => undefined);
    });
    const errors: unknown[] = [];
    client.onerror = (error) => void errors.push(error);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'ask' }, undefined, { signal: cancel.signal });
    await asked.promise;
    cancel.abort();
    await expect(call).rejects.toThrow();
    await Promise.all([voided.promise, settled.promise]);
    expect(seen).toMatchObject([{ message: expect.stringContaining('the call was cancelled') }]);
    expect(errors).toEqual([]);
  });

  test('that goes away leaves no call waiting', async () => {
    const thrown: unknown[] = [];
    const ended = latch();
    const asked = latch();
    const { client } = await attachedClient(
      fullService({
        fakeTools: {
          ask: async (args, exchange) => {
            await failing(thrown)(args, exchange);
            ended.open();
          },
        },
      }),
      { elicitation: {} },
    );
    client.setRequestHandler(ElicitRequestSchema, () => {
      asked.open();
      return new Promise(() => undefined);
    });
    const call = client.callTool({ name: 'ask' }).catch(() => 'closed');
    await asked.promise;
    await client.close();
    await Promise.all([ended.promise, call]);
    expect(thrown).toMatchObject([{ message: expect.stringContaining('gave no answer') }]);
  });
});

/** The exchange that a hand-made server gives to a call. */
async function exchangeOf(server: object, extra: unknown): Promise<RequestContext> {
  const handlers = new Map<string, RequestHandler>();
  let exchange: RequestContext | undefined;
  const target = {
    ...server,
    projectCallToolResult: () => undefined,
    setRequestHandler: (method: string, _schemas: object, handler: RequestHandler) =>
      handlers.set(method, handler),
  };
  const note: FakeTool = (_args, given) => {
    exchange = given;
    // After its answer a call can ask no more
    return new Promise(() => undefined);
  };
  attachService(target, toolsOnly({ note }));
  void handlers.get('tools/call')?.({ name: 'note' }, extra);
  await new Promise(setImmediate);
  if (exchange === undefined) throw new Error('no call arrived');
  return exchange;
}

const known = { getClientCapabilities: () => ({ elicitation: {} }) };
const unknown = { getClientCapabilities: () => undefined };

describe('a connection that carries no requests', () => {
  const send = jest.fn();
  const v1 = { sendRequest: send };
  const v2 = { mcpReq: { send } };

  test.each([
    ['without an initialize, SDK v1', unknown, v1],
    ['without an initialize, SDK v2', unknown, v2],
    ['of a server without the means, SDK v1', known, {}],
    ['of a server without the means, SDK v2', known, { mcpReq: {} }],
  ])('%s refuses at once', async (_name, server, extra) => {
    const exchange = await exchangeOf(server, extra);
    const failure: unknown = await exchange.request('elicitation/create', FORM).catch((e: unknown) => e);
    if (!ToolError.is(failure)) throw failure;
    expect(failure.code).toBe('CLIENT_UNREACHABLE');
    expect(failure.message).toContain('elicitation/create');
    expect(failure.facts.suggestion).toMatch(/stdio.*session/);
    expect(send).not.toHaveBeenCalled();
  });
});

test('SDK v2 sends with the patience that people need', async () => {
  const sent: unknown[] = [];
  const mcpReq = {
    send(this: unknown, request: unknown, { signal, ...options }: { signal: AbortSignal }) {
      sent.push(this === mcpReq, request, options, signal.aborted);
      return Promise.resolve({ action: 'decline' });
    },
  };
  const exchange = await exchangeOf(known, { mcpReq });
  expect(await exchange.request('elicitation/create', FORM)).toEqual({ action: 'decline' });
  expect(sent).toEqual([
    true,
    { method: 'elicitation/create', params: FORM },
    { timeout: 600_000, resetTimeoutOnProgress: true, onprogress: expect.any(Function) },
    false,
  ]);
});

test('a call that was aborted before it asks does not wait', async () => {
  const exchange = await exchangeOf(known, {
    signal: AbortSignal.abort(),
    sendRequest: async (_request: unknown, _schema: unknown, { signal }: { signal: AbortSignal }) => {
      signal.throwIfAborted();
    },
  });
  await expect(exchange.request('ping', {})).rejects.toThrow('the call was cancelled');
});
