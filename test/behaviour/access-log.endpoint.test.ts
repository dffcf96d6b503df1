import { createHash } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  Action,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  McpApplication,
  Module,
  ToolGroup,
  type LogRecord,
} from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { createAppWithCallers, tokenOf, type AppWithCallers } from '../support/callers.ts';
import { headers2026, post2026 } from '../support/client-of-2026.ts';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { QueueModule } from '../support/queue-module.ts';
import { JSON_HEADERS, message, send } from '../support/raw-http.ts';
import { TaskRequests } from '../support/task-requests.ts';

@ToolGroup('doors')
class DoorTools {
  @Action('Opens') open(): string {
    return 'opened';
  }
}
@Module({ controllers: [DoorTools] })
class DoorModule {}

const of = ({ records }: MemoryLogger, name: string): readonly LogRecord[] =>
  records.filter(({ event }) => event === name);

describe.each(CONNECTIONS.filter(({ isAttached }) => !isAttached))('$name', (kind) => {
  test('the handshake and what keeps a connection alive have records as well', async () => {
    const logger = new MemoryLogger();
    const app = await createConnectedApplication(kind, DoorModule, { logger, accessLog: true });
    const client = await app.client();
    const [greeting, asked] =
      kind.era === '2026' ? ['server/discover', 'server/discover'] : ['initialize', 'ping'];
    await client.send(asked);
    await client.refusal('doors/steal');
    await app.close();
    const records = of(logger, 'request.served');
    const [first] = records;
    expect(first).toMatchObject({ level: 'info', method: greeting, kind: 'method', outcome: 'ok' });
    expect(first?.['protocolVersion']).toMatch(kind.era === '2026' ? /^2026-07-28$/ : /^202[45]-/);
    expect(first).toMatchObject({ bytes: expect.any(Number), durationMs: expect.any(Number) });
    const transport = { 'in-memory': undefined, stdio: 'stdio' }[kind.way as string];
    expect(first?.['transport']).toBe(kind.way.startsWith('HTTP') ? 'http' : transport);
    expect(records.filter(({ method }) => method === asked)).not.toEqual([]);
    expect(records.at(-1)).toMatchObject({ method: '_OTHER', outcome: 'error', status: -32601 });
    // A client of 2025 asks for a stream, which is there in sessions only
    expect(records.map(({ era }) => era)).toEqual(records.map(() => kind.era));
    // Without a session, a client of 2025 says once who it is
    const introduced = kind.era === '2025' && kind.way === 'HTTP stateless' ? [first] : records;
    for (const record of introduced)
      expect(record).toMatchObject({ client: expect.any(String), clientVersion: expect.any(String) });
    const isHttp = kind.way.startsWith('HTTP');
    expect(records.map(({ address }) => address)).toEqual(
      records.map(() => (isHttp ? '127.0.0.1' : undefined)),
    );
    const statuses = of(logger, 'request.refused').map(({ httpStatus }) => httpStatus);
    const asksInVain = kind.era === '2025' && kind.way === 'HTTP stateless';
    expect(statuses).toEqual(asksInVain ? [405] : []);
  });
});

describe('what an endpoint refuses', () => {
  let served: AppWithCallers;
  afterEach(() => served.app.close());

  const ADA = { sub: 'ada' };
  const authorization = { authorization: `Bearer ${tokenOf(ADA)}` };

  async function listen(options: object = {}): Promise<string> {
    served = await createAppWithCallers(DoorModule, {}, { accessLog: true });
    return (await served.app.listen({ port: 0, signals: false, ...options })).url;
  }

  /** The one record of what was refused, without what every record has. */
  function refused(): object {
    const [record, ...others] = of(served.logger, 'request.refused');
    expect(others).toEqual([]);
    expect(of(served.logger, 'request.served')).toEqual([]);
    expect(record).toMatchObject({ level: 'info', transport: 'http' });
    expect(JSON.stringify(record)).not.toMatch(/\bada\b|Bearer|nobody-knows/);
    expect(record).toMatchObject({ address: '127.0.0.1' });
    const {
      level: _level,
      event: _event,
      transport: _transport,
      address: _address,
      ...facts
    } = record as LogRecord;
    return facts;
  }

  test('401: the token is missing, or wrong', async () => {
    const url = await listen();
    await send(url, {
      body: message('tools/list'),
      headers: { ...JSON_HEADERS, authorization: 'Bearer nobody-knows' },
    });
    expect(refused()).toEqual({
      message: 'HTTP 401 invalid_token',
      httpStatus: 401,
      status: -32000,
      reason: 'invalid_token',
    });
  });

  test('the address is that of the client behind a trusted proxy, and the program and session are named', async () => {
    const url = await listen({ trustedProxies: ['127.0.0.1'] });
    const headers = {
      ...JSON_HEADERS,
      authorization: 'Bearer nobody-knows',
      'x-forwarded-for': '6.6.6.6, 203.0.113.9',
      'user-agent': `crawler nobody-knows ${'x'.repeat(500)}`,
      'mcp-session-id': 'a session',
    };
    await send(url, { body: message('tools/list'), headers });
    const [record] = of(served.logger, 'request.refused');
    expect(record).toMatchObject({
      address: '203.0.113.9',
      userAgent: expect.stringMatching(/^crawler \S+ x{50,100}$/),
      session: createHash('sha256').update('a session').digest('hex').slice(0, 16),
    });
    expect(JSON.stringify(record)).not.toContain('nobody-knows');
  });

  test('403: the page may not call', async () => {
    const url = await listen({ allowedOrigins: ['https://desk.example'] });
    await send(url, {
      body: message('tools/list'),
      headers: { ...JSON_HEADERS, origin: 'https://evil.example' },
    });
    expect(refused()).toEqual({ message: 'HTTP 403', httpStatus: 403, status: -32000 });
  });

  test('404: a session that nobody has', async () => {
    const url = await listen();
    const headers = { ...JSON_HEADERS, ...authorization, 'mcp-session-id': '0'.repeat(32) };
    await send(url, { body: message('tools/list'), headers });
    expect(refused()).toMatchObject({
      httpStatus: 404,
      status: -32001,
      subject: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('413: the body is too large', async () => {
    const url = await listen({ maxBodyBytes: 1024 });
    const headers = { ...JSON_HEADERS, ...authorization };
    await send(url, { body: message('tools/list', { cursor: 'x'.repeat(2000) }), headers });
    expect(refused()).toMatchObject({ httpStatus: 413, subject: expect.any(String) });
  });

  test('429: requests come too often', async () => {
    const url = await listen({ requestRates: { total: { limit: 1, per: 'hour' } } });
    const headers = { ...JSON_HEADERS, ...headers2026('tools/list') };
    await send(url, { body: 'not JSON', headers: { ...headers, ...authorization } });
    served.logger.records.length = 0;
    await post2026(url, 'tools/list', {}, authorization);
    expect(refused()).toMatchObject({ httpStatus: 429, reason: 'requestRates.total' });
  });

  test('nothing is logged unless it is asked for', async () => {
    served = await createAppWithCallers(DoorModule);
    await send(await served.url(), { body: message('tools/list') });
    expect(of(served.logger, 'request.refused')).toEqual([]);
  });
});

test('where records go to stderr, those of refused requests do as well', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const app = await McpApplication.create(DoorModule, { accessLog: true });
  const { url } = await app.listen({ port: 0, signals: false });
  await fetch(url, { method: 'PUT' });
  await app.call('doors', { action: 'open' });
  await app.close();
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
  write.mockRestore();
  expect(lines).toEqual([
    expect.objectContaining({ level: 'info', event: 'request.refused' }),
    expect.objectContaining({ level: 'info', event: 'request.served' }),
  ]);
});

test('with metrics alone, records have no ids of a trace', async () => {
  const logger = new MemoryLogger();
  const telemetry = openTelemetry();
  const app = await McpApplication.create(DoorModule, { accessLog: true, logger, telemetry });
  await app.call('doors', { action: 'open' });
  await app.close();
  const [record] = of(logger, 'request.served');
  expect(record).toMatchObject({ tool: 'doors', outcome: 'ok' });
  expect(record).not.toHaveProperty('traceId');
});

test('the run of a queued task has its record in the process of its worker', async () => {
  const [front, back] = [new MemoryLogger(), new MemoryLogger()];
  const backplane = { tasks: new InMemoryTaskStore(), queue: new InMemoryWorkQueue(front) };
  const tasks = { pollInterval: 20 };
  const shared = {
    tasks,
    backplane,
    accessLog: true,
    secrets: ['of 32 bytes, which only the instances know'],
  };
  const app = await McpApplication.create(QueueModule, { ...shared, logger: front });
  const worker = await McpApplication.create(QueueModule, { ...shared, logger: back });
  await worker.work();
  const requests = new TaskRequests(app.fetch);
  await requests.end(await requests.begin('reports_write', { label: 'a' }));
  await app.close();
  await worker.close();
  const calls = [front, back].map((logger) =>
    of(logger, 'request.served').filter(({ method }) => method === 'tools/call'),
  );
  expect(calls).toMatchObject([
    [{ kind: 'tool', outcome: 'task', tool: 'reports_write' }],
    [{ kind: 'task', outcome: 'ok', tool: 'reports_write', action: 'write' }],
  ]);
});
