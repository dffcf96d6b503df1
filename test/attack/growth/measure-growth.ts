import { setTimeout as after } from 'node:timers/promises';
import { IsString } from 'class-validator';
import { Action, McpApplication, Module, ReadOnly, ToolContext, ToolGroup } from 'toolwright';
import { INITIALIZE, JSON_HEADERS, message } from '../../support/raw-http.ts';
import type { CountedStore, StoreCounts } from './counted-stores.ts';

class Label {
  @IsString() label!: string;
}

@ToolGroup({ name: 'desk', expose: 'flat' })
class Desk {
  @Action('Reads') @ReadOnly() read({ label }: Label): string {
    return label;
  }

  @Action({ description: 'Reports in two steps, in a worker', task: { queue: 'reports' } })
  async report({ label }: Label, ctx: ToolContext): Promise<string> {
    await ctx.step('read', () => label);
    return ctx.step('write', () => label);
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

/** What is done with a cluster, each time through other instances. */
export const WORK = ['calls', 'sessions', 'changes', 'tasks'] as const;
export type Work = (typeof WORK)[number];

/**
 * Starts so many instances in this process, and counts what one of each costs the store.
 * @param times how often each is done
 */
export async function measureGrowth(
  store: CountedStore,
  instances: number,
  times: number,
): Promise<Readonly<Record<Work, StoreCounts>>> {
  const apps: McpApplication[] = [];
  try {
    for (let index = 0; index < instances; index += 1) {
      const { backplane } = store;
      apps.push(await startInstance(backplane()));
    }
    await apps.at(-1)?.work({ signals: false });
    const cluster = new Cluster(apps);
    const session = await cluster.openSession();
    const work: Readonly<Record<Work, () => Promise<unknown>>> = {
      calls: () => cluster.callIn(session),
      sessions: () => cluster.useSession(),
      changes: async () => cluster.next.notifyViews(),
      tasks: () => cluster.runTask(),
    };
    const counts: Partial<Record<Work, StoreCounts>> = {};
    for (const name of WORK) counts[name] = await count(store, times, work[name]);
    await cluster.endSession(session);
    return counts as Readonly<Record<Work, StoreCounts>>;
  } finally {
    for (const app of apps) await app.close();
  }
}

function startInstance(backplane: ReturnType<CountedStore['backplane']>): Promise<McpApplication> {
  return McpApplication.create(DeskModule, {
    name: 'desk',
    backplane,
    secrets: ['of 32 bytes, which only the instances know'],
    fetch: { path: '/mcp', allowedHosts: ['localhost'], sessions: {} },
    drainTimeout: 0,
    logger: () => undefined,
  });
}

/** Of one. The first ones also load scripts and open connections, and do not count. */
async function count(store: CountedStore, times: number, work: () => Promise<unknown>): Promise<StoreCounts> {
  for (let index = 0; index < 3; index += 1) await work();
  const before = await settle(store);
  for (let index = 0; index < times; index += 1) await work();
  const counts = await settle(store);
  const each = (name: keyof StoreCounts): number => (counts[name] - before[name]) / times;
  return { commands: each('commands'), published: each('published'), received: each('received') };
}

/** Messages arrive later than what sent them is done. */
async function settle(store: CountedStore): Promise<StoreCounts> {
  for (let counts = await store.counts(); ;) {
    await after(300);
    const next = await store.counts();
    if (next.received === counts.received) return next;
    counts = next;
  }
}

/** Instances that get requests one after the other, as behind a load balancer. */
class Cluster {
  readonly #apps: readonly McpApplication[];
  #turn = 0;

  constructor(apps: readonly McpApplication[]) {
    this.#apps = apps;
  }

  get next(): McpApplication {
    this.#turn += 1;
    const app = this.#apps[this.#turn % this.#apps.length];
    if (app === undefined) throw new Error('There are no instances');
    return app;
  }

  async openSession(): Promise<string> {
    const response = await this.#send('POST', INITIALIZE);
    await response.text();
    const session = response.headers.get('mcp-session-id');
    if (session === null) throw new Error(`There is no session: ${String(response.status)}`);
    await (
      await this.#send('POST', '{"jsonrpc":"2.0","method":"notifications/initialized"}', session)
    ).text();
    return session;
  }

  async callIn(session: string): Promise<void> {
    const call = message('tools/call', { name: 'desk_read', arguments: { label: 'a' } });
    const text = await (await this.#send('POST', call, session)).text();
    if (!text.includes('"result"')) throw new Error(text);
  }

  async endSession(session: string): Promise<void> {
    await (await this.#send('DELETE', undefined, session)).text();
  }

  /** One that opens its standalone stream, calls ten times, and ends. */
  async useSession(): Promise<void> {
    const session = await this.openSession();
    const stream = await this.#send('GET', undefined, session);
    for (let calls = 0; calls < 10; calls += 1) await this.callIn(session);
    await this.endSession(session);
    await stream.body?.cancel();
  }

  async runTask(): Promise<void> {
    const { isError } = await this.next.call('desk_report', { label: 'a' });
    if (isError === true) throw new Error('A task failed');
  }

  #send(method: string, body?: string, session?: string): Promise<Response> {
    const headers = {
      ...JSON_HEADERS,
      host: 'localhost',
      'mcp-protocol-version': '2025-11-25',
      ...(method === 'GET' && { accept: 'text/event-stream' }),
      ...(session !== undefined && { 'mcp-session-id': session }),
    };
    const init = { method, headers, ...(body !== undefined && { body }) };
    return this.next.fetch(new Request('http://localhost/mcp', init));
  }
}
