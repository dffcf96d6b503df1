import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { findService } from '../../test/support/services/find-service.ts';
import { REDIS } from '../../test/support/services/service.ts';
import { startRedis } from '../../test/support/services/start-redis.ts';
import { modernCall, type HttpCall } from '../load/http-call.ts';
import { loadOverHttp } from '../load/http-load.ts';
import { callWithKeys } from '../load/keyed-calls.ts';
import { openSessions } from '../load/open-sessions.ts';
import { MARK, sampleOrder } from '../order/sample-order.ts';
import { ServerProcess, type ServerProgram } from '../processes/server-process.ts';
import { compareSides } from '../results/rounds.ts';
import type { Figure, Section, SectionContext } from '../results/section.ts';
import type { Spread } from '../results/spread.ts';
import { takeTurns } from '../results/take-turns.ts';
import { ownProgram, TOOLWRIGHT } from './programs.ts';

/** What a replica says of itself; times are in microseconds. */
interface Counts {
  readonly roundTrips: number;
  readonly published: number;
  readonly delivered: number;
  readonly processor: number;
}

const REPLICAS = 3;
const CALLS = 2000;
const KEYED_CALLS = 1000;
const CHANGES = 20;
const FEW = 1000;
const MANY = 10_000;

/** Replicas share the processors of one machine, so they are not raced: what grows with them is counted. */
export const cluster: Section = {
  name: 'cluster',
  title: `${REPLICAS} replicas on one Redis`,
  seconds: 60,
  targets: [
    'clusterStateless',
    'clusterSession',
    'clusterLimits',
    'clusterSessionTime',
    'clusterKeyedTime',
    'clusterMemory',
    'clusterCommands',
    'clusterMessages',
  ],
  run: async (context) => {
    const redis = await openRedis();
    const servers: ServerProcess[] = [];
    try {
      const start = async (...given: Parameters<typeof replica>): Promise<ServerProcess> => {
        const server = await ServerProcess.start(replica(...given));
        servers.push(server);
        return server;
      };
      const alone = await start(IN_MEMORY);
      const one = await start(ON_REDIS, redis.url);
      for (let count = 1; count < REPLICAS; count += 1) await start(ON_REDIS, redis.url);
      return await measure([alone, one, ...servers.slice(2)], redis.url, context);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await redis.stop();
    }
  },
};

type Servers = readonly [alone: ServerProcess, one: ServerProcess, ...others: ServerProcess[]];

const IN_MEMORY = `${TOOLWRIGHT}, alone`;
const ON_REDIS = `${TOOLWRIGHT}, on Redis`;

function replica(name: string, ...store: readonly string[]): ServerProgram {
  return { ...ownProgram('replica-http', ...store), name };
}

async function measure(
  [alone, one, ...others]: Servers,
  store: string,
  context: SectionContext,
): ReturnType<Section['run']> {
  const stateless = await roundTripsPerCall(one, [modernCall], context);
  const session = await roundTripsPerCall(one, await openSessions(one.url), context);
  const limits = await roundTripsPerCall(one, [limitedCall], context);
  const sessionTime = await processorTime([alone, one], callInSessions, context);
  const keyedTime = await processorTime([alone, one], callKeyed, context);
  const messages = await messagesPerChange([one, ...others]);
  const { memory, commands, bytes } = await growth(one, store, context);
  const figures: readonly Figure[] = [
    { name: 'round trips to the store per call, 2026-07-28', ratio: stateless },
    { name: 'round trips to the store per call in a session of 2025', ratio: session },
    { name: 'round trips to the store per call with three limits', ratio: limits },
    { name: 'processor time per call in a session', ratio: sessionTime },
    { name: 'processor time per call with a key', ratio: keyedTime },
    { name: `memory of Redis per session, ${MANY} / ${FEW}`, ratio: memory, note: `${bytes} bytes each` },
    { name: `round trips per session, ${MANY} / ${FEW}`, ratio: commands },
    { name: 'messages per change of a list and replica', ratio: messages },
  ];
  return {
    reference: `one replica that keeps everything in its memory, for times; counts are counts`,
    figures,
    targets: {
      clusterStateless: stateless,
      clusterSession: session,
      clusterLimits: limits,
      clusterSessionTime: sessionTime,
      clusterKeyedTime: keyedTime,
      clusterMemory: memory,
      clusterCommands: commands,
      clusterMessages: messages,
    },
  };
}

const limitedCall: HttpCall = {
  message: {
    method: 'tools/call',
    params: { ...(modernCall.message['params'] as object), name: 'count_order', arguments: sampleOrder() },
  },
  headers: { ...modernCall.headers, 'mcp-name': 'count_order' },
};

const countsOf = async (server: ServerProcess, question = 'counts'): Promise<Counts> =>
  (await server.ask(question)) as Counts;

const exactly = (value: number): Spread => ({ median: value, minimum: value, maximum: value });

async function roundTripsPerCall(
  server: ServerProcess,
  calls: readonly HttpCall[],
  { window, progress }: SectionContext,
): Promise<Spread> {
  progress('counting round trips');
  // The first run of a script takes two
  await loadOverHttp(server.url, { calls, mark: MARK, window: window * 10, enough: 100 });
  const before = await countsOf(server);
  const { answers } = await loadOverHttp(server.url, {
    calls,
    mark: MARK,
    window: window * 10,
    enough: CALLS,
  });
  const after = await countsOf(server);
  return exactly((after.roundTrips - before.roundTrips) / answers);
}

/** Sends calls, and gives how many there were. */
type Send = (server: ServerProcess, context: SectionContext) => Promise<number>;

const callInSessions: Send = async ({ url }, { window }) => {
  const { answers } = await loadOverHttp(url, { calls: await openSessions(url), mark: MARK, window });
  return answers;
};

const callKeyed: Send = async ({ url }) => {
  await callWithKeys(url, 'place_order', KEYED_CALLS);
  return KEYED_CALLS;
};

/** Of the replica on Redis, as a multiple of the one in memory. */
async function processorTime(
  servers: readonly [ServerProcess, ServerProcess],
  send: Send,
  context: SectionContext,
): Promise<Spread> {
  for (const server of servers) await send(server, { ...context, window: context.warmUp });
  const sides = servers.map((server) => ({
    name: server.name,
    measure: async () => {
      const before = await countsOf(server);
      const calls = await send(server, context);
      const after = await countsOf(server);
      return (after.processor - before.processor) / calls;
    },
  }));
  return compareSides(await takeTurns(sides, [IN_MEMORY], context), ON_REDIS, IN_MEMORY);
}

async function messagesPerChange(replicas: readonly ServerProcess[]): Promise<Spread> {
  const [one] = replicas as readonly [ServerProcess];
  const before = await countsOf(one);
  for (let count = 0; count < CHANGES; count += 1) await one.ask('announce');
  await wait(500);
  const after = await countsOf(one);
  if (after.published === before.published) throw new Error('No change was published');
  return exactly((after.delivered - before.delivered) / CHANGES / replicas.length);
}

/** How much a session costs the store when there are many, to what it costs when there are few. */
async function growth(
  server: ServerProcess,
  store: string,
  { progress }: SectionContext,
): Promise<{ readonly memory: Spread; readonly commands: Spread; readonly bytes: number }> {
  const client = await createClient({ url: store }).connect();
  const usage = async (): Promise<{ readonly memory: number; readonly roundTrips: number }> => {
    const memory = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
    return { memory, roundTrips: (await countsOf(server)).roundTrips };
  };
  const open = async (count: number): Promise<{ readonly memory: number; readonly roundTrips: number }> => {
    const before = await usage();
    // Each call opens as many as there are clients
    const { length: batch } = await openSessions(server.url);
    for (let opened = batch; opened < count; opened += batch) await openSessions(server.url);
    const sessions = Math.ceil(count / batch) * batch;
    const after = await usage();
    return {
      memory: (after.memory - before.memory) / sessions,
      roundTrips: (after.roundTrips - before.roundTrips) / sessions,
    };
  };
  try {
    progress(`opening ${FEW} sessions`);
    // The first ones make tables grow that are small at the start
    await open(FEW);
    const few = await open(FEW);
    progress(`opening ${MANY} sessions`);
    const many = await open(MANY - FEW);
    return {
      memory: exactly(many.memory / few.memory),
      commands: exactly(many.roundTrips / few.roundTrips),
      bytes: Math.round(many.memory),
    };
  } finally {
    client.destroy();
  }
}

async function openRedis(): Promise<{ readonly url: string; readonly stop: () => Promise<unknown> }> {
  const found = await findService(REDIS);
  if ('given' in found) return { url: found.given, stop: () => Promise.resolve() };
  const running = await startRedis(found.program, tmpdir());
  return { url: running.address, stop: () => running.stop() };
}
