import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeskClient } from '../../examples/support-desk/client/desk-client.ts';
import { User } from '../../examples/support-desk/client/user.ts';
import { addressOf, runExample } from '../support/example-process.ts';
import { useRedis } from '../support/services/use-services.ts';
import type { LineProcess } from '../support/line-process.ts';

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
const desks: LineProcess[] = [];
const clients: DeskClient[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-'));
  provider = runExample('support-desk/identity/main.ts');
  issuer = await addressOf(provider);
});
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
  for (const each of desks.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
});
afterAll(async () => {
  provider.kill('SIGKILL');
  await provider.ended;
  await rm(folder, { recursive: true, force: true });
});

describe.each(['2025-11-25', '2026-07-28'] as const)('desks that share a folder, in the era of %s', (era) => {
  async function openDesk(): Promise<{ readonly desk: LineProcess; readonly address: URL }> {
    const env = { PORT: '0', SUPPORT_DESK_FOLDER: folder, SUPPORT_DESK_ISSUER: issuer };
    const desk = runExample('support-desk/main.ts', [], env);
    desks.push(desk);
    return { desk, address: new URL(await addressOf(desk)) };
  }

  async function connect(address: URL): Promise<DeskClient> {
    const user = new User('ann');
    user.agrees = true;
    const client = await DeskClient.connect(era, address, user);
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
    const { desk, address } = await openDesk();
    const before = await connect(address);
    const refund = await refundAt(before);
    const { text } = await before.call('refunds', 'pay', refund);
    desk.kill('SIGKILL');
    await desk.ended;

    // At a port of its own: that of the first one may be taken by now
    const after = await connect((await openDesk()).address);
    expect(await after.call('refunds', 'pay', refund)).toEqual({ text, code: undefined, isReplay: true });
    expect(await refundsOf(after, refund)).toHaveLength(1);
  });

  test('two desks that get the same payment at once make it once', async () => {
    const pair = await Promise.all([openDesk(), openDesk()]);
    const [first, second] = await Promise.all(pair.map(({ address }) => connect(address)));
    const refund = await refundAt(first!);
    const answers = await Promise.all(
      [first!, second!].map((client) => client.call('refunds', 'pay', refund)),
    );
    expect(answers.map(({ isReplay }) => isReplay).sort()).toEqual([false, true]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(await refundsOf(second!, refund)).toHaveLength(1);
    pair[0].desk.kill('SIGINT');
    expect(await pair[0].desk.ended).toBe('SIGINT');
  });
});
