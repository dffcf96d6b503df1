import { describe, expect, test } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import type { RequestContext } from '../../../src/call/request-context.ts';
import type { GetPromptResult } from '../../../src/call/results.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { ToolError } from '../../../src/errors/tool-error.ts';
import { createPromptService } from '../../../src/runtime/primitives/prompts.ts';
import type { PromptService } from '../../../src/runtime/routes/service-parts.ts';
import type { ServiceOptions } from '../../../src/runtime/primitives/primitives.ts';
import type { ScannedPrompt } from '../../../src/scanner/prompts/scan-prompts.ts';
import { callIn } from '../../support/call-of.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import {
  compilePrompt,
  failureOf,
  fakeRequest,
  fakeResolver,
  method,
  run,
  scannedPrompt,
  sendTo,
  serviceOptions,
} from '../../support/primitives.ts';

class Review {
  @IsString() language!: string;
  @IsInt() depth = 1;
}

function serve(
  prompts: readonly ScannedPrompt[],
  options: Partial<ServiceOptions> = {},
  resolver = fakeResolver(),
) {
  const compiled = prompts.map((prompt) => compilePrompt(prompt, resolver));
  return served(createPromptService(() => compiled, serviceOptions(options)));
}

/** A service with a way to get its prompts. */
function served(service: PromptService) {
  const send = sendTo({ prompts: service });
  const get = (name: string, args: unknown, exchange: RequestContext): Promise<GetPromptResult> =>
    send('prompts/get', { name, arguments: args }, exchange);
  return { ...service, get };
}

function throwing(thrown: unknown, options: Partial<ServiceOptions> = {}, exchange = fakeRequest()) {
  const handler = run(() => {
    throw thrown;
  });
  return failureOf(serve([scannedPrompt('review', { handler })], options).get('review', {}, exchange));
}

const exchange = fakeRequest();

describe('getting a prompt', () => {
  test('runs the handler with its converted input and the context', async () => {
    const handler = run(
      (input: Review, { requestId }: ToolContext) => `${input.language} ${input.depth + 1} ${requestId}`,
    );
    const service = serve([scannedPrompt('review', { input: Review, handler })]);
    expect(await service.get('review', { language: 'ts', depth: '2' }, exchange)).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'ts 3 request-1' } }],
    });
  });

  test('runs middleware as a prompt, around the unconverted value', async () => {
    const seen: unknown[] = [];
    const middleware = {
      kind: 'function',
      run: async ({ kind, name, tool, action }: Record<string, unknown>, next: () => Promise<string>) => {
        seen.push([kind, name, tool, action]);
        return (await next()).toUpperCase();
      },
    } as const;
    const service = serve([scannedPrompt('review', { middleware: [middleware as never] })]);
    expect(await service.get('review', undefined, exchange)).toMatchObject({
      messages: [{ content: { text: 'REVIEW' } }],
    });
    expect(seen).toEqual([['prompt', 'review', undefined, undefined]]);
  });

  test('gives every call of a request-scoped controller its own instance', async () => {
    const scopes = { opened: 0, closed: 0 };
    const resolver = fakeResolver({ get(this: { number: number }) { return String(this.number); } }, scopes); // oxfmt-ignore
    const service = serve([scannedPrompt('review', { handler: method('get') })], {}, resolver);
    const texts = await Promise.all([1, 2].map(() => service.get('review', {}, exchange)));
    expect(JSON.stringify(texts)).toMatch(/"1".*"2"/);
    expect(scopes).toEqual({ opened: 2, closed: 2 });
  });
});

describe('a filter', () => {
  const prompts = [scannedPrompt('open', { tags: ['public'] }), scannedPrompt('hidden', { tags: ['admin'] })];
  const service = serve(prompts, { filter: { exclude: ['admin'] } });

  test('hides from the list', () => {
    expect(service.list(callIn(exchange))).toEqual([expect.objectContaining({ name: 'open' })]);
    expect(service.list(callIn(exchange))).toBe(service.list(callIn(exchange)));
    expect(Object.isFrozen(service.list(callIn(exchange)))).toBe(true);
  });

  test('hides from get: what is hidden answers like what does not exist', async () => {
    const [hidden, unknown] = await Promise.all(
      ['hidden', 'absent'].map((name) => failureOf(service.get(name, {}, exchange))),
    );
    expect(hidden?.message).toBe('Unknown prompt "hidden". Available: open');
    expect(unknown?.message).toBe('Unknown prompt "absent". Available: open');
    expect([hidden?.code, hidden?.data]).toEqual([unknown?.code, unknown?.data]);
  });

  test('is applied to a later list of prompts, too', () => {
    let compiled = prompts.slice(0, 1).map((prompt) => compilePrompt(prompt, fakeResolver()));
    const changing = createPromptService(() => compiled, serviceOptions());
    expect(changing.list(callIn(exchange))).toHaveLength(1);
    compiled = [];
    expect(changing.list(callIn(exchange))).toHaveLength(0);
  });
});

describe('what fails', () => {
  test('an unknown name, with the nearest one', async () => {
    const service = serve([scannedPrompt('review'), scannedPrompt('explain')]);
    expect(await failureOf(service.get('reviwe', {}, exchange))).toEqual({
      code: -32602,
      message: 'Unknown prompt "reviwe". Available: review, explain',
      data: { suggestion: 'review', available: ['review', 'explain'] },
    });
    expect(await failureOf(service.get('constructor', {}, exchange))).toMatchObject({ code: -32602 });
  });

  test('wrong arguments, all of them named', async () => {
    const service = serve([scannedPrompt('review', { input: Review })]);
    expect(await failureOf(service.get('review', { depth: 'deep', deph: '1' }, exchange))).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Validation failed: .*language.*depth.*deph: unknown field/),
      data: {
        code: 'VALIDATION_FAILED',
        issues: [
          { path: 'language', received: 'nothing' },
          { path: 'depth', received: 'string "deep"' },
          { path: 'deph', suggestion: 'depth', accepted: ['language', 'depth'] },
        ],
      },
    });
  });

  test.each([[[]], ['text']])('arguments that are no object: %j', async (args) => {
    const service = serve([scannedPrompt('review')]);
    expect(await failureOf(service.get('review', args, exchange))).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^arguments must be an object of strings, but is /),
    });
  });

  test('an undeclared error, with its message and nothing else of it', async () => {
    const thrown = Object.assign(new Error('disk full'), { code: 404, data: { secret: 1 }, cause: 'why' });
    const logger = new MemoryLogger();
    expect(await throwing(thrown, { logger })).toEqual({
      code: -32603,
      message: '[prompt review] disk full',
      data: { code: 'INTERNAL_ERROR' },
    });
    expect(logger.records).toMatchObject([
      { event: 'call.failed', message: 'prompt review failed: disk full', error: thrown },
    ]);
  });

  test.each([[undefined], [null], ['text'], [Symbol('s')]])('a throw of %p', async (thrown) => {
    expect(await throwing(thrown)).toMatchObject({ code: -32603 });
  });

  test('a masked error, which the log has whole', async () => {
    const logger = new MemoryLogger();
    const { message, data } = await throwing(new Error('secret'), { logger, maskErrors: true });
    const reference: unknown = data?.['reference'];
    expect(message).toBe(`[prompt review] The prompt failed. Reference: ${String(reference)}`);
    expect(data).toEqual({ code: 'INTERNAL_ERROR', reference });
    expect(logger.records).toMatchObject([{ reference, message: expect.stringContaining('secret') }]);
  });

  test('a declared error, with its facts and without its cause', async () => {
    const thrown = new ToolError('CLOSED', 'It is closed', {
      suggestion: 'reopen it',
      details: { id: 7n, also: 1 },
      retryAfter: 3,
      cause: new Error('secret'),
    });
    expect(await throwing(thrown, { maskErrors: true })).toEqual({
      code: -32603,
      message: '[prompt review] It is closed',
      data: { code: 'CLOSED', suggestion: 'reopen it', retryAfter: 3 },
    });
    const sendable = new ToolError('CLOSED', 'It is closed', { details: { id: 7 } });
    expect(await throwing(sendable)).toMatchObject({ data: { code: 'CLOSED', details: { id: 7 } } });
  });

  test.each([
    [-32602, -32602],
    [-32002, -32002],
    [-32019, -32019],
    [-32100, -32100],
    [7, 7],
    [-32020, -32603],
    [-32042, -32603],
    [-32099, -32603],
    [1.5, -32603],
    [NaN, -32603],
    ['404' as never, -32603],
  ])('a ProtocolError of code %p passes with code %p', async (code, expected) => {
    const logger = new MemoryLogger();
    const thrown = new ProtocolError(code, 'No', { a: 1, date: new Date(0) });
    expect(await throwing(thrown, { maskErrors: true, logger })).toEqual({
      code: expected,
      message: 'No',
      data: { a: 1, date: '1970-01-01T00:00:00.000Z' },
    });
    expect(logger.records).toEqual([]);
  });

  test('a ProtocolError whose data JSON cannot carry', async () => {
    expect(await throwing(new ProtocolError(1, 'No', { a: 1n }))).toEqual({
      code: 1,
      message: 'No',
      data: undefined,
    });
  });

  test('a cancelled call', async () => {
    expect(await throwing(new Error('aborted'), {}, fakeRequest(AbortSignal.abort()))).toEqual({
      code: -32603,
      message: '[prompt review] The call was cancelled',
      data: { code: 'CANCELLED' },
    });
  });

  test('a value that is not a message', async () => {
    const logger = new MemoryLogger();
    const service = serve([scannedPrompt('review', { handler: run(() => 7) })], { logger });
    expect(await failureOf(service.get('review', {}, exchange))).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^\[prompt review\] .*userMessage\(\)/),
      data: { code: 'INVALID_OUTPUT', issues: [{ path: '' }] },
    });
    expect(logger.records).toMatchObject([{ level: 'error', event: 'call.invalid-output' }]);
  });

  test('a context that cannot be made', async () => {
    const contextOf = () => {
      throw new Error('no context');
    };
    const service = serve([scannedPrompt('review')], { contextOf });
    expect(await failureOf(service.get('review', {}, exchange))).toMatchObject({
      code: -32603,
      message: '[prompt review] no context',
    });
  });
});
