import { afterEach, expect, jest, test } from '@jest/globals';
import { EventReader, type ReadEvent } from '../../../support/event-reader.ts';
import type { FakeTool } from '../../../support/fake-application.ts';
import { call, cluster, initialize, post, resume, type Headers, type Instance } from './linked-instances.ts';

const ask: FakeTool = async (_args, exchange) => {
  const params = { message: 'Who?', requestedSchema: { type: 'object' } };
  return JSON.stringify(await exchange.request('elicitation/create', params));
};

const opened: Instance[] = [];

afterEach(async () => {
  jest.useRealTimers();
  for (const instance of opened.splice(0)) await instance.close();
});

/** Instances of which the first one has asked a question. */
async function asked() {
  const instances = await cluster({ ask });
  opened.push(instances.one, instances.two);
  const headers = await initialize(instances.one);
  const stream = new EventReader(await call(instances.one, headers, 'ask', 1));
  const primed = await stream.next();
  const question = await stream.next();
  return { ...instances, headers, stream, primed, question };
}

function replyTo(question: ReadEvent | undefined, name = 'Ann'): string {
  const result = { action: 'accept', content: { name } };
  return JSON.stringify({ jsonrpc: '2.0', id: question?.message?.['id'], result });
}

const reply = async (to: Instance, headers: Headers, question: ReadEvent | undefined): Promise<number> =>
  (await post(to, headers, replyTo(question))).status;

async function lastOf(stream: EventReader): Promise<string> {
  return JSON.stringify((await stream.rest()).at(-1)?.message);
}

const until = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('a reply that the bus cannot bring is stored, and found when the bus is back', async () => {
  const { two, headers, stream, question, faults, store } = await asked();
  const before = store.size;
  faults.bus = true;
  expect(await reply(two, headers, question)).toBe(202);
  expect([faults.tried.bus > 0, store.size]).toEqual([true, before + 1]);
  faults.endGap();
  expect(await lastOf(stream)).toContain('Ann');
  expect(store.size).toBe(before);
});

test('a reply is found without a bus, too, as long as its question is open', async () => {
  const { two, headers, stream, question, faults } = await asked();
  faults.bus = true;
  expect(await reply(two, headers, question)).toBe(202);
  expect(await lastOf(stream)).toContain('Ann');
});

test('a reply waits for a store that comes back', async () => {
  const { two, headers, stream, question, faults } = await asked();
  faults.bus = faults.store = true;
  const replying = reply(two, headers, question);
  await until(() => faults.tried.store > 2);
  faults.store = false;
  expect(await replying).toBe(202);
  faults.endGap();
  expect(await lastOf(stream)).toContain('Ann');
});

test('a reply that can be neither brought nor stored is refused with 503', async () => {
  const { two, headers, stream, question, faults } = await asked();
  faults.bus = faults.store = true;
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  let refused: Response | undefined;
  void post(two, headers, replyTo(question)).then((response) => (refused = response));
  while (refused === undefined) {
    await jest.advanceTimersByTimeAsync(100);
    await new Promise(setImmediate);
  }
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  faults.bus = faults.store = false;
  expect(await reply(two, headers, question)).toBe(202);
  expect(await lastOf(stream)).toContain('Ann');
});

test('what no instance has asked in the session is neither brought nor stored', async () => {
  const { one, two, headers, question, faults, store } = await asked();
  const id = String(question?.message?.['id']);
  const others = await initialize(one);
  const before = store.size;
  faults.bus = true;
  const forged = [`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, `x${id}`, crypto.randomUUID()];
  for (const each of forged) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: each, result: {} });
    expect((await post(two, headers, body)).status).toBe(202);
  }
  expect(await reply(two, others, question)).toBe(202);
  expect(store.size).toBe(before);
});

test('only the first of two replies to a question counts, also where both are stored', async () => {
  const { two, headers, stream, question, faults } = await asked();
  faults.bus = true;
  expect((await post(two, headers, replyTo(question, 'Ann'))).status).toBe(202);
  expect((await post(two, headers, replyTo(question, 'Bob'))).status).toBe(202);
  faults.endGap();
  expect(await lastOf(stream)).toContain('Ann');
});

test('a question is asked again, with another id, when its client comes back to a stream that broke', async () => {
  const { one, headers, stream, question } = await asked();
  await stream.leave();
  const again = new EventReader(await resume(one, headers, question?.id ?? ''));
  const [, cancelled, second] = [await again.next(), await again.next(), await again.next()];
  expect(cancelled?.message).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: question?.message?.['id'] },
  });
  expect(second?.message).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
  expect(second?.message?.['id']).not.toBe(question?.message?.['id']);
  // What the client has sent before counts, and the other reply does nothing
  expect(await reply(one, headers, question)).toBe(202);
  expect(await reply(one, headers, second)).toBe(202);
  expect(await lastOf(again)).toContain('Ann');
});

test('a question that its client has missed comes once, with its own id', async () => {
  const { one, headers, stream, primed, question } = await asked();
  await stream.leave();
  const again = new EventReader(await resume(one, headers, primed?.id ?? ''));
  expect((await again.next())?.message).toEqual(question?.message);
  expect(await reply(one, headers, question)).toBe(202);
  const [answer, ...more] = await again.rest();
  expect([JSON.stringify(answer?.message), more]).toEqual([expect.stringContaining('Ann'), []]);
});

test('a question is not asked again when its client has replied, and the reply waits in the store', async () => {
  const { one, two, headers, stream, question, faults } = await asked();
  faults.bus = true;
  expect(await reply(two, headers, question)).toBe(202);
  await stream.leave();
  const again = new EventReader(await resume(one, headers, question?.id ?? ''));
  const events = (await again.rest()).flatMap(({ message }) => message ?? []);
  expect([events.length, JSON.stringify(events)]).toEqual([1, expect.stringContaining('Ann')]);
});

test('a question is asked again where its client comes back at another instance', async () => {
  const { two, headers, stream, question } = await asked();
  await stream.leave();
  let place = question?.id ?? '';
  const got: ReadEvent[] = [];
  while (got.length < 2) {
    const events = await new EventReader(await resume(two, headers, place)).rest();
    got.push(...events.filter(({ message }) => message !== undefined));
    place = got.at(-1)?.id ?? place;
  }
  expect(got.map(({ message }) => message?.['method'])).toEqual([
    'notifications/cancelled',
    'elicitation/create',
  ]);
  // Coming back for more is not a new loss
  const more = await new EventReader(await resume(two, headers, place)).rest();
  expect(more.filter(({ message }) => message !== undefined)).toEqual([]);
  expect(await reply(two, headers, got[1])).toBe(202);
  const rest = await new EventReader(await resume(two, headers, place)).rest();
  expect(JSON.stringify(rest)).toContain('Ann');
});
