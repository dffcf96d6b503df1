import { afterEach, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Action, McpApplication, Module, ToolGroup, type ApplicationOptions } from 'toolwright';
import { EventReader } from '../support/event-reader.ts';
import { headers2026, message2026 } from '../support/client-of-2026.ts';
import { eventually } from '../support/eventually.ts';
import { LineProcess, WITH_PACKAGE } from '../support/line-process.ts';
import { INITIALIZE, initialize, JSON_HEADERS, message, send } from '../support/raw-http.ts';

let finish: (() => void) | undefined;

@ToolGroup('work')
class WorkController {
  @Action('Answers when the test lets it')
  async wait(): Promise<string> {
    await new Promise<void>((resolve) => (finish = resolve));
    return 'done';
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

const applications: McpApplication[] = [];
const processes: LineProcess[] = [];

afterEach(async () => {
  finish?.();
  finish = undefined;
  await Promise.all(applications.splice(0).map((application) => application.close()));
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
});

async function created(options: ApplicationOptions = {}): Promise<McpApplication> {
  const application = await McpApplication.create(WorkModule, options);
  applications.push(application);
  return application;
}

const get = (url: string, path: string, headers = {}) => send(url, { method: 'GET', path, headers });

describe('health checks', () => {
  test.each(['/livez', '/readyz'])('%s is answered under any host, without a token', async (path) => {
    const application = await created({ auth: { verify: { verify: () => undefined } } });
    const { url } = await application.listen({ port: 0, requestRates: { total: { limit: 1, per: 'day' } } });
    for (let check = 0; check < 3; check += 1) {
      const answer = await get(url, path, { host: '10.1.2.3:8080' });
      expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([
        200,
        'ok\n',
        'no-store',
      ]);
    }
    const head = await send(url, { method: 'HEAD', path });
    expect([head.status, head.body]).toEqual([200, '']);
    const post = await send(url, { path, body: '{}' });
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD']);
    // The checks were not counted, and what is counted is still refused without a token
    expect((await send(url, { body: INITIALIZE })).status).toBe(401);
  });

  test('are answered by fetch as well', async () => {
    const application = await created();
    const answer = await application.fetch(new Request('https://worker.example/readyz'));
    expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
  });

  test('can be switched off, and give way to a route of the application', async () => {
    const { url } = await (await created({ operations: { health: false } })).listen({ port: 0 });
    expect((await get(url, '/livez')).status).toBe(404);
    const routes = { 'GET /readyz': () => new Response('my own', { status: 418 }) };
    const { url: other } = await (await created()).listen({ port: 0, routes });
    expect(await get(other, '/readyz')).toMatchObject({ status: 418, body: 'my own' });
  });

  test('do not share a path with the endpoint', async () => {
    const application = await created();
    await expect(application.listen({ port: 0, path: '/readyz/' })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
      fix: expect.stringContaining('operations: { health: false }'),
    });
    const silent = await created({ operations: { health: false } });
    expect((await silent.listen({ port: 0, path: '/readyz' })).url).toMatch(/\/readyz$/);
  });

  test('say that an application drains while its last call runs', async () => {
    const application = await created();
    const { url } = await application.listen({ port: 0, sessions: false });
    const call = send(url, { body: message('tools/call', { name: 'work', arguments: { action: 'wait' } }) });
    await eventually(() => finish !== undefined);
    const closed = application.close();
    expect(await get(url, '/readyz')).toMatchObject({ status: 503, body: 'shutting down\n' });
    expect(await get(url, '/livez')).toMatchObject({ status: 200 });
    finish?.();
    expect((await call).body).toContain('done');
    await closed;
  });
});

/** A stream that only listens, of a client of either era, and the last event that it brings. */
const standing = {
  '2025-11-25': async (url: string) => {
    const session = { 'mcp-session-id': await initialize(url), 'mcp-protocol-version': '2025-11-25' };
    return fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
  },
  '2026-07-28': (url: string) =>
    fetch(url, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers2026('subscriptions/listen') },
      body: JSON.stringify(
        message2026('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      ),
    }),
};

describe('a client that only listens', () => {
  test.each([
    ['2025-11-25', { retry: '1000' }],
    ['2026-07-28', { message: { id: 1, result: { resultType: 'complete' } } }],
  ] as const)('of %s is sent away when the drain begins, and not when it ends', async (revision, last) => {
    const application = await created();
    const { url } = await application.listen({ port: 0 });
    const response = await standing[revision](url);
    expect(response.status).toBe(200);
    const events = new EventReader(response);
    await events.next();
    const running = application.call('work', { action: 'wait' });
    await eventually(() => finish !== undefined);
    const closed = application.close();
    expect((await events.rest()).at(-1)).toMatchObject(last);
    finish?.();
    expect((await running).content).toEqual([{ type: 'text', text: 'done' }]);
    await closed;
  });
});

describe('SIGTERM', () => {
  async function started(...times: readonly number[]) {
    const file = fileURLToPath(new URL('../transports/processes/leaving-server.ts', import.meta.url));
    const server = new LineProcess({ args: [...WITH_PACKAGE, file, ...times.map(String)] });
    processes.push(server);
    return { server, url: await server.line('stdout', 'http') };
  }

  const call = (url: string, action: string) =>
    send(url, {
      headers: { connection: 'keep-alive', ...headers2026('tools/call', 'work') },
      body: JSON.stringify(message2026('tools/call', { name: 'work', arguments: { action } })),
    });

  test('fails the check first and serves on, lets connections go, then ends with 0', async () => {
    const { server, url } = await started(2000);
    expect((await call(url, 'ping')).headers['connection']).toBe('keep-alive');
    server.kill('SIGTERM');
    while ((await get(url, '/readyz')).status === 200);
    const answer = await call(url, 'ping');
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
    expect(answer.body).toContain('pong');
    expect(await server.ended).toBe(0);
  });

  test('serves on where health checks are asked, and nowhere else', async () => {
    const { server, url } = await started();
    expect((await get(url, '/livez')).status).toBe(200);
    server.kill('SIGTERM');
    while ((await get(url, '/readyz')).status === 200);
    expect((await call(url, 'ping')).body).toContain('pong');
    server.kill('SIGTERM');
    await server.ended;

    const application = await created();
    const other = await application.listen({ port: 0, sessions: false });
    const running = application.call('work', { action: 'wait' });
    await eventually(() => finish !== undefined);
    const closed = application.close('SIGTERM');
    expect((await call(other.url, 'wait')).status).toBe(503);
    finish?.();
    await running;
    await closed;
  });

  test('ends with 1 when a call was cut off', async () => {
    const { server, url } = await started(0, 50);
    const running = call(url, 'hang').catch(() => undefined);
    await server.line('stdout', 'hanging');
    server.kill('SIGTERM');
    expect(await server.ended).toBe(1);
    await running;
  });

  test('a second one does not wait', async () => {
    const { server, url } = await started(60_000);
    server.kill('SIGTERM');
    while ((await get(url, '/readyz')).status === 200);
    server.kill('SIGTERM');
    expect([143, 'SIGTERM']).toContain(await server.ended);
  });
});
