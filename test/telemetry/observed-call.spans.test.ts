import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
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
  @Action('Ship an order')
  async ship({ id }: Order): Promise<string> {
    await Promise.resolve();
    trace.getTracer('warehouse');
    const span = sky.tracerProvider.getTracer('warehouse').startSpan('pack');
    span.end();
    return `shipped ${String(id)}`;
  }
  @Action('Lose an order')
  lose(_input: Order): never {
    throw new ToolError('LOST', 'It is lost');
  }
}

@Injectable()
class Pages {
  @Prompt('Greets')
  greet(): string {
    return 'Hello';
  }
  @Resource('orders://all')
  all(): string {
    return 'none';
  }
}

@Module({ controllers: [OrderTools, Pages] })
class OrderModule {}

const sky = new Observatory();
afterAll(() => sky.close());

describe.each(CONNECTIONS)('$name', (kind) => {
  const { era, way, isAttached } = kind;
  let connected: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    const { tracerProvider, meterProvider } = sky;
    const telemetry = openTelemetry({ tracerProvider, meterProvider });
    connected = await createConnectedApplication(kind, OrderModule, { telemetry });
    client = await connected.client();
  });
  afterAll(() => connected.close());

  async function spansOf(request: () => Promise<unknown>) {
    sky.takeSpans();
    await request().catch(() => undefined);
    return sky.takeSpans();
  }

  const shared = {
    ...(isAttached ? {} : { 'mcp.protocol.version': era === '2026' ? '2026-07-28' : expect.any(String) }),
    ...(way.startsWith('HTTP') && !isAttached
      ? {
          'network.transport': 'tcp',
          'network.protocol.name': 'http',
          'network.protocol.version': '1.1',
          'client.address': '127.0.0.1',
          'client.port': expect.any(Number),
        }
      : {}),
    ...(way === 'stdio' && !isAttached ? { 'network.transport': 'pipe' } : {}),
    ...(way === 'HTTP session' && era === '2025' ? { 'mcp.session.id': expect.any(String) } : {}),
    'jsonrpc.request.id': expect.any(String),
  };

  test('a call of a tool is a server span, and what its handler does is inside', async () => {
    const [inner, span, ...others] = await spansOf(() =>
      client.callTool({ name: 'orders', arguments: { action: 'ship', id: 7 } }),
    );
    expect(others).toEqual([]);
    expect(span?.name).toBe('tools/call orders');
    expect(span?.kind).toBe(SpanKind.SERVER);
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).toEqual({
      ...shared,
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'orders',
      'toolwright.action.name': 'ship',
      'toolwright.result.type': 'complete',
    });
    expect(inner?.name).toBe('pack');
    expect(inner?.parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
  });

  test('a failed call says how it failed, and not why', async () => {
    const [span] = await spansOf(() =>
      client.callTool({ name: 'orders', arguments: { action: 'lose', id: 7 } }),
    );
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span?.attributes).toMatchObject({ 'error.type': 'tool_error', 'toolwright.error.code': 'LOST' });
    expect(span?.events).toEqual([]);
  });

  test('a call of what is not offered names nothing of it', async () => {
    const [span] = await spansOf(() => client.callTool({ name: 'orders', arguments: { action: 'steal' } }));
    expect(span?.name).toBe('tools/call _OTHER');
    expect(span?.attributes).toMatchObject({ 'gen_ai.tool.name': '_OTHER', 'error.type': 'tool_error' });
    expect(JSON.stringify(span?.attributes)).not.toContain('steal');
  });

  test('prompts are named, and resources are not', async () => {
    const [prompt] = await spansOf(() => client.getPrompt({ name: 'greet' }));
    expect([prompt?.name, prompt?.attributes['gen_ai.prompt.name']]).toEqual(['prompts/get greet', 'greet']);
    const [resource] = await spansOf(() => client.readResource({ uri: 'orders://all' }));
    expect([resource?.name, resource?.attributes['mcp.resource.uri']]).toEqual([
      'resources/read',
      'orders://all',
    ]);
    expect(resource?.attributes).not.toHaveProperty(['gen_ai.operation.name']);
    let code = '';
    const [missing] = await spansOf(async () => {
      code = String((await client.refusal('resources/read', { uri: 'orders://none' })).code);
    });
    expect(missing?.attributes).toMatchObject({ 'error.type': code, 'rpc.response.status_code': code });
    const [list] = await spansOf(() => client.listTools());
    expect(list?.name).toBe('tools/list');
  });
});
