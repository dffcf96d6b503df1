/**
 * Works at the desk of the address given as argument, as several people and in both protocol eras; without one it starts
 * a desk of its own:
 *
 *     node --import @oxc-node/core/register support-desk/client.ts [http://127.0.0.1:3000/mcp]
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { check } from '../connect.ts';
import type { Era } from './client/connection.ts';
import { DeskClient } from './client/desk-client.ts';
import { startDesk } from './client/own-desk.ts';
import { User } from './client/user.ts';
import type { TicketPage } from './tickets/outputs.ts';
import type { Ticket } from './tickets/ticket-store.ts';

const desk = process.argv[2] === undefined ? await startDesk() : undefined;
const address = new URL(desk?.address ?? process.argv[2] ?? '');

// Each era works for a company of its own
await work('2025-11-25', { agent: 'ann', lead: 'lee', admin: 'ada', stranger: 'sam' });
await work('2026-07-28', { agent: 'sam', lead: 'lou', admin: 'max', stranger: 'ann' });
await desk?.stop();

async function work(
  era: Era,
  people: Readonly<Record<'agent' | 'lead' | 'admin' | 'stranger', string>>,
): Promise<void> {
  const connect = async (name: string) => {
    const user = new User(name);
    return { user, client: await DeskClient.connect(era, address, user) };
  };
  const { user, client } = await connect(people.agent);
  const others = [await connect(people.lead), await connect(people.admin), await connect(people.stranger)];
  const [lead, admin, stranger] = others.map((other) => other.client) as [DeskClient, DeskClient, DeskClient];
  const checkEra = (what: string, body: () => Promise<void>) => check(`${era}: ${what}`, body);

  const done = async (...call: Parameters<DeskClient['call']>): Promise<string> => {
    const { text, code } = await client.call(...call);
    assert.equal(code, undefined, text);
    return text;
  };
  const codeOf = async (...call: Parameters<DeskClient['call']>) => (await client.call(...call)).code;

  await checkEra('a client without a token is shown where to sign in, and asks for little', async () => {
    const { status, headers } = await fetch(address, { method: 'POST' });
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', /resource_metadata=/);
    assert.deepEqual(user.signIns, ['tickets:read']);
  });

  await checkEra('an agent and an admin see different tools', async () => {
    const tickets = ['list', 'read', 'report', 'open', 'reply', 'assign'];
    assert.deepEqual(await client.actions(), { tickets, refunds: ['list', 'pay'] });
    assert.deepEqual(await admin.actions(), { tickets: [...tickets, 'forget'], refunds: ['list', 'pay'] });
  });

  let ticket = 0;
  await checkEra('the first call that changes something makes the user sign in for it', async () => {
    const subject = 'The parcel was empty';
    ({ ticket } = JSON.parse(
      await done('tickets', 'open', { customer: 'Kim', subject, paid: 5000 }),
    ) as Ticket);
    assert.deepEqual(user.signIns.at(-1)?.split(' ').sort(), ['tickets:read', 'tickets:write']);
    assert.match(await done('tickets', 'list'), /The parcel was empty/);
  });

  await checkEra('a ticket of another company is answered as one that does not exist', async () => {
    const [foreign, unknown] = [
      await stranger.call('tickets', 'read', { ticket }),
      await stranger.call('tickets', 'read', { ticket: 999_999 }),
    ];
    assert.equal(foreign.code, 'FORBIDDEN');
    assert.deepEqual(foreign, unknown);
    assert.equal((await lead.call('tickets', 'read', { ticket })).code, undefined);
  });

  await checkEra('what only others may do is refused, or does not exist', async () => {
    assert.equal(await codeOf('tickets', 'assign', { ticket, assignee: people.lead }), 'FORBIDDEN');
    const [hidden, misspelt] = [
      await client.call('tickets', 'forget', { customer: 'Kim' }),
      await client.call('tickets', 'erases', { customer: 'Kim' }),
    ];
    assert.equal(hidden.code, 'UNKNOWN_ACTION');
    assert.equal(hidden.text.replaceAll('forget', '…'), misspelt.text.replaceAll('erases', '…'));
  });

  await checkEra('a list that is too long comes in pages, without a gap', async () => {
    const subject = 'The parcel was empty, and nobody answers the telephone. '.repeat(3);
    const opened = [ticket];
    for (let n = 0; n < 10; n += 1) {
      const text = await done('tickets', 'open', { customer: 'Kim', subject });
      opened.push((JSON.parse(text) as Ticket).ticket);
    }
    const pages: TicketPage[] = [];
    for (let after: number | undefined = ticket - 1; after !== undefined; after = pages.at(-1)?.nextCursor) {
      pages.push(JSON.parse(await done('tickets', 'list', { after })) as TicketPage);
    }
    assert.ok(pages.length > 1);
    assert.deepEqual(
      pages.flatMap(({ tickets }) => tickets.map((each) => each.ticket)),
      opened,
    );
  });

  await checkEra('a report is written by another process, and the client waits for it', async () => {
    assert.deepEqual(JSON.parse(await done('tickets', 'report')), { Kim: 11 });
  });

  const refund = { ticket, amount: 2000, account: 'DE02120300000000202051', idempotencyKey: randomUUID() };
  await checkEra('money is paid back only if the user agrees', async () => {
    assert.equal(await codeOf('refunds', 'pay', refund), 'CONSENT_DECLINED');
    assert.match(user.signIns.at(-1) ?? '', /refunds:write/);
    assert.match(user.questions.at(-1) ?? '', /Allow "pay" of "refunds" \(Pay money back\)\?.*amount: 2000/s);
    assert.match(await done('refunds', 'list', { ticket }), /^\[\]$/);
    user.agrees = true;
    assert.match(await done('refunds', 'pay', refund), /2000/);
  });

  await checkEra('a call that is repeated gets the same answer, and nobody is asked again', async () => {
    const asked = user.questions.length;
    const { text, isReplay } = await client.call('refunds', 'pay', refund);
    assert.equal(isReplay, true, text);
    assert.equal(user.questions.length, asked);
    assert.equal((JSON.parse(await done('refunds', 'list', { ticket })) as object[]).length, 1);
    assert.equal(await codeOf('refunds', 'pay', { ...refund, amount: 1000 }), 'IDEMPOTENCY_CONFLICT');
  });

  await checkEra('two refunds at the same time do not pay more than the customer has paid', async () => {
    const both = [randomUUID(), randomUUID()].map((idempotencyKey) =>
      codeOf('refunds', 'pay', { ...refund, amount: 3000, idempotencyKey }),
    );
    assert.deepEqual((await Promise.all(both)).sort(), ['TOO_MUCH', undefined]);
  });

  await checkEra('no error and no question repeats the number of an account', async () => {
    const { code, text } = await client.call('refunds', 'pay', { ...refund, account: 'DE02 1203' });
    assert.equal(code, 'VALIDATION_FAILED');
    assert.match(text, /account/);
    assert.doesNotMatch(text, /1203/);
    assert.doesNotMatch(user.questions.join(), /1203/);
  });

  await checkEra('an agent who answers too often has to wait', async () => {
    let answer = await client.call('tickets', 'reply', { ticket, text: 'A new one is on its way' });
    for (let n = 0; n < 10 && answer.code === undefined; n += 1) {
      answer = await client.call('tickets', 'reply', { ticket, text: 'It really is' });
    }
    assert.equal(answer.code, 'RATE_LIMITED');
    assert.match(answer.text, /try again in \d+ s/);
  });

  for (const each of [client, lead, admin, stranger]) await each.close();
}
