import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeskClient } from '../../examples/support-desk/client/desk-client.ts';
import { User } from '../../examples/support-desk/client/user.ts';
import { addressOf, runExample } from '../support/example-process.ts';
import { roundRobin, type RoundRobin } from '../support/round-robin.ts';
import { useRedis } from '../support/services/use-services.ts';
import type { LineProcess } from '../support/line-process.ts';
import { tries } from '../support/thorough.ts';

const redis = useRedis();

test('the same client does its work at three desks and two workers, without noticing them', async () => {
  const own = await mkdtemp(join(tmpdir(), 'toolwright-cluster-'));
  const env = { SUPPORT_DESK_FOLDER: own, SUPPORT_DESK_REDIS: redis.url };
  const cluster = runExample('support-desk/cluster/main.ts', [], env);
  try {
    const client = runExample('support-desk/client.ts', [await addressOf(cluster)]);
    expect([await client.ended, client.stderr]).toEqual([0, []]);
    expect(client.stdout.filter((line) => line.startsWith('ok   '))).toHaveLength(24);
  } finally {
    cluster.kill('SIGTERM');
    expect(await cluster.ended).toBe(0);
    await rm(own, { recursive: true, force: true });
  }
});

let folder: string;
let provider: LineProcess;
let issuer: string;
/** The address of all desks. */
let proxy: RoundRobin;
/** Those that serve there. */
const backends: { readonly url: string; readonly isDown: boolean }[] = [];
/** The desk of each session, and of what has none. */
const sessions = new Map<string, number>();
let current: number | undefined;
const desks: LineProcess[] = [];
const clients: DeskClient[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-'));
  provider = runExample('support-desk/identity/main.ts');
  issuer = await addressOf(provider);
  proxy = await roundRobin(backends);
  proxy.pin(({ headers: { 'mcp-session-id': id } }) => {
    if (typeof id !== 'string') return current;
    if (!sessions.has(id)) sessions.set(id, current ?? 0);
    return sessions.get(id);
  });
});
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
  for (const each of desks.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
  backends.splice(0);
});
afterAll(async () => {
  provider.kill('SIGKILL');
  await provider.ended;
  await proxy.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each((['2025-11-25', '2026-07-28'] as const).slice(-tries(1, 2)))(
  'desks that share a folder, in the era of %s',
  (era) => {
    async function openDesk(): Promise<LineProcess> {
      const desk = runExample('support-desk/main.ts', [], {
        ...{ PORT: '0', SUPPORT_DESK_FOLDER: folder, SUPPORT_DESK_ISSUER: issuer },
        ...{
          SUPPORT_DESK_URL: proxy.url,
          SUPPORT_DESK_SECRETS: 'the secret of all desks of this test',
        },
      });
      desks.push(desk);
      backends.push({ url: await addressOf(desk), isDown: false });
      return desk;
    }

    /** @param at the desk that has the session of the client */
    async function connect(at: number): Promise<DeskClient> {
      const user = new User('ann');
      user.agrees = true;
      current = at;
      const client = await DeskClient.connect(era, new URL(proxy.url), user);
      current = undefined;
      clients.push(client);
      return client;
    }

    /** A refund of a ticket that was opened for it. */
    async function refundAt(client: DeskClient): Promise<object> {
      const opened = await client.call('tickets', 'open', { customer: 'Kim', subject: 'Lost', paid: 5000 });
      const { ticket } = JSON.parse(opened.text) as { readonly ticket: number };
      const idempotencyKey = `refund-${String(ticket)}`;
      return { ticket, amount: 1000, account: 'DE02120300000000202051', idempotencyKey };
    }

    const refundsOf = async (client: DeskClient, refund: object): Promise<readonly object[]> => {
      const { ticket } = refund as { readonly ticket: number };
      return JSON.parse((await client.call('refunds', 'list', { ticket })).text) as readonly object[];
    };

    test('a desk that was killed gives the answer of its last life, and pays nothing again', async () => {
      const desk = await openDesk();
      const before = await connect(0);
      const refund = await refundAt(before);
      const { text } = await before.call('refunds', 'pay', refund);
      desk.kill('SIGKILL');
      await desk.ended;
      backends.splice(0);

      await openDesk();
      const after = await connect(0);
      expect(await after.call('refunds', 'pay', refund)).toEqual({ text, code: undefined, isReplay: true });
      expect(await refundsOf(after, refund)).toHaveLength(1);
    });

    test('two desks that get the same payment at once make it once', async () => {
      await Promise.all([openDesk(), openDesk()]);
      const first = await connect(0);
      const second = await connect(1);
      const refund = await refundAt(first);
      const answers = await Promise.all(
        [first, second].map((client) => client.call('refunds', 'pay', refund)),
      );
      expect(answers.map(({ isReplay }) => isReplay).sort()).toEqual([false, true]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
      expect(await refundsOf(second, refund)).toHaveLength(1);
      desks[0]?.kill('SIGINT');
      expect(await desks[0]?.ended).toBe('SIGINT');
    });
  },
);
