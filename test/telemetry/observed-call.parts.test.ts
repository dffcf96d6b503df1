import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { IsString } from 'class-validator';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Action,
  Destructive,
  Idempotent,
  McpApplication,
  Middleware,
  Module,
  Scopes,
  ToolContext,
  ToolGroup,
  type MiddlewareCall,
  type MiddlewareFunction,
  type MiddlewareObject,
  type Next,
} from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { createAppWithCallers, type AppWithCallers } from '../support/callers.ts';
import { envelope } from '../support/client-of-2026.ts';
import { Observatory } from '../support/open-telemetry.ts';

class Name {
  @IsString() name!: string;
}

@ToolGroup('files')
class FileTools {
  @Action('Removes') @Destructive({ confirm: 'twice' }) @Scopes('files') remove({ name }: Name): string {
    return `removed ${name}`;
  }
  @Action('Fails') @Scopes('files') fail(_input: Name): never {
    throw new Error('jammed');
  }
  @Action('Pays') @Idempotent({ key: 'idempotencyKey' }) pay({ name }: Name): string {
    return `paid ${name}`;
  }
  @Action('Asks') async ask(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Name, 'Which one?')).action;
  }
}
@Module({ controllers: [FileTools] })
class FileModule {}

const sky = new Observatory();
let served: AppWithCallers;
beforeAll(async () => {
  const { tracerProvider, meterProvider } = sky;
  const spans = ['authorize', 'validate', 'consent', 'handler'] as const;
  const telemetry = openTelemetry({ tracerProvider, meterProvider, spans });
  served = await createAppWithCallers(FileModule, {}, { telemetry });
});
afterAll(async () => {
  await served.app.close();
  await sky.close();
});

interface Called {
  readonly result: Readonly<Record<string, unknown>>;
  readonly call: ReadableSpan | undefined;
  readonly parts: readonly ReadableSpan[];
}

async function call(args: object, scopes: readonly string[] = ['files']): Promise<Called> {
  sky.takeSpans();
  const params = { name: 'files', arguments: args, _meta: envelope({ elicitation: {} }) };
  const { body } = await served.ask({ sub: 'ada', scopes }, 'tools/call', params);
  const spans = sky.takeSpans();
  const parts = spans.filter(({ name }) => name.startsWith('toolwright.'));
  const whole = spans.find(({ name }) => name === 'tools/call files');
  const { result = {} } = JSON.parse(body) as { readonly result?: Called['result'] };
  return { result, call: whole, parts };
}

const namesOf = ({ parts }: Called): readonly string[] => parts.map(({ name }) => name).sort();

test('every part that is asked for is a child of the call', async () => {
  const first = await call({ action: 'remove', name: 'a' });
  expect(namesOf(first)).toEqual([...['toolwright.authorize', 'toolwright.consent', 'toolwright.validate']]);
  const confirmation = confirmationOf(first.result);
  const second = await call({ action: 'remove', name: 'a', confirmation });
  expect(namesOf(second)).toEqual([
    ...['toolwright.authorize', 'toolwright.consent', 'toolwright.handler', 'toolwright.validate'],
  ]);
  for (const { call: whole, parts } of [first, second]) {
    for (const { kind, parentSpanContext } of parts)
      expect([kind, parentSpanContext?.spanId]).toEqual([SpanKind.INTERNAL, whole?.spanContext().spanId]);
  }
  expect(second.call?.attributes['toolwright.consent.kind']).toBe('twice');
  expect(first.call?.attributes).not.toHaveProperty(['toolwright.consent.kind']);
});

function confirmationOf(result: Called['result']): unknown {
  const { _meta: meta } = result as { readonly _meta?: { readonly 'toolwright/error'?: object } };
  return (meta?.['toolwright/error'] as { details?: { confirmation?: unknown } }).details?.confirmation;
}

test('the part that fails has the status of an error, and a part that is not entered has no span', async () => {
  const failed = await call({ action: 'fail', name: 'a' });
  const handler = failed.parts.find(({ name }) => name === 'toolwright.handler');
  expect([handler?.status.code, handler?.events]).toEqual([SpanStatusCode.ERROR, []]);
  const refused = await call({ action: 'remove', name: 'a' }, []);
  expect(namesOf(refused)).toEqual(['toolwright.authorize']);
});

test('a result that is given again says so', async () => {
  const args = { action: 'pay', name: 'a', idempotencyKey: 'once' };
  const { call: first } = await call(args);
  const { call: again } = await call(args);
  expect(first?.attributes).not.toHaveProperty(['toolwright.idempotency.replayed']);
  expect(again?.attributes['toolwright.idempotency.replayed']).toBe(true);
});

test('a question is not an error', async () => {
  const { call: asked, result } = await call({ action: 'ask' });
  expect(result['resultType']).toBe('input_required');
  expect(asked?.status.code).toBe(SpanStatusCode.UNSET);
  expect(asked?.attributes['toolwright.result.type']).toBe('input_required');
  expect(asked?.attributes).not.toHaveProperty(['error.type']);
});

class Outer implements MiddlewareObject {
  use(_call: MiddlewareCall, next: Next) {
    return next();
  }
}

const inner: MiddlewareFunction = async (_call, next) => {
  const value = await next();
  await wait(1);
  return value;
};

const refuse: MiddlewareFunction = () => {
  throw new Error('closed');
};

@ToolGroup('gates')
@Middleware(Outer)
class GateTools {
  @Action('Passes') @Middleware(inner, Outer) pass(): string {
    return 'passed';
  }
  @Action('Stops') @Middleware(refuse) stop(): string {
    return 'never';
  }
}
@Module({ controllers: [GateTools], providers: [Outer] })
class GateModule {}

test.each([
  ['with the handler', ['handler', 'middleware'] as const],
  ['alone', ['middleware'] as const],
])('each middleware has a span inside of what runs it, %s', async (_, spans) => {
  const gates = new Observatory();
  const { tracerProvider, meterProvider } = gates;
  const app = await McpApplication.create(GateModule, {
    name: 'gates',
    telemetry: openTelemetry({ tracerProvider, meterProvider, spans }),
  });
  await app.call('gates', { action: 'pass' });
  const made = gates.takeSpans();
  const named = new Map(made.map((span) => [span.spanContext().spanId, span]));
  const wayOf = (span: ReadableSpan | undefined): readonly string[] =>
    span === undefined ? [] : [...wayOf(named.get(span.parentSpanContext?.spanId ?? '')), span.name];
  const ways = made.map((span) => wayOf(span).join(' > ')).sort();
  const call = spans.length === 1 ? 'tools/call gates' : 'tools/call gates > toolwright.handler';
  const outer = `${call} > toolwright.middleware Outer`;
  expect(ways).toEqual([
    'tools/call gates',
    ...(spans.length === 1 ? [] : [call]),
    outer,
    `${outer} > toolwright.middleware inner`,
    `${outer} > toolwright.middleware inner > toolwright.middleware Outer`,
  ]);

  await app.call('gates', { action: 'stop' });
  const failed = gates.takeSpans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
  expect(failed.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['toolwright.middleware refuse', 'toolwright.middleware Outer']),
  );
  await app.close();
  await gates.close();
});
