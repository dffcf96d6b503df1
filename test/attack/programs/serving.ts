import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AttackedServer } from '../attacked-server.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { callOf } from '../time-call.ts';

export const serving: AttackProgram = {
  name: 'serving',
  measures: 'what bodies, sessions, unread answers and many calls cost the process, and whom they shut out',
  run: async (target) => [
    await singleBytes(target),
    await manySessions(target),
    await unreadAnswers(target),
    await manyCalls(target),
  ],
};

const MEGABYTE = 1024 * 1024;
const HEAD =
  'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
  'accept: application/json, text/event-stream\r\n';
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '0' } },
});

function open(server: AttackedServer): Socket {
  return connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
}

/** Two connections with bodies that come one byte a chunk, below the limit of a body. */
async function singleBytes({ isQuick, serve, progress }: Target): Promise<AttackRow> {
  const count = isQuick ? 200_000 : 1_900_000;
  const server = await serve('serving', { nodeOptions: ['--max-old-space-size=512'] });
  const start = performance.now();
  const sockets = [open(server), open(server)];
  const chunks = '1\r\nx\r\n'.repeat(10_000);
  for (const socket of sockets) socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
  let sent = 0;
  for (; sent < count && sockets.every(({ destroyed }) => !destroyed); sent += 10_000) {
    for (const socket of sockets)
      if (!socket.write(chunks)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  const memory = await server.vitals().then(
    ({ rss }) => `rss ${String(Math.round(rss / MEGABYTE))} MB`,
    () => 'the process has died',
  );
  progress(`single bytes: ${memory}`);
  for (const socket of sockets) socket.destroy();
  await server.close();
  return {
    name: 'chunks of one byte',
    bytes: 12 * sent,
    milliseconds: performance.now() - start,
    note: memory,
  };
}

/** One caller opens as many sessions as it can, and a stream in each; then another one calls. */
async function manySessions({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { environment: { SESSIONS: 'on' } });
  const start = performance.now();
  const initialize = async (person: string): Promise<readonly [number, string | null]> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: person,
    };
    const response = await fetch(server.url, { method: 'POST', headers, body: INITIALIZE });
    await response.text();
    return [response.status, response.headers.get('mcp-session-id')];
  };
  const [, alice] = await initialize('alice');
  const streams: Response[] = [];
  for (let count = 0; count < (isQuick ? 1050 : 2000); count += 1) {
    const [, id] = await initialize('bob');
    if (id === null) continue;
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id, authorization: 'bob' };
    streams.push(await fetch(server.url, { headers }));
  }
  const ping = await server.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', {
    headers: { authorization: 'alice', 'mcp-session-id': String(alice) },
  });
  const [next] = await initialize('alice');
  const note = `${String(streams.length)} sessions; the other: old session ${String(ping.status)}, new one ${String(next)}`;
  for (const { body } of streams) await body?.cancel().catch(() => undefined);
  await server.close();
  return { name: 'sessions with streams', bytes: 0, milliseconds: performance.now() - start, note };
}

/** Asks for long answers and reads none. */
async function unreadAnswers({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving');
  const start = performance.now();
  const before = await server.vitals();
  const body = callOf('desk_long', '{}');
  const sockets: Socket[] = [];
  for (let count = 0; count < (isQuick ? 30 : 75); count += 1) {
    const socket = open(server).pause();
    socket.write(`${HEAD}content-length: ${String(body.length)}\r\n\r\n${body}`);
    await once(socket, 'readable');
    sockets.push(socket);
  }
  const after = await server.vitals();
  const grown = Math.round((after.rss - before.rss) / MEGABYTE);
  for (const socket of sockets) socket.destroy();
  await server.close();
  const note = `rss +${String(grown)} MB`;
  return {
    name: `${String(sockets.length)} unread answers of 14 MB`,
    bytes: 0,
    milliseconds: performance.now() - start,
    note,
  };
}

/** Calls without a session, and connections that are reset in the middle of a body. */
async function manyCalls({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { nodeOptions: ['--expose-gc'] });
  const count = isQuick ? 5000 : 100_000;
  const body = callOf('desk_short', '{}');
  const call = async (): Promise<void> => {
    const response = await fetch(server.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    await response.text();
  };
  for (let warm = 0; warm < 1000; warm += 1) await call();
  const before = await server.vitals();
  const start = performance.now();
  const workers = Array.from({ length: 16 }, async () => {
    for (let done = 0; done < count / 16; done += 1) await call();
  });
  await Promise.all(workers);
  for (let reset = 0; reset < 600; reset += 1) {
    const socket = open(server);
    await once(socket, 'connect');
    socket.write(`${HEAD}content-length: 1000\r\n\r\n{"a`, () => socket.resetAndDestroy());
  }
  const milliseconds = performance.now() - start;
  const after = await server.vitals();
  const mega = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
  await server.close();
  return {
    name: `${String(count)} calls, 600 resets`,
    bytes: 0,
    milliseconds,
    note: `heap ${mega(before.heapUsed)} -> ${mega(after.heapUsed)} MB`,
  };
}
