import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { IsString } from 'class-validator';
import { Action, Destructive, Idempotent, Module, Scopes, ToolContext, ToolGroup } from 'toolwright';
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
