import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SlotRequest, SlotStore } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  eventually,
  ODD_KEYS,
  portConformance,
  soon,
  type MakePort,
  type PortCases,
  type Trial,
} from './trial.ts';

const LONG = 60_000;
/** Milliseconds that a call which asks whether a queue is full waits in it, where it is not. */
const PROBE_MS = 30;

type Release = () => void;

const slot = (key: string, limit = 1): SlotRequest => ({ key, limit, queueSize: 0, queueTimeout: 0 });
const queued = (key: string, queueSize = 10, queueTimeout = LONG): SlotRequest => ({
  ...slot(key),
  queueSize,
  queueTimeout,
});

async function take(store: SlotStore, ...wanted: readonly SlotRequest[]): Promise<Release | undefined> {
  return store.take(wanted, () => undefined);
}

/** Takes slots that are free, or are about to be. */
async function taken(trial: Trial<SlotStore>, ...wanted: readonly SlotRequest[]): Promise<Release> {
  let release: Release | undefined;
  await eventually(trial, `a slot of ${wanted.map(({ key }) => key).join(' and ')}`, async () => {
    release = await take(trial.port, ...wanted);
    return release !== undefined;
  });
  return release ?? assert.fail();
}

/** Waits for a slot; the name is added to the list when the call may run, or may not. */
function waits(
  order: string[],
  name: string,
  waiting: Promise<Release | undefined>,
): Promise<Release | undefined> {
  return waiting.then((release) => {
    order.push(release === undefined ? `${name} refused` : name);
    return release;
  });
}

/** Waits until a queue holds as many calls: one that is as long has no place for another, which is refused at once. */
async function queueHolds(trial: Trial<SlotStore>, key: string, count: number): Promise<void> {
  await eventually(trial, `${String(count)} calls wait in the queue of ${key}`, async () => {
    const given = new AbortController();
    const probe = Promise.resolve(trial.port.take([queued(key, count)], () => given.signal));
    const answered = probe.then((release) => {
      release?.();
      return release === undefined;
    });
    const isFull = await Promise.race([answered, sleep(PROBE_MS, false)]);
    given.abort();
    await answered.catch(() => undefined);
    return isFull;
  });
}

const CASES: PortCases<SlotStore> = {
  async 'lets as many run as the limit says, and one more when one has ended'(trial) {
    const { port, second } = trial;
    const two = slot('a', 2);
    const first = await take(port, two);
    assert.ok(first !== undefined && (await take(await second(), two)) !== undefined, 'two slots are free');
    assert.equal(await take(port, two), undefined);
    first();
    await taken(trial, two);
    assert.equal(await take(port, two), undefined);
  },
  async 'takes a slot back once, however often it is given back'(trial) {
    const two = slot('a', 2);
    const first = await taken(trial, two);
    await taken(trial, two);
    first();
    first();
    await taken(trial, two);
    first();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await sleep(5);
      assert.equal(await take(trial.port, two), undefined);
    }
  },
  async 'takes all slots or none'(trial) {
    const { port } = trial;
    const release = await taken(trial, slot('b'));
    assert.equal(await take(port, slot('a'), slot('b')), undefined);
    (await taken(trial, slot('a')))();
    release();
    const both = await taken(trial, slot('a'), slot('b'));
    assert.equal(await take(port, slot('a')), undefined);
    both();
    await taken(trial, slot('a'));
    await taken(trial, slot('b'));
  },
  async 'lets no more run when many come at once'(trial) {
    const releases = await atOnce(trial, async (store) => take(store, slot('a', 7)));
    assert.equal(releases.filter((release) => release !== undefined).length, 7);
  },
  async 'lets calls run in the order in which they came'(trial) {
    const release = await taken(trial, queued('a'));
    const order: string[] = [];
    const waiting: Promise<unknown>[] = [];
    for (const name of ['first', 'second', 'third']) {
      const call = waits(order, name, take(trial.port, queued('a')));
      waiting.push(call.then((done) => done?.()));
      await queueHolds(trial, 'a', waiting.length);
    }
    assert.deepEqual(order, []);
    release();
    await soon(trial, 'all calls of the queue run', Promise.all(waiting));
    assert.deepEqual(order, ['first', 'second', 'third']);
  },
  async 'lets a call run that waits at another instance'(trial) {
    const release = await taken(trial, queued('a'));
    const waiting = take(await trial.second(), queued('a'));
    await queueHolds(trial, 'a', 1);
    release();
    assert.ok(await soon(trial, 'the call that waits at the other instance', waiting), 'it was refused');
  },
  async 'refuses calls beyond the size of a queue'(trial) {
    const release = await taken(trial, queued('a', 1));
    const order: string[] = [];
    const waiting = ['one', 'other'].map((name) => waits(order, name, take(trial.port, queued('a', 1))));
    await eventually(trial, 'one call of two is refused', () => order.length > 0);
    await queueHolds(trial, 'a', 1);
    assert.equal(order.length, 1, 'a queue of one has place for one call');
    release();
    await soon(trial, 'the call that waits runs', Promise.all(waiting));
    assert.deepEqual(
      order.map((name) => name.endsWith(' refused')),
      [true, false],
    );
  },
  async 'refuses a call that has waited for too long, which then keeps no place'(trial) {
    const release = await taken(trial, queued('a', 1));
    const start = performance.now();
    const late = await soon(trial, 'the call is refused', take(trial.port, queued('a', 1, 60)));
    assert.equal(late, undefined);
    // A clock may be a little faster than another one
    assert.ok(performance.now() - start >= 50, 'it was refused before its time to wait was over');
    const next = take(trial.port, queued('a', 1));
    release();
    assert.ok(await soon(trial, 'the next call', next), 'the next call was refused');
  },
  async 'rejects for a call that is cancelled while it waits, which then keeps no place'(trial) {
    const release = await taken(trial, queued('a', 1));
    const [cancelled, reason] = [new AbortController(), new Error('cancelled')];
    const isReason = (error: unknown): boolean => error === reason;
    // Room for two, because what asks whether the call waits may be there before it
    const waiting = Promise.resolve(trial.port.take([queued('a', 2)], () => cancelled.signal));
    waiting.catch(() => undefined);
    await queueHolds(trial, 'a', 1);
    cancelled.abort(reason);
    await assert.rejects(soon(trial, 'the cancelled call rejects', waiting), isReason);
    const again = Promise.resolve(trial.port.take([queued('a', 1)], () => cancelled.signal));
    await assert.rejects(soon(trial, 'the call that was cancelled before rejects', again), isReason);
    const next = take(trial.port, queued('a', 1));
    release();
    assert.ok(await soon(trial, 'the next call', next), 'the next call was refused');
  },
  async 'holds no slot of one limit while a call waits for that of another'(trial) {
    const ofB = await taken(trial, queued('b'));
    const order: string[] = [];
    const both = waits(order, 'both', take(trial.port, queued('a'), queued('b')));
    await queueHolds(trial, 'b', 1);
    const ofA = await taken(trial, slot('a'));
    ofB();
    await queueHolds(trial, 'a', 1);
    assert.deepEqual(order, [], 'a call runs that has one slot of two');
    ofA();
    assert.ok(await soon(trial, 'the call gets both slots', both), 'it was refused');
  },
  async 'keeps keys apart'(trial) {
    for (const key of ODD_KEYS) await taken(trial, slot(key));
    for (const key of ODD_KEYS) assert.equal(await take(trial.port, slot(key)), undefined);
  },
};

/**
 * What every {@link SlotStore} has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of slotStoreConformance(() => ({ port: new InMemorySlotStore() }))) test(name, run);
 */
export function slotStoreConformance(make: MakePort<SlotStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
