import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttackedServer } from '../attacked-server.ts';
import type { AttackRow, Target } from '../attack.ts';
import { callOf } from '../time-call.ts';
import { HEAD, heapNote, inParallel, MEGABYTE, openSocket, post } from './requests.ts';

/** Or closed, for a server that is attacked may die. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve).once('close', resolve);
  });
}

/** Two connections with bodies that come one byte a chunk, below the limit of a body. */
export function singleBytes(target: Target): Promise<AttackRow> {
  return sendSingleBytes(target, 2, target.isQuick ? 200_000 : 1_900_000);
}

/** The same over many connections at once. */
export function manySingleBytes(target: Target): Promise<AttackRow> {
  return sendSingleBytes(target, 20, target.isQuick ? 20_000 : 1_900_000);
}

/** @param count the bytes that each connection sends */
async function sendSingleBytes(
  { serve, progress }: Target,
  connections: number,
  count: number,
): Promise<AttackRow> {
  const server = await serve('serving', { nodeOptions: ['--max-old-space-size=512'] });
  const start = performance.now();
  let refused = -connections;
  const begin = (): Socket => {
    refused += 1;
    const socket = openSocket(server);
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    return socket;
  };
  let sockets = Array.from({ length: connections }, begin);
  const beside = callBeside(server);
  const chunks = '1\r\nx\r\n'.repeat(10_000);
  let sent = 0;
  for (; sent < count; sent += 10_000) {
    sockets = sockets.map((socket) => (socket.destroyed ? begin() : socket));
    for (const socket of sockets) if (!socket.write(chunks)) await drained(socket);
  }
  const { calls, longest } = await beside.stop();
  const memory = await server.vitals().then(
    ({ rss }) => `rss ${String(Math.round(rss / MEGABYTE))} MB`,
    () => 'the process has died',
  );
  progress(`single bytes: ${memory}`);
  for (const socket of sockets) socket.destroy();
  await server.close();
  return {
    name: `chunks of one byte over ${String(connections)} connections`,
    bytes: 6 * connections * sent,
    milliseconds: performance.now() - start,
    note: `${memory}; ${String(refused)} refused; ${String(calls)} calls beside it, the longest ${longest.toFixed(0)} ms`,
    fault: calls === 0 ? 'no call was answered beside it' : undefined,
  };
}

/** Calls one after the other until it is stopped. */
function callBeside(server: AttackedServer): { stop(): Promise<{ calls: number; longest: number }> } {
  const over = new AbortController();
  const counted = { calls: 0, longest: 0 };
  const calling = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      const answer = await post(server, callOf('desk_short', '{}'));
      await answer.text();
      const { status } = answer;
      if (status !== 200) throw new Error(`A call beside the attack got ${String(status)}`);
      counted.calls += 1;
      counted.longest = Math.max(counted.longest, performance.now() - begun);
      await nextTurn();
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await calling;
      return counted;
    },
  };
}

/** Asks for long answers and reads none. */
export async function unreadAnswers({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving');
  const start = performance.now();
  const before = await server.vitals();
  const body = callOf('desk_long', '{}');
  const sockets: Socket[] = [];
  for (let count = 0; count < (isQuick ? 30 : 75); count += 1) {
    const socket = openSocket(server).pause();
    socket.write(`${HEAD}content-length: ${String(body.length)}\r\n\r\n${body}`);
    await once(socket, 'readable');
    sockets.push(socket);
  }
  const after = await server.vitals();
  const grown = Math.round((after.rss - before.rss) / MEGABYTE);
  for (const socket of sockets) socket.destroy();
  await server.close();
  return {
    name: `${String(sockets.length)} unread answers of 14 MB`,
    bytes: 0,
    milliseconds: performance.now() - start,
    note: `rss +${String(grown)} MB`,
  };
}

/** Calls without a session, and connections that are reset in the middle of a body. */
export async function manyCalls({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { nodeOptions: ['--expose-gc'] });
  const count = isQuick ? 5000 : 100_000;
  const body = callOf('desk_short', '{}');
  const call = async (): Promise<void> => {
    await (await post(server, body)).text();
  };
  for (let warm = 0; warm < 1000; warm += 1) await call();
  const before = await server.vitals();
  const start = performance.now();
  await inParallel(count, call);
  for (let reset = 0; reset < 600; reset += 1) {
    const socket = openSocket(server);
    await once(socket, 'connect');
    socket.write(`${HEAD}content-length: 1000\r\n\r\n{"a`, () => socket.resetAndDestroy());
  }
  const milliseconds = performance.now() - start;
  const after = await server.vitals();
  await server.close();
  return {
    name: `${String(count)} calls, 600 resets`,
    bytes: 0,
    milliseconds,
    note: heapNote(before, after),
  };
}

/** Calls that tell their progress, each reset by its client when the first report has come. */
export async function resetStreams({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { nodeOptions: ['--expose-gc'] });
  const count = isQuick ? 200 : 3000;
  const params = { name: 'desk_steps_run', arguments: {}, _meta: { progressToken: 'p' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const reset = async (): Promise<void> => {
    const socket = openSocket(server);
    socket.write(`${HEAD}content-length: ${String(body.length)}\r\n\r\n${body}`);
    const isOver = new Promise((resolve) => socket.once('close', resolve));
    socket.once('data', () => socket.resetAndDestroy());
    await isOver;
  };
  await inParallel(100, reset);
  const before = await server.vitals();
  const start = performance.now();
  await inParallel(count, reset);
  const milliseconds = performance.now() - start;
  // What a handler still waits for when its client has gone.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = await server.vitals();
  await server.close();
  return {
    name: `${String(count)} progress streams reset`,
    bytes: 0,
    milliseconds,
    note: heapNote(before, after),
  };
}
