import { afterEach, describe, expect, test } from '@jest/globals';
import {
  Action,
  Injectable,
  InMemoryTaskStore,
  McpApplication,
  Module,
  Readiness,
  ToolGroup,
  type ApplicationOptions,
  type LogRecord,
  type RequiredStore,
} from 'toolwright';
import { send } from '../support/raw-http.ts';

let finish: (() => void) | undefined;

@ToolGroup('work')
class WorkController {
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
const statusOf = async (url: string | undefined) => (await get(url, '/readyz')).status;

/** Waits for what timers and sockets bring; the test itself is limited. */
async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('@Readiness()', () => {
  /** Fails while `fault` is set, and counts. */
  class Probe {
    runs = 0;
    running = 0;
    most = 0;
    aborted = 0;
    fault: 'throws' | 'false' | 'hangs' | undefined;
    async run(signal: AbortSignal): Promise<boolean> {
      this.runs += 1;
      this.most = Math.max(this.most, (this.running += 1));
      signal.addEventListener('abort', () => (this.aborted += 1));
      try {
        if (this.fault === 'hangs') await new Promise<void>((resolve) => (finish = resolve));
        if (this.fault === 'throws') throw new Error('the password hunter2\nis wrong');
        return this.fault !== 'false';
      } finally {
        this.running -= 1;
      }
    }
  }

  const READINESS = { interval: 10, timeout: 40 };

  async function probed(readiness = {}, options: ApplicationOptions = {}) {
    const probe = new Probe();
    class Database {
      @Readiness()
      ping(signal: AbortSignal): Promise<boolean> {
        return probe.run(signal);
      }
    }
    // One that a factory makes has its checks as well
    const providers = [{ provide: 'DATABASE', useFactory: () => new Database() }];
    @Module({ controllers: [WorkController], providers })
    class ProbedModule {}
    const records: LogRecord[] = [];
    const application = await created(
      {
        operations: { port: 0, readiness: { ...READINESS, ...readiness } },
        logger: (record) => records.push(record),
        ...options,
      },
      ProbedModule,
    );
    return { probe, application, records };
  }

  test.each(['throws', 'false', 'hangs'] as const)('that %s three times makes /readyz 503', async (fault) => {
    const { probe, application, records } = await probed();
    const { operationsUrl } = await application.listen(0);
    await until(async () => (await get(operationsUrl, '/readyz')).status === 200);
    probe.fault = fault;
    await until(async () => (await get(operationsUrl, '/readyz')).status === 503);
    expect((await get(operationsUrl, '/readyz')).body).toBe('not ready\n');
    expect((await get(operationsUrl, '/livez')).status).toBe(200);
    expect(records).toMatchObject([
      { event: 'readiness.failed', level: 'warning', check: 'Database.ping()' },
    ]);
    probe.fault = undefined;
    finish?.();
    await until(async () => (await get(operationsUrl, '/readyz')).status === 200);
    expect(records.map(({ level }) => level)).toEqual(['warning', 'notice']);
    expect(probe.most).toBe(1);
    expect(probe.aborted > 0).toBe(true);
  });

  test('has to succeed once before requests come, and is not run for each request', async () => {
    const { probe, application } = await probed({ interval: 60_000 });
    probe.fault = 'hangs';
    const { operationsUrl } = await application.listen(0);
    for (let ask = 0; ask < 5; ask += 1) {
      expect(await get(operationsUrl, '/readyz')).toMatchObject({ status: 503, body: 'starting\n' });
    }
    expect(probe.runs).toBe(1);
  });

  test('does not make the instance unready before it has failed often enough', async () => {
    const { probe, application } = await probed({ failures: 1000 });
    const { operationsUrl } = await application.listen(0);
    await until(async () => (await get(operationsUrl, '/readyz')).status === 200);
    probe.fault = 'throws';
    const { runs } = probe;
    await until(() => probe.runs > runs + 5);
    expect((await get(operationsUrl, '/readyz')).status).toBe(200);
  });

  test('says why only where it is asked for, without registered secrets', async () => {
    const { probe, application } = await probed({ details: true }, { redact: { secrets: ['hunter2'] } });
    const { operationsUrl } = await application.listen(0);
    await until(async () => (await get(operationsUrl, '/readyz')).body === 'ok\nDatabase.ping(): ok\n');
    probe.fault = 'throws';
    await until(async () => (await get(operationsUrl, '/readyz')).status === 503);
    expect((await get(operationsUrl, '/readyz')).body).toBe(
      'not ready\nDatabase.ping(): failed, the password [redacted] is wrong\n',
    );
  });

  test('is run beside the endpoint as well, and for fetch from the first question on', async () => {
    const { probe, application } = await probed({}, { operations: { readiness: READINESS } });
    const ready = () => application.fetch(new Request('https://worker.example/readyz'));
    expect([probe.runs, (await ready()).status]).toEqual([0, 503]);
    await until(async () => (await ready()).status === 200);
  });

  test('stops with the application', async () => {
    const { probe, application } = await probed();
    await application.listen(0);
    await until(() => probe.runs > 1);
    await application.close();
    const { runs } = probe;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(probe.runs).toBe(runs);
  });

  test('reports checks that could not be run, all at once', async () => {
    @Injectable({ scope: 'request' })
    class PerCall {
      @Readiness()
      ping(): void {
        // It would say nothing of the application
      }
    }
    @ToolGroup('mixed')
    class Mixed {
      @Readiness({ timeout: -1 })
      static still(): void {
        // It has no instance
      }
      @Action('Both')
      @Readiness()
      both(): void {
        // It could not know who calls it
      }
    }
    @Module({ controllers: [Mixed], providers: [PerCall] })
    class MistakenModule {}
    const failure: unknown = await McpApplication.create(MistakenModule).catch((error: unknown) => error);
    const text = String(failure);
    for (const part of [
      'PerCall.ping()',
      'scope "request"',
      'Mixed.still()',
      'is static',
      '@Readiness and @Action',
      'timeout',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('a store that is down', () => {
  async function withStore(require: readonly RequiredStore[]) {
    const store = new InMemoryTaskStore();
    const state = { isDown: false };
    const get = store.get.bind(store);
    store.get = (id) => (state.isDown ? Promise.reject(new Error('connection refused')) : get(id));
    const application = await created({
      secrets: ['a secret that is long enough for it'],
      backplane: { tasks: store },
      operations: { port: 0, readiness: { interval: 10, require } },
      logger: () => undefined,
    });
    const { operationsUrl } = await application.listen(0);
    await until(async () => (await statusOf(operationsUrl)) === 200);
    return { operationsUrl, state };
  }

  test('keeps requests away only where it is required, until it answers again', async () => {
    const { operationsUrl, state } = await withStore(['tasks']);
    const other = await withStore([]);
    state.isDown = other.state.isDown = true;
    await until(async () => (await statusOf(operationsUrl)) === 503);
    expect(await statusOf(other.operationsUrl)).toBe(200);
    state.isDown = false;
    await until(async () => (await statusOf(operationsUrl)) === 200);
  });
});
