import { afterAll, afterEach, expect, test } from '@jest/globals';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { IsString } from 'class-validator';
import fc from 'fast-check';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Action, McpApplication, Module, Sensitive, ToolContext, ToolGroup, type AuthInfo } from 'toolwright';
import { openTelemetry, type OpenTelemetryOptions } from 'toolwright/opentelemetry';
import { client2025, connectHttp } from '../support/client-of-2026.ts';
import { Observatory } from '../support/open-telemetry.ts';
import { message } from '../support/raw-http.ts';
import { TRACE_MODULES } from '../support/trace-modules.ts';
import { ROOT } from '../pins/docs/example.ts';

class Login {
  @IsString() name!: string;
  @IsString() @Sensitive() password!: string;
}
class Sure {
  @IsString() word!: string;
}

const seen: { baggage: string | undefined }[] = [];

@ToolGroup('doors')
class DoorTools {
  @Action('Opens') open({ name, password }: Login): string {
    seen.push({ baggage: propagation.getActiveBaggage()?.getEntry('who')?.value });
    return `opened for ${name} with ${password} and sesame-street`;
  }
  @Action('Asks') async ask(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Sure, 'Sure?')).action;
  }
}
@Module({ controllers: [DoorTools] })
class DoorModule {}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;
const sky = new Observatory();
const { tracerProvider, meterProvider } = sky;
let app: McpApplication;
afterEach(() => app.close());
afterAll(() => sky.close());

async function start(options: OpenTelemetryOptions = {}): Promise<void> {
  const verify = (token: string): AuthInfo => ({
    token,
    clientId: 'desk',
    scopes: [],
    extra: { tenant: 'acme' },
  });
  app = await McpApplication.create(DoorModule, {
    telemetry: openTelemetry({ tracerProvider, meterProvider, ...options }),
    auth: { resource: 'https://mcp.example/mcp', verify: { verify }, default: 'public' },
    redact: { secrets: ['sesame-street'] },
  });
  sky.takeSpans();
}

/** Calls over fetch, with or without a token, and gives the span of the call. */
async function spanOf(
  meta: object,
  headers: Readonly<Record<string, string>> = { authorization: 'Bearer a' },
) {
  const args = { action: 'open', name: 'ada', password: 'open-says-me' };
  const response = await app.fetch(
    new Request('https://mcp.example/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      body: message('tools/call', { name: 'doors', arguments: args, _meta: meta }),
    }),
  );
  expect(await response.text()).toContain('opened for ada');
  return sky.takeSpans().find(({ name }) => name === 'tools/call doors');
}

type Ended = Awaited<ReturnType<typeof spanOf>>;
const parentOf = (span: Ended) => span?.parentSpanContext?.spanId;
const linksOf = (span: Ended) => span?.links.map(({ context: { spanId } }) => spanId);

test('the context in _meta is the parent, and the active span is a link', async () => {
  await start();
  const http = tracerProvider.getTracer('http').startSpan('POST /mcp');
  const around = trace.setSpan(context.active(), http);
  const span = await context.with(around, () => spanOf({ traceparent: TRACEPARENT, tracestate: 'a=1' }));
  expect([parentOf(span), span?.spanContext().traceId]).toEqual([SPAN_ID, TRACE_ID]);
  expect(span?.spanContext().traceState?.serialize()).toBe('a=1');
  expect(linksOf(span)).toEqual([http.spanContext().spanId]);
  const without = await context.with(around, () => spanOf({}));
  expect([parentOf(without), linksOf(without)]).toEqual([http.spanContext().spanId, []]);
});

test('without _meta and an active span, the headers of HTTP are the parent', async () => {
  await start();
  const span = await spanOf({}, { authorization: 'Bearer a', traceparent: TRACEPARENT });
  expect(parentOf(span)).toBe(SPAN_ID);
});

test('an anonymous caller gets a link only, whichever way its context comes', async () => {
  await start();
  for (const [meta, headers] of [
    [{ traceparent: TRACEPARENT, baggage: 'who=me' }, {}],
    [{}, { traceparent: TRACEPARENT }],
  ] as const) {
    const span = await spanOf(meta, headers);
    expect([parentOf(span), linksOf(span)]).toEqual([undefined, [SPAN_ID]]);
    expect(span?.spanContext().traceId).not.toBe(TRACE_ID);
  }
});

test('the option trace makes it a link, or nothing', async () => {
  await start({ trace: 'link' });
  const linked = await spanOf({ traceparent: TRACEPARENT });
  expect([parentOf(linked), linksOf(linked)]).toEqual([undefined, [SPAN_ID]]);
  await app.close();
  await start({ trace: 'ignore' });
  const ignored = await spanOf({ traceparent: TRACEPARENT });
  expect([parentOf(ignored), linksOf(ignored)]).toEqual([undefined, []]);
});

test('baggage reaches handlers only if it is asked for, from callers that are known', async () => {
  const meta = { traceparent: TRACEPARENT, baggage: 'who=ada%20l;since=1, broken, x=%E0' };
  await start();
  await spanOf(meta);
  await app.close();
  await start({ baggage: true });
  await spanOf(meta);
  await spanOf(meta, {});
  await spanOf({ ...meta, baggage: `who=${'x'.repeat(100 * 1024)}` });
  expect(
    seen
      .splice(0)
      .slice(-4)
      .map(({ baggage }) => baggage),
  ).toEqual([undefined, 'ada l', undefined, undefined]);
});

test('what is not a trace context is ignored, and the call runs', async () => {
  await start({ baggage: true });
  const broken = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.tuple(fc.nat(60), fc.string({ minLength: 1, maxLength: 2 })).map(([at, text]) => {
      const changed = TRACEPARENT.slice(0, at) + text + TRACEPARENT.slice(at);
      return changed;
    }),
    fc.constantFrom(
      `ff${TRACEPARENT.slice(2)}`,
      `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
      TRACEPARENT.toUpperCase(),
    ),
  );
  const state = fc.oneof(fc.string({ maxLength: 2000 }), fc.anything());
  await fc.assert(
    fc.asyncProperty(broken, state, state, async (traceparent, tracestate, baggage) => {
      const meta = JSON.parse(JSON.stringify({ traceparent, tracestate, baggage }, withoutBigInts)) as object;
      const span = await spanOf(meta);
      expect([parentOf(span), linksOf(span)]).toEqual([undefined, []]);
    }),
    { numRuns: 100 },
  );
});

const withoutBigInts = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? undefined : value;

test('arguments, results and callers are shown only if they are asked for, and without secrets', async () => {
  await start({ attributes: { arguments: true, result: true, tenant: true, endUserKey: 'a key' } });
  const span = await spanOf({});
  const { 'gen_ai.tool.call.arguments': given, 'gen_ai.tool.call.result': result } = span?.attributes ?? {};
  expect(given).toContain('"name":"ada"');
  expect(result).toContain('opened for ada with [redacted] and [redacted]');
  expect(span?.attributes).toMatchObject({
    'toolwright.tenant': 'acme',
    'enduser.id': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(span?.attributes)).not.toMatch(/open-says-me|sesame/);
});

test('parts of a call have spans where they are wanted', async () => {
  await start({ spans: ['validate', 'handler'] });
  const args = { action: 'open', name: 'ada', password: 'open-says-me' };
  await app.call('doors', args);
  const [validate, handler, call] = sky.takeSpans();
  expect([validate?.name, handler?.name, call?.name]).toEqual([
    'toolwright.validate',
    'toolwright.handler',
    'tools/call doors',
  ]);
  expect([parentOf(validate), parentOf(handler)]).toEqual([
    call?.spanContext().spanId,
    call?.spanContext().spanId,
  ]);
});

test('a question to a 2025 client carries the context of its call', async () => {
  await start();
  const { url } = await app.listen({ port: 0, signals: false });
  const client = client2025({ capabilities: { elicitation: {} } });
  let meta: unknown;
  let open: unknown;
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    meta = params._meta;
    [open] = await sky.seriesOf('toolwright.questions.active');
    return { action: 'decline' };
  });
  await connectHttp(client, url);
  await client.callTool({ name: 'doors', arguments: { action: 'ask' } });
  await client.close();
  const spans = sky.takeSpans();
  const call = spans.find(({ name }) => name === 'tools/call doors')?.spanContext();
  const question = spans.find(({ name }) => name === 'elicitation/create');
  expect(question).toMatchObject({ kind: SpanKind.CLIENT, parentSpanContext: { spanId: call?.spanId } });
  expect(question?.attributes).toMatchObject({
    'mcp.method.name': 'elicitation/create',
    'mcp.protocol.version': '2025-11-25',
    'mcp.session.id': expect.any(String),
    'network.transport': 'tcp',
  });
  const asked = { 'mcp.method.name': 'elicitation/create' };
  expect(open).toMatchObject({ value: 1, attributes: asked });
  expect(await sky.seriesOf('toolwright.questions.active')).toMatchObject([{ value: 0, attributes: asked }]);
  const [taken] = await sky.seriesOf('mcp.client.operation.duration');
  expect(taken).toMatchObject({ value: { count: 1 }, attributes: { ...asked, 'network.transport': 'tcp' } });
  const { traceId, spanId } = question?.spanContext() ?? {};
  expect(meta).toMatchObject({ traceparent: `00-${String(traceId)}-${String(spanId)}-01` });
});

test.each([
  ['with', "{ telemetry: (await import('toolwright/opentelemetry')).openTelemetry() }", 'true'],
  ['without', '{}', 'false'],
])(
  '%s the option, a process that serves has loaded the API of OpenTelemetry or not',
  async (_, options, isLoaded) => {
    await start();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const script = `
    import { McpApplication, Module } from 'toolwright';
    class Empty {}
    Module()(Empty);
    const app = await McpApplication.create(Empty, ${options});
    const { url } = await app.listen({ port: 0 });
    const request = ${JSON.stringify({ method: 'POST', headers, body: message('tools/list') })};
    await (await fetch(url, request)).text();
    await app.close();
    console.error('serves');`;
    const args = ['--input-type=module', ...TRACE_MODULES, '--eval', script];
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(stderr).toContain('serves');
    expect(String(stderr.includes('@opentelemetry/api'))).toBe(isLoaded);
  },
);
