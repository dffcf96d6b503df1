import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  isSuspension,
  Module,
  ToolContext,
  ToolGroup,
  type CallToolResult,
  type LocalCallOptions,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Name {
  @IsString() name!: string;
}

let sent: string[] = [];

@ToolGroup('mail')
class MailTools {
  /** What an author has to find in a test: the mail is sent again with the answer. */
  @Action() async careless(ctx: ToolContext): Promise<string> {
    sent.push('mail');
    return (await ctx.ask(Name, 'Who?')).action;
  }

  @Action() async careful(ctx: ToolContext): Promise<string> {
    await ctx.step('send', () => void sent.push('mail'));
    return (await ctx.ask(Name, 'Who?')).action;
  }

  @Action() async timed(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Name, `Who, at ${String(sent.push('looked'))}?`)).action;
  }

  @Action() async swallowing(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Name, 'Who?').catch((error: unknown) => {
      sent.push(isSuspension(error) ? 'suspended' : String((error as { code?: unknown }).code));
      return { action: 'failed' };
    });
    return answer.action;
  }

  @Action() async *reporting(ctx: ToolContext): AsyncGenerator<string, string> {
    yield 'one';
    yield 'two';
    const { action } = await ctx.ask(Name, 'Who?');
    yield 'three';
    return action;
  }

  @Action() async insatiable(ctx: ToolContext): Promise<never> {
    for (let number = 1; ; number += 1) await ctx.ask(Name, `Who is number ${String(number)}?`);
  }
}

@Module({ controllers: [MailTools] })
class MailModule {}

const logger = new MemoryLogger();
let app: TestApplication;

beforeEach(async () => {
  sent = [];
  logger.records.length = 0;
  app = await createTestApplication(MailModule, { logger });
});
afterEach(() => app.close());

const ANSWERING: LocalCallOptions = {
  client: { capabilities: { elicitation: {} } },
  onRequest: () => ({ action: 'accept', content: { name: 'Ada' } }),
};

const call = (action: string, options = ANSWERING): Promise<CallToolResult> =>
  app.call('mail', { action }, options);

describe('a test application', () => {
  test('runs a handler again for each answer, so that what is done twice shows', async () => {
    expect(textOf(await call('careless'))).toBe('accept');
    expect(sent).toEqual(['mail', 'mail']);
  });

  test('does a step once', async () => {
    expect(textOf(await call('careful'))).toBe('accept');
    expect(sent).toEqual(['mail']);
  });

  test('does so for clients, too', async () => {
    const client = await app.connect({
      onElicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
    });
    const result = await client.callTool({ name: 'mail', arguments: { action: 'careless' } });
    expect(textOf(result as CallToolResult)).toBe('accept');
    expect(sent).toEqual(['mail', 'mail']);
  });

  test('waits for the answer when it is asked to', async () => {
    const waiting = await createTestApplication(MailModule, { replay: false, logger });
    expect(textOf(await waiting.call('mail', { action: 'careless' }, ANSWERING))).toBe('accept');
    expect(sent).toEqual(['mail']);
    await waiting.close();
  });

  test('reports a handler that asks with other words', async () => {
    const result = await call('timed');
    expect(factsOf(result)).toMatchObject({ code: 'REPLAY_DIVERGED', tool: 'mail' });
    const [{ message } = { message: '' }] = logger.records.filter(({ level }) => level === 'error');
    expect(message).toContain('("Who, at 2?") where it had asked elicitation "elicitation-1" ("Who, at 1?")');
  });

  test('does not let a handler catch that it has to wait', async () => {
    expect(textOf(await call('swallowing'))).toBe('accept');
    expect(sent).toEqual(['suspended']);
  });

  test('gives a handler the error of a question that failed, as often as it runs', async () => {
    const { client } = ANSWERING;
    expect(textOf(await call('swallowing', { ...(client && { client }) }))).toBe('failed');
    expect(sent).toEqual(['suspended', 'CLIENT_UNREACHABLE']);
  });

  test('ends a call that is cancelled while the client thinks', async () => {
    const controller = new AbortController();
    const onRequest = (): Promise<never> => {
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const result = await call('careful', { ...ANSWERING, onRequest, signal: controller.signal });
    expect(factsOf(result)).toMatchObject({ code: 'CANCELLED' });
  });

  test('lets progress increase over all runs', async () => {
    const progress: unknown[] = [];
    const onNotification = (_method: string, params: Readonly<Record<string, unknown>>): void => {
      progress.push(params['progress']);
    };
    const result = await call('reporting', { ...ANSWERING, meta: { progressToken: 1 }, onNotification });
    expect(textOf(result)).toBe('accept');
    expect(progress).toEqual([1, 2, 3]);
  });

  test('ends a handler that never stops asking', async () => {
    expect(factsOf(await call('insatiable'))).toMatchObject({ code: 'REPLAY_DIVERGED' });
    expect(logger.records.at(-1)?.message).toContain('asked something new in each of 100 runs');
  });
});
