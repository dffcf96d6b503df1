import { afterEach, describe, expect, test } from '@jest/globals';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { connect } from 'node:net';
import {
  Action,
  Injectable,
  McpApplication,
  Module,
  ToolGroup,
  type ApplicationOptions,
  type LogRecord,
} from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { message, send } from '../support/raw-http.ts';

let finish: (() => void) | undefined;

@ToolGroup('work')
class WorkController {
  @Action('Answers when the test lets it')
  async wait(): Promise<string> {
    await new Promise<void>((resolve) => (finish = resolve));
    return 'done';
  }
  @Action('Answers at once')
  quick(): string {
    return 'done';
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

const applications: McpApplication[] = [];

afterEach(async () => {
  finish?.();
  finish = undefined;
  await Promise.all(applications.splice(0).map((application) => application.close()));
});

async function created(options: ApplicationOptions, root = WorkModule): Promise<McpApplication> {
  const application = await McpApplication.create(root, options);
  applications.push(application);
  return application;
}

const get = (url: string | undefined, path: string) => send(String(url), { method: 'GET', path });
const isRefused = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(false);
    }).on('error', () => {
      resolve(true);
    });
  });

/** Waits for what timers and sockets bring; the test itself is limited. */
async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 2));
}

const call = (url: string, action: string) =>
  send(url, { body: message('tools/call', { name: 'work', arguments: { action } }) });

describe('the port of the operators', () => {
  test('answers health checks instead of the endpoint, until the last hook has run', async () => {
    const seen: (readonly [number, string])[] = [];
    @Injectable()
    class Observer {
      async onApplicationShutdown(): Promise<void> {
        const { status } = await get(operationsUrl, '/livez');
        seen.push([status, (await get(operationsUrl, '/readyz')).body]);
      }
    }
    @Module({ controllers: [WorkController], providers: [Observer] })
    class ObservedModule {}
    const application = await created({ operations: { port: 0 } }, ObservedModule);
    const { url, operationsUrl } = await application.listen({ port: 0, sessions: false });
    expect((await get(url, '/readyz')).status).toBe(404);
    expect(await get(operationsUrl, '/readyz')).toMatchObject({ status: 200, body: 'ok\n' });
    expect((await get(operationsUrl, '/metrics')).status).toBe(404);
    expect((await send(String(operationsUrl), { path: '/readyz', body: '' })).status).toBe(405);

    const running = call(url, 'wait');
    await until(() => finish !== undefined);
    const closed = application.close();
    expect(await get(operationsUrl, '/readyz')).toMatchObject({ status: 503, body: 'shutting down\n' });
    expect((await get(operationsUrl, '/livez')).status).toBe(200);
    finish?.();
    expect((await running).body).toContain('done');
    await closed;
    expect(seen).toEqual([[200, 'shutting down\n']]);
    expect(await isRefused(String(operationsUrl))).toBe(true);
  });

  test('is open as long as something serves: a worker, too', async () => {
    const application = await created({ operations: { port: 0 }, logger: () => undefined });
    const worker = await application.work();
    const { operationsUrl } = worker;
    expect((await get(operationsUrl, '/readyz')).status).toBe(200);
    const { close, operationsUrl: same } = await application.listen({ port: 0 });
    expect(same).toBe(operationsUrl);
    await close();
    expect((await get(operationsUrl, '/livez')).status).toBe(200);
    await worker.close();
    await until(() => isRefused(String(operationsUrl)));
    // It opens again with the next transport
    expect((await get((await application.listen({ port: 0 })).operationsUrl, '/livez')).status).toBe(200);
  });

  test('has the host of the endpoint, unless it is given one', async () => {
    const at = async (options: ApplicationOptions, host: string) =>
      new URL(String((await (await created(options)).listen({ port: 0, host })).operationsUrl)).hostname;
    expect(await at({ operations: { port: 0 } }, '127.0.0.2')).toBe('127.0.0.2');
    expect(await at({ operations: { port: 0, host: '127.0.0.1' } }, '127.0.0.2')).toBe('127.0.0.1');
  });

  test('that is taken ends the start with a fix, and leaves nothing open', async () => {
    const first = await created({ operations: { port: 0 } });
    const { operationsUrl } = await first.listen({ port: 0 });
    const port = Number(new URL(String(operationsUrl)).port);
    const second = await created({ operations: { port } });
    const refused = {
      code: 'TW_SERVER_LISTEN',
      where: 'operations.port',
      what: expect.stringContaining(String(port)),
    };
    await expect(second.listen({ port: 0 })).rejects.toMatchObject(refused);
    await expect(second.listen({ port })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
      what: `is ${String(port)}, as operations.port is.`,
    });
    await first.close();
    expect((await get((await second.listen({ port: 0 })).operationsUrl, '/livez')).status).toBe(200);
  });

  test('closes again if the endpoint cannot be opened', async () => {
    const taken = await (await created({})).listen({ port: 0 });
    const application = await created({ operations: { port: 0 } });
    await expect(application.listen({ port: taken.port })).rejects.toMatchObject({ where: 'listen()' });
    const { operationsUrl } = await application.listen({ port: 0 });
    expect((await get(operationsUrl, '/readyz')).body).toBe('ok\n');
  });

  test('goes over to the application that takes the place of another', async () => {
    const metrics = (text: string) => ({ operations: { port: 0, metrics: () => `${text}\n` } });
    const before = await created(metrics('before'));
    const { operationsUrl } = await before.listen({ port: 0 });
    const after = await created(metrics('after'));
    await before.replaceWith(after).finished;
    await before.close();
    expect((await get(operationsUrl, '/metrics')).body).toBe('after\n');
    expect((await get(operationsUrl, '/readyz')).status).toBe(200);
    await after.close();
    expect(await isRefused(String(operationsUrl))).toBe(true);
  });

  test.each([
    [{ metrics: () => '' }, 'operations.metrics', 'port'],
    [{ host: '0.0.0.0' }, 'operations.host', 'port'],
    [{ port: 0, health: false }, 'operations.port', 'nothing to answer'],
    [{ health: false, readiness: { failures: 2 } }, 'operations.readiness', 'no effect'],
    [{ port: 70_000 }, 'create()', 'operations.port'],
    [{ port: 0, metrics: {} }, 'create()', 'operations.metrics'],
    [{ readiness: { require: ['task'] } }, 'create()', 'operations.readiness.require[0]'],
    [{ readiness: { require: ['tasks'] } }, 'operations.readiness.require', 'in its memory'],
  ])('refuses %p', async (operations, where, what) => {
    const failure = McpApplication.create(WorkModule, { operations: operations as never });
    await expect(failure).rejects.toThrow(what);
    await expect(failure).rejects.toThrow(where);
  });
});

describe('/metrics', () => {
  test('shows what OpenTelemetry counts, in the format of Prometheus', async () => {
    const exporter = new PrometheusExporter({ preventServerStart: true });
    const telemetry = openTelemetry({ meterProvider: new MeterProvider({ readers: [exporter] }) });
    const application = await created({ telemetry, operations: { port: 0, metrics: exporter } });
    const { url, operationsUrl } = await application.listen({ port: 0, sessions: false });
    await call(url, 'quick');
    const { status, body, headers } = await get(operationsUrl, '/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain']);
    expect(body).toMatch(/^mcp_server_operation_duration\w*_count\{.*gen_ai_tool_name="work".*\} 1$/m);
  });

  test('is what a registry of prom-client says, with its own type', async () => {
    const contentType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
    const registry = { contentType, metrics: () => Promise.resolve('# EOF\n') };
    const { operationsUrl } = await (await created({ operations: { port: 0, metrics: registry } })).listen(0);
    expect(await get(operationsUrl, '/metrics')).toMatchObject({
      body: '# EOF\n',
      headers: { 'content-type': contentType },
    });
    expect((await send(String(operationsUrl), { path: '/metrics', body: '' })).status).toBe(405);
    expect((await get(operationsUrl, '/')).status).toBe(404);
  });

  test('that fails shows nothing of the reason, which is logged', async () => {
    const records: LogRecord[] = [];
    const metrics = () => {
      throw new Error('connection string postgres://me:secret@db');
    };
    const application = await created({
      operations: { port: 0, metrics },
      logger: (record) => records.push(record),
    });
    const { operationsUrl } = await application.listen(0);
    expect(await get(operationsUrl, '/metrics')).toMatchObject({
      status: 500,
      body: 'The metrics could not be written\n',
    });
    expect(records).toMatchObject([{ event: 'metrics.failed', level: 'error' }]);
  });
});
