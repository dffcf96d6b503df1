import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  Action,
  createTool,
  Destructive,
  McpApplication,
  Module,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { testVerifier, tokenOf } from '../support/callers.ts';
import { envelope, post2026 } from '../support/client-of-2026.ts';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { codeOf, errorFacts, gate, replayOf } from '../support/payments.ts';
import { hooks, ran, ThingsModule } from '../support/things.ts';

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  ran.length = 0;
  hooks.during = () => undefined;
  for (const one of closing.splice(0)) await one.close();
});

type Answer = Readonly<Record<string, unknown>>;
const YES: Answer = { action: 'accept', content: { agreed: true } };

const acknowledgedBy = ({ _meta: meta }: CallToolResult): unknown => meta?.['toolwright/consent'];

describe.each(CONNECTIONS.filter(({ canBeAsked }) => canBeAsked))('over $name', (kind) => {
  async function connected(answers: (question: Answer) => Answer | Promise<Answer>) {
    const app = await createConnectedApplication(kind, ThingsModule, {
      auth: false,
      logger: new MemoryLogger(),
    });
    closing.push(app);
    const questions: string[] = [];
    const client = await app.connect({
      onElicitation: (question) => {
        questions.push(String(question['message']));
        return answers(question);
      },
    });
    const call = async (action: string, args: object = {}): Promise<CallToolResult> =>
      (await client.callTool({ name: 'things', arguments: { action, ...args } })) as CallToolResult;
    return { app, call, questions };
  }

  test('a person who agrees lets the call run once', async () => {
    const { call, questions } = await connected(() => YES);
    const result = await call('delete', { id: 1 });
    expect(result.content).toEqual([{ type: 'text', text: 'deleted' }]);
    expect(acknowledgedBy(result)).toEqual({ acknowledged: 'elicitation' });
    expect(ran).toEqual(['delete 1']);
    expect(questions).toEqual([
      'Allow "delete" of "things"? You may not be able to undo it.\ncopies: 1\nid: 1',
    ]);
  });

  test.each<[string, Answer]>([
    ['refuses', { action: 'decline' }],
    ['closes the form', { action: 'cancel' }],
    ['leaves the box empty', { action: 'accept', content: { agreed: false } }],
  ])('nothing is done for a person who %s', async (_what, answer) => {
    const { call } = await connected(() => answer);
    const result = await call('delete', { id: 1 });
    expect(codeOf(result)).toBe('CONSENT_DECLINED');
    expect(errorFacts(result)).not.toHaveProperty('retryAfter');
    expect(ran).toEqual([]);
  });

  test('what the handler asks afterwards needs no new consent', async () => {
    const { call, questions } = await connected(({ message }) =>
      message === 'How many?' ? { action: 'accept', content: { count: 3 } } : YES,
    );
    expect((await call('count', { id: 1 })).content).toEqual([{ type: 'text', text: '3' }]);
    expect([questions.length, ran]).toEqual([2, ['count']]);
  });

  test('an answer after five minutes is too late', async () => {
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const { call } = await connected(() => {
      now += 5 * 60_000 + 1;
      return YES;
    });
    expect(codeOf(await call('delete', { id: 1 }))).toBe('CONSENT_EXPIRED');
    expect(ran).toEqual([]);
  });

  test('a stored result is given without a new question', async () => {
    const { call, questions } = await connected(() => YES);
    await call('once', { id: 1 });
    expect(replayOf(await call('once', { id: 1 }))).toMatchObject({ replayed: true });
    expect([questions.length, ran]).toEqual([1, ['once 1']]);
  });

  test('input that is wrong is refused without a question', async () => {
    const { call, questions } = await connected(() => YES);
    expect(codeOf(await call('delete', { id: 'x' }))).toBe('VALIDATION_FAILED');
    expect(questions).toEqual([]);
  });

  test('a client that can ask nobody gets nothing done', async () => {
    const { app } = await connected(() => YES);
    const client = await app.connect();
    const result = await client.callTool({ name: 'things', arguments: { action: 'delete', id: 1 } });
    expect(codeOf(result as CallToolResult)).toBe('CONSENT_UNAVAILABLE');
    expect(ran).toEqual([]);
  });
});

describe('a client of 2026-07-28', () => {
  interface Reply {
    readonly status: number;
    readonly result: CallToolResult & {
      readonly requestState?: string;
      readonly inputRequests?: Readonly<Record<string, object>>;
    };
    readonly error?: { readonly message: string };
  }
  const NAME = 'toolwright/consent';
  const accept = (requestState?: string): object => ({ requestState, inputResponses: { [NAME]: YES } });

  async function served() {
    const auth = { verify: testVerifier };
    const app = await McpApplication.create(ThingsModule, { auth, logger: new MemoryLogger() });
    closing.push(app);
    const { url } = await app.listen(0);
    const send = async (args: object, more: object = {}, who: object = {}): Promise<Reply> => {
      const _meta = envelope({ elicitation: { form: {} } });
      const params = { name: 'things', arguments: args, _meta, ...more };
      const authorization = `Bearer ${tokenOf({ sub: 'ada', scopes: [], ...who })}`;
      const { status, body } = await post2026(url, 'tools/call', params, { authorization });
      return { status, ...(body === '' ? {} : (JSON.parse(body) as object)) } as Reply;
    };
    return { send };
  }

  test('is asked although it sends the answer with its first call', async () => {
    const { send } = await served();
    const { result } = await send({ action: 'delete', id: 1 }, accept());
    expect(Object.keys(result.inputRequests ?? {})).toEqual([NAME]);
    expect(ran).toEqual([]);
  });

  test('cannot use an answer for other arguments, another action, or another person', async () => {
    const { send } = await served();
    const { requestState } = (await send({ action: 'delete', id: 1 })).result;
    for (const [args, who] of [
      [{ action: 'delete', id: 2 }, {}],
      [{ action: 'purge', id: 1 }, {}],
      [{ action: 'delete', id: 1 }, { sub: 'bob' }],
    ] as const) {
      expect((await send(args, accept(requestState), who)).error?.message).toContain('Invalid requestState');
    }
    expect(ran).toEqual([]);
  });

  test('cannot use an answer twice', async () => {
    const { send } = await served();
    const { requestState } = (await send({ action: 'delete', id: 1 })).result;
    const first = await send({ action: 'delete', id: 1 }, accept(requestState));
    const second = await send({ action: 'delete', id: 1 }, accept(requestState));
    expect(second.result).toEqual(first.result);
    expect(ran).toEqual(['delete 1']);
  });

  test('cannot use a consent again after its connection was lost in the handler', async () => {
    const app = await McpApplication.create(ThingsModule, { auth: false, logger: new MemoryLogger() });
    closing.push(app);
    const { url } = await app.listen(0);
    const begun = gate();
    hooks.during = (ctx) => {
      begun.open();
      return new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('cut'))));
    };
    const body = (more: object): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'things',
          arguments: { action: 'delete', id: 1 },
          _meta: envelope({ elicitation: { form: {} } }),
          ...more,
        },
      });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'things',
    };
    const post = (more: object, signal?: AbortSignal): Promise<Response> =>
      fetch(url, { method: 'POST', headers, body: body(more), ...(signal && { signal }) });
    const asked = (await (await post({})).json()) as Reply;
    const cut = new AbortController();
    const lost = post(accept(asked.result.requestState), cut.signal).catch(() => undefined);
    await begun.passed;
    cut.abort();
    await lost;
    const again = (await (await post(accept(asked.result.requestState))).json()) as Reply;
    expect(codeOf(again.result)).toBe('OUTCOME_UNKNOWN');
    expect(ran).toEqual(['delete 1']);
  });

  test('gets 403 if it lost a scope between the question and the answer', async () => {
    const { send } = await served();
    const may = { scopes: ['things:wipe'] };
    const { requestState } = (await send({ action: 'wipe' }, {}, may)).result;
    expect((await send({ action: 'wipe' }, accept(requestState))).status).toBe(403);
    expect(ran).toEqual([]);
  });
});

describe('in the process', () => {
  async function started(options: { readonly replay?: boolean } = {}): Promise<McpApplication> {
    const app = await McpApplication.create(ThingsModule, {
      auth: false,
      logger: new MemoryLogger(),
      ...options,
    });
    closing.push(app);
    return app;
  }

  test.each([false, true])('a call runs where the code agrees to it (replay: %s)', async (replay) => {
    const app = await started({ replay });
    const args = { action: 'delete', id: 1 };
    expect(codeOf(await app.call('things', args))).toBe('CONSENT_UNAVAILABLE');
    expect(ran).toEqual([]);
    expect(acknowledgedBy(await app.call('things', args, { consent: 'granted' }))).toEqual({
      acknowledged: 'policy',
    });
    expect(ran).toEqual(['delete 1']);
  });

  test('the mark alone asks nobody', async () => {
    const result = await (await started()).call('things', { action: 'plain' });
    expect(result.content).toEqual([{ type: 'text', text: 'plain' }]);
    expect(acknowledgedBy(result)).toBeUndefined();
  });

  test('an override asks like the method that it overrides, unless it is read-only', async () => {
    const app = await started();
    expect(codeOf(await app.call('things', { action: 'inherited' }))).toBe('CONSENT_UNAVAILABLE');
    expect((await app.call('things', { action: 'safe' })).isError).toBeUndefined();
  });

  test('a value that there is not keeps the application from starting', async () => {
    @ToolGroup('wrong')
    class Wrong {
      @Action() @Destructive({ confirm: 'maybe' as never }) delete(): void {}
    }
    @Module({ controllers: [Wrong] })
    class WrongModule {}
    await expect(McpApplication.create(WrongModule)).rejects.toThrow('confirm');
  });

  test('the plain API has the same option', async () => {
    const handler = (): string => 'deleted';
    const tool = createTool('plain')
      .description('Plain')
      .action({ name: 'delete', destructive: { confirm: true }, handler });
    const result = await tool.execute({ action: 'delete' });
    expect(codeOf(result)).toBe('CONSENT_UNAVAILABLE');
  });
});
