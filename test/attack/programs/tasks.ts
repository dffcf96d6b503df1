import 'reflect-metadata';
import { createClient } from '@redis/client';
import { McpApplication } from 'toolwright';
import { bullQueues, redisBackplane } from 'toolwright/redis';
import { QueueModule } from '../../support/queue-module.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { AttackProgram, AttackRow } from '../attack.ts';
import { CountingRedis, type ReceivedCounts } from '../growth/counted-stores.ts';

/** The tasks of each run. */
const TASKS = 100;
/** How many times as many messages a task may cost among more instances. */
const MAX_GROWTH = 1.5;

export const tasks: AttackProgram = {
  name: 'tasks',
  measures:
    'commands and messages of tasks with two steps on a queue, whose client waits, by the number of instances; they must not grow with it',
  run: async ({ isQuick, progress }) => {
    const counts: [instances: number, counts: Counts][] = [];
    for (const instances of isQuick ? [2, 4] : [3, 10, 30]) {
      progress(`${String(instances)} instances`);
      counts.push([instances, await measure(instances)]);
    }
    const least = counts[0]?.[1].received ?? 0;
    return counts.map(([instances, count]): AttackRow => ({
      name: `${String(instances)} instances`,
      bytes: count.bytes,
      milliseconds: 0,
      note: noteOf(count),
      fault: count.received > least * MAX_GROWTH ? 'messages of tasks grow with the instances' : undefined,
    }));
  },
};

/** Of one task. */
interface Counts {
  readonly scripts: number;
  readonly published: number;
  readonly subscribed: number;
  readonly received: number;
  /** Bytes that Redis read. */
  readonly bytes: number;
}

function noteOf({ scripts, published, subscribed, received }: Counts): string {
  const facts = {
    scripts,
    published,
    'subscribed and unsubscribed': subscribed,
    'messages received': received,
  };
  return Object.entries(facts)
    .map(([name, value]) => `${value.toFixed(1)} ${name}`)
    .join(', ');
}

async function measure(instances: number): Promise<Counts> {
  await using redis = await OwnRedis.start();
  const received = { count: 0, echoes: 0 };
  const apps: McpApplication[] = [];
  const client = await createClient({ url: redis.url }).connect();
  try {
    for (let index = 0; index < instances; index += 1) apps.push(await start(redis, received));
    const [first, last] = [apps[0], apps.at(-1)];
    if (first === undefined || last === undefined) throw new Error('There are no instances');
    await last.work({ signals: false });
    await callAll(first, 10);
    const before = await readStats(client);
    received.count = 0;
    await callAll(first, TASKS);
    const after = await readStats(client);
    const perTask = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / TASKS;
    return {
      scripts: perTask('evalsha') + perTask('eval'),
      published: perTask('publish'),
      subscribed: perTask('subscribe') + perTask('unsubscribe'),
      received: received.count / TASKS,
      bytes: Math.round(perTask('total_net_input_bytes')),
    };
  } finally {
    await Promise.all(apps.map((app) => app.close()));
    client.destroy();
  }
}

async function callAll(app: McpApplication, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { isError } = await app.call('reports_send', { label: String(index) });
    if (isError === true) throw new Error('A task failed');
  }
}

async function start({ url, port }: OwnRedis, received: ReceivedCounts): Promise<McpApplication> {
  const queues = bullQueues({ connection: { host: '127.0.0.1', port } });
  const client = new CountingRedis(url, { lazyConnect: true }, received);
  return McpApplication.create(QueueModule, {
    name: 'reports',
    backplane: redisBackplane({ client, queues }),
    secrets: ['of 32 bytes, which only the instances know'],
    logger: () => undefined,
  });
}

/** How often each command was called, those of scripts among them, and what came over the network. */
async function readStats(client: { info(section: string): Promise<string> }): Promise<Map<string, number>> {
  const text = `${await client.info('commandstats')}\n${await client.info('stats')}`;
  const found = text.matchAll(/^(?:cmdstat_([\w|]+):calls=(\d+)|(total_net_input_bytes):(\d+))/gm);
  return new Map(
    [...found].map(([, command, calls, bytes, count]) => [command ?? bytes ?? '', Number(calls ?? count)]),
  );
}
