import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { AttackedServer } from '../attacked-server.ts';
import type { AttackRow, Target } from '../attack.ts';
import { HEAD, heapNote, inParallel, openSocket } from '../serving/requests.ts';
import { callOf } from '../time-call.ts';

const CALL = callOf('desk_short', '{}');
const POST = `${HEAD}content-length: ${String(CALL.length)}\r\n\r\n${CALL}`;

type Flood = (server: AttackedServer, target: Target) => Promise<Omit<AttackRow, 'milliseconds'>>;

const FLOODS: readonly Flood[] = [pipelined, halfHeads, garbage, contradictions];

/** Floods the wire of HTTP below the protocol; the figure is how long a harmless call takes during the flood. */
export async function floodWire(target: Target): Promise<readonly AttackRow[]> {
  const rows: AttackRow[] = [];
  for (const flood of FLOODS) {
    const server = await target.serve('serving', { nodeOptions: ['--expose-gc'] });
    try {
      for (let warm = 0; warm < 200; warm += 1) await server.post(CALL);
      const benign = await latency(server);
      const before = await server.vitals();
      const row = await flood(server, target);
      const milliseconds = await latency(server);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const note = [row.note, heapNote(before, await server.vitals())].join('; ');
      rows.push({ ...row, benign, milliseconds, note });
      target.progress(`${row.name}: ${note}`);
    } finally {
      await server.close();
    }
  }
  return rows;
}

async function latency(server: AttackedServer): Promise<number> {
  const start = performance.now();
  await server.post(CALL);
  return performance.now() - start;
}

/** One connection that sends many requests before it reads an answer. */
async function pipelined(
  server: AttackedServer,
  { isQuick }: Target,
): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 1000 : 50_000;
  const socket = openSocket(server).setEncoding('utf8');
  let [answered, rest] = [0, ''];
  const isDone = new Promise<void>((resolve) => {
    socket.once('close', resolve).on('data', (text: string) => {
      const parts = (rest + text).split('HTTP/1.1 ');
      answered += parts.length - 1;
      rest = parts.at(-1)?.slice(-20) ?? '';
      if (answered >= count) resolve();
    });
  });
  await once(socket, 'connect');
  for (let sent = 0; sent < count; sent += 100) {
    if (!socket.write(POST.repeat(100)))
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
  }
  await isDone;
  socket.destroy();
  return {
    name: `${String(count)} requests in one go`,
    bytes: count * POST.length,
    note: `${String(answered)} answered`,
  };
}

/** Connections that never end their head. */
async function halfHeads(
  server: AttackedServer,
  { isQuick }: Target,
): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 200 : 5000;
  const sockets: Socket[] = [];
  await inParallel(count, async () => {
    const socket = openSocket(server);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write('POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-');
  });
  const meanwhile = await latency(server);
  for (const socket of sockets) socket.destroy();
  return {
    name: `${String(count)} connections with half a head`,
    bytes: 0,
    note: `a call beside them: ${meanwhile.toFixed(1)} ms`,
  };
}

/** Bytes that are no HTTP. */
async function garbage(
  server: AttackedServer,
  { isQuick }: Target,
): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 200 : 5000;
  let closed = 0;
  await inParallel(count, async (index) => {
    const socket = openSocket(server);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'connect');
    socket.resume().write(Buffer.alloc(2000, index % 256));
    if (index % 7 === 0) socket.end();
    await Promise.race([
      ended.then(() => (closed += 1)),
      new Promise((resolve) => setTimeout(resolve, 2000)),
    ]);
    socket.destroy();
  });
  return {
    name: `${String(count)} connections with garbage`,
    bytes: 2000 * count,
    note: `${String(closed)} closed by the server`,
  };
}

/** Heads that say two things at once, by which proxies and servers are played off against each other. */
async function contradictions(
  server: AttackedServer,
  { isQuick }: Target,
): Promise<Omit<AttackRow, 'milliseconds'>> {
  const body = `0\r\n\r\n${POST}`;
  const heads = [
    `content-length: ${String(body.length)}\r\ntransfer-encoding: chunked`,
    `transfer-encoding: chunked\r\ncontent-length: 3`,
    'content-length: 3\r\ncontent-length: 4',
    'content-length: -1',
    'content-length: 1e9',
    'transfer-encoding: xchunked',
    'transfer-encoding: chunked, identity',
    'host: other\r\ncontent-length: 3',
    `x-long: ${'x'.repeat(100_000)}`,
    Array.from({ length: 3000 }, (_, index) => `x-${String(index)}: 1`).join('\r\n'),
    'content-length : 3',
    ' content-length: 3',
  ];
  const times = isQuick ? 2 : 50;
  const statuses = new Map<string, number>();
  await inParallel(heads.length * times, async (index) => {
    const socket = openSocket(server).setEncoding('utf8');
    await once(socket, 'connect');
    let answer = '';
    const ended = new Promise((resolve) =>
      socket.once('close', resolve).on('data', (text: string) => (answer += text)),
    );
    socket.write(`${HEAD}${String(heads[index % heads.length])}\r\n\r\n${body}`);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))]);
    socket.destroy();
    const told = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join('+');
    statuses.set(told, (statuses.get(told) ?? 0) + 1);
  });
  const note = [...statuses]
    .map(([status, count]) => `${status === '' ? 'nothing' : status}: ${String(count)}`)
    .join(', ');
  return { name: 'heads that contradict themselves', bytes: 0, note };
}
