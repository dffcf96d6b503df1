import { envelope } from '../../support/client-of-2026.ts';
import type { AttackedServer, Vitals } from '../attacked-server.ts';
import type { AttackRow, Target } from '../attack.ts';
import { initialize, inParallel, MEGABYTE, requests2026 } from '../serving/requests.ts';
import { HeldStreams } from './held-streams.ts';

type Open = (server: AttackedServer, streams: HeldStreams, person: string) => Promise<boolean>;

const LISTEN = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    _meta: envelope(),
    notifications: { resourcesListChanged: true, resourceSubscriptions: ['pages://one'] },
  },
});
const TOUCH = { name: 'desk_touch_run', arguments: {} };
const HEADERS_2026 = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
};

/** The ways to have a stream that stands open, and how many events one change brings there. */
const KINDS: readonly { readonly name: string; readonly events: number; readonly open: Open }[] = [
  {
    name: 'subscriptions of 2026-07-28',
    events: 2,
    open: (_server, streams, person) =>
      streams.add('POST', { ...HEADERS_2026, authorization: person }, LISTEN),
  },
  {
    name: 'sessions with a stream',
    // Nobody subscribed to the page
    events: 1,
    open: async (server, streams, person) => {
      const [, id] = await initialize(server, person);
      if (id === null) return false;
      return streams.add('GET', { accept: 'text/event-stream', authorization: person, 'mcp-session-id': id });
    },
  },
];

/** Streams that are all held open, and a change that all of them are notified of. */
export async function holdStreams(target: Target): Promise<readonly AttackRow[]> {
  const count = target.isQuick ? 300 : 10_000;
  const rows: AttackRow[] = [];
  for (const { name, events, open } of KINDS) {
    const server = await target.serve('streams', {
      nodeOptions: ['--expose-gc'],
      environment: { STREAMS: String(2 * count) },
    });
    const streams = new HeldStreams(server);
    const before = await server.vitals();
    await inParallel(count, () => open(server, streams, 'bob'));
    const held = streams.open;
    const during = await server.vitals();
    const start = performance.now();
    await Promise.all([requests2026(server).send('tools/call', TOUCH), streams.heard(held * events)]);
    const milliseconds = performance.now() - start;
    const told = await server.vitals();
    streams.close();
    const after = await whenFreed(server, before);
    await server.close();
    const each = Math.round((during.heapUsed - before.heapUsed) / held / 1024);
    const left = ((after.heapUsed - before.heapUsed) / MEGABYTE).toFixed(1);
    const loop = `the loop was held for ${told.held.toFixed(0)} ms`;
    const note = `${String(held)} open, ${String(each)} KiB each; ${loop}; left behind: ${left} MB, ${String(after.handles - before.handles)} handles`;
    rows.push({ name: `${String(count)} ${name}`, bytes: 0, milliseconds, note });
    target.progress(`${name}: ${note}`);
  }
  return rows;
}

/** One person opens as many as there may be, and then others do: how many each of them has. */
export async function shareStreams(target: Target): Promise<readonly AttackRow[]> {
  const most = target.isQuick ? 100 : 5000;
  const rows: AttackRow[] = [];
  for (const { name, open } of KINDS) {
    const server = await target.serve('streams', { environment: { STREAMS: String(most) } });
    const start = performance.now();
    const people = ['bob', 'alice', 'carol'].map((person) => ({ person, streams: new HeldStreams(server) }));
    for (const { person, streams } of people) {
      await inParallel(person === 'bob' ? most + 50 : most / 4, () => open(server, streams, person));
    }
    const shares = people.map(({ person, streams }) => `${person} ${String(streams.open)}`);
    for (const { streams } of people) streams.close();
    await server.close();
    const note = `of ${String(most)}: ${shares.join(', ')}`;
    rows.push({ name: `shares of ${name}`, bytes: 0, milliseconds: performance.now() - start, note });
    target.progress(`${name}: ${note}`);
  }
  return rows;
}

/** Streams are found to be closed one after the other. */
async function whenFreed(server: AttackedServer, before: Vitals): Promise<Vitals> {
  let vitals = await server.vitals();
  for (let turn = 0; turn < 50 && vitals.handles > before.handles + 40; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    vitals = await server.vitals();
  }
  return vitals;
}
