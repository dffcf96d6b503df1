import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode, type AttributeValue } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { IsInt } from 'class-validator';
import { Action, Injectable, Module, Prompt, Resource, ToolError, ToolGroup } from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { Observatory } from '../support/open-telemetry.ts';

class Order {
  @IsInt() id!: number;
}
@ToolGroup('orders')
class OrderTools {
  @Action('Ship an order') ship({ id }: Order): string {
    return `shipped ${String(id)}`;
  }
  @Action('Lose an order') lose(_input: Order): never {
    throw new ToolError('LOST', 'It is lost');
  }
}
@Injectable()
class Pages {
  @Prompt('Greets') greet(): string {
    return 'Hello';
  }
  @Resource('orders://all') all(): string {
    return 'none';
  }
}
@Module({ controllers: [OrderTools, Pages] })
class OrderModule {}

/** What is known of a request when its span is expected. */
interface Expected {
  readonly method: string;
  readonly tool?: string;
  readonly action?: string;
  readonly prompt?: string;
  readonly uri?: string;
  /** The code of the error, or that of the tool. */
  readonly error?: { readonly type: string; readonly status?: string; readonly code?: string };
  readonly revision: string | RegExp;
  readonly isHttp: boolean;
  readonly isStdio: boolean;
  readonly hasSession: boolean;
}

type Kind = 'required' | 'conditional' | 'recommended' | 'own';

/** What an attribute is; undefined where it must not be there. */
type Wanted = (of: Expected) => AttributeValue | RegExp | undefined;

/** The conventions for MCP servers, and what is added to them. */
const ATTRIBUTES: Readonly<Record<string, readonly [Kind, Wanted]>> = {
  'mcp.method.name': ['required', ({ method }) => method],
  'error.type': ['conditional', ({ error }) => error?.type],
  'rpc.response.status_code': ['conditional', ({ error }) => error?.status],
  'gen_ai.tool.name': ['conditional', ({ tool }) => tool],
  'gen_ai.prompt.name': ['conditional', ({ prompt }) => prompt],
  'jsonrpc.request.id': ['conditional', () => /^\S+$/],
  'mcp.resource.uri': ['conditional', ({ uri }) => uri],
  'gen_ai.operation.name': ['recommended', ({ tool }) => tool && 'execute_tool'],
  'mcp.protocol.version': ['recommended', ({ revision }) => revision],
  'mcp.session.id': ['recommended', ({ hasSession }) => (hasSession ? /^[\w-]{16,}$/ : undefined)],
  'client.address': ['recommended', ({ isHttp }) => (isHttp ? '127.0.0.1' : undefined)],
  'client.port': ['recommended', ({ isHttp }) => (isHttp ? /^\d+$/ : undefined)],
  'network.protocol.name': ['recommended', ({ isHttp }) => (isHttp ? 'http' : undefined)],
  'network.protocol.version': ['recommended', ({ isHttp }) => (isHttp ? '1.1' : undefined)],
  'network.transport': [
    'recommended',
    ({ isHttp, isStdio }) => (isHttp ? 'tcp' : isStdio ? 'pipe' : undefined),
  ],
  'toolwright.action.name': ['own', ({ action }) => action],
  'toolwright.error.code': ['own', ({ error }) => error?.code],
  'toolwright.result.type': ['own', ({ error }) => (error?.status === undefined ? 'complete' : undefined)],
};

/** Of the span only: in metrics, each caller would make a series of its own. */
const OF_THE_SPAN = [
  'jsonrpc.request.id',
  'mcp.session.id',
  'mcp.resource.uri',
  'client.address',
  'client.port',
];

const sky = new Observatory();
afterAll(() => sky.close());

describe.each(CONNECTIONS.filter(({ isAttached }) => !isAttached))('$name', (kind) => {
  const { era, way } = kind;
  let connected: ConnectedApplication;
  let client: FeatureClient;
  let greeting: readonly ReadableSpan[] = [];

  beforeAll(async () => {
    const { tracerProvider, meterProvider } = sky;
    const telemetry = openTelemetry({ tracerProvider, meterProvider });
    connected = await createConnectedApplication(kind, OrderModule, { telemetry });
    sky.takeSpans();
    client = await connected.client();
    greeting = sky.takeSpans();
  });
  afterAll(() => connected.close());

  const isHttp = way.startsWith('HTTP');
  const shared = {
    isHttp,
    isStdio: way === 'stdio',
    hasSession: way === 'HTTP session' && era === '2025',
    revision: era === '2026' ? '2026-07-28' : /^202[45]-\d\d-\d\d$/,
  };

  async function spanOf(request: () => Promise<unknown>): Promise<ReadableSpan | undefined> {
    sky.takeSpans();
    await request().catch(() => undefined);
    const [span, ...others] = sky.takeSpans().filter(({ name }) => !name.startsWith('notifications/'));
    expect(others).toEqual([]);
    return span;
  }

  function expectSpan(span: ReadableSpan | undefined, given: Omit<Expected, keyof typeof shared>): void {
    const of: Expected = { ...shared, ...given };
    const target = of.tool ?? of.prompt;
    expect(span?.name).toBe(target === undefined ? of.method : `${of.method} ${target}`);
    expect(span?.kind).toBe(SpanKind.SERVER);
    const code = of.error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR;
    expect(span?.status).toEqual({ code });
    const wanted = Object.entries(ATTRIBUTES).flatMap(([name, [, want]]) => {
      const value = want(of);
      if (value === undefined) return [];
      const given = span?.attributes[name];
      const isFound = value instanceof RegExp ? value.test(String(given)) : given === value;
      return [[name, isFound ? given : value] as const];
    });
    expect(span?.attributes).toEqual(Object.fromEntries(wanted));
  }

  test('the handshake is a span like every request', () => {
    const [first] = greeting;
    expectSpan(first, { method: era === '2026' ? 'server/discover' : 'initialize' });
  });

  test('so is a notification of the client', async () => {
    // What was sent before its answer has arrived by then
    await client.listTools();
    const spans = [...greeting, ...sky.takeSpans()].filter(({ name }) => name.startsWith('notifications/'));
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual(
      era === '2026' ? [] : [['notifications/initialized', SpanKind.SERVER]],
    );
    const [span] = spans;
    if (span === undefined) return;
    const of: Expected = { ...shared, method: 'notifications/initialized' };
    const names = Object.keys(ATTRIBUTES).filter((name) => /^(mcp|client|network)\./.test(name));
    expect(Object.keys(span.attributes).filter((name) => !names.includes(name))).toEqual([]);
    for (const name of names) {
      const wanted = ATTRIBUTES[name]?.[1](of);
      const found = span.attributes[name];
      expect([name, wanted instanceof RegExp ? wanted.test(String(found)) : found]).toEqual([
        name,
        wanted instanceof RegExp ? true : wanted,
      ]);
    }
    expect(await sky.seriesOf('mcp.server.operation.duration')).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ 'mcp.method.name': 'notifications/initialized' }),
      }),
    );
  });

  test('so is what asks for nothing but an answer', async () => {
    const method = era === '2026' ? 'server/discover' : 'ping';
    expectSpan(await spanOf(() => client.send(method)), { method });
  });

  test('what is not there is a fault, and is not named', async () => {
    const span = await spanOf(() => client.send('orders/steal'));
    const error = { type: '-32601', status: '-32601' };
    expectSpan(span, { method: '_OTHER', error });
  });

  test('tools, prompts and resources', async () => {
    const call = (action: string, id: unknown) => () =>
      client.callTool({ name: 'orders', arguments: { action, id } });
    const tools = { method: 'tools/call', tool: 'orders' };
    expectSpan(await spanOf(call('ship', 7)), { ...tools, action: 'ship' });
    const lost = { error: { type: 'tool_error', code: 'LOST' } };
    expectSpan(await spanOf(call('lose', 7)), { ...tools, action: 'lose', ...lost });
    const invalid = { error: { type: 'tool_error', code: 'VALIDATION_FAILED' } };
    expectSpan(await spanOf(call('ship', 'x')), { ...tools, action: 'ship', ...invalid });
    expectSpan(await spanOf(() => client.listTools()), { method: 'tools/list' });
    const prompt = await spanOf(() => client.getPrompt({ name: 'greet' }));
    expectSpan(prompt, { method: 'prompts/get', prompt: 'greet' });
    const uri = 'orders://all';
    expectSpan(await spanOf(() => client.readResource({ uri })), { method: 'resources/read', uri });
  });

  afterEach(async () => {
    const metric = await sky.metric('mcp.server.operation.duration');
    for (const { attributes } of metric?.dataPoints ?? []) {
      const names = Object.keys(attributes);
      expect(names.filter((name) => !(name in ATTRIBUTES) || OF_THE_SPAN.includes(name))).toEqual([]);
      expect(names).toContain('mcp.method.name');
    }
  });
});
