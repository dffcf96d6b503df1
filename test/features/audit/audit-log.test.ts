import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fileAnchor,
  InMemoryAuditStore,
  readCheckpoints,
  verifyAudit,
  type AuditCheckpoint,
  type AuditCheckpointOptions,
  type AuditStore,
} from 'toolwright/audit';
import { AuditLog } from '../../../src/features/audit/audit-log.ts';
import { nextTurn } from '../../../src/shared/platform.ts';
import { SIGNING } from '../../support/audit-chain.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  folder = undefined;
});

function logTo(store: AuditStore, anchor?: AuditCheckpointOptions['anchor']): AuditLog {
  const checkpoints = anchor && { key: SIGNING.key, anchor, every: 5 };
  const options = { store, ...(checkpoints === undefined ? {} : { checkpoints }) };
  return new AuditLog(options, { name: 'tests', version: '1.0.0', logger: new MemoryLogger() });
}

describe('checkpoints', () => {
  test('are signed after so many records and at the end, and confirm them', async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
    const anchor = join(folder, 'checkpoints.jsonl');
    const store = new InMemoryAuditStore();
    const signed: number[] = [];
    const log = logTo(store, (checkpoint) => {
      signed.push(checkpoint.seq);
      return fileAnchor(anchor)(checkpoint);
    });
    for (let count = 0; count < 12; count += 1) await log.append({ type: 'change', change: String(count) });
    await log.close();
    const checkpoints = await readCheckpoints(anchor);
    expect(checkpoints.map(({ seq }) => seq)).toEqual(signed);
    expect([signed[0], signed.at(-1)]).toEqual([5, 14]);
    const { publicKey } = SIGNING;
    expect(await verifyAudit(store, { checkpoints, publicKey })).toMatchObject({
      ...{ isSound: true, chains: [{ to: 14, confirmed: 14 }] },
    });
  });

  test('an anchor that fails gets a later one for the same records, and is logged once', async () => {
    const logger = new MemoryLogger();
    const taken: AuditCheckpoint[] = [];
    let isDown = true;
    const anchor = (checkpoint: AuditCheckpoint): void => {
      if (isDown) throw new Error('no network');
      taken.push(checkpoint);
    };
    const store = new InMemoryAuditStore();
    const options = { store, checkpoints: { key: SIGNING.key, anchor, every: 2 } };
    const log = new AuditLog(options, { name: 'tests', version: '1.0.0', logger });
    for (let count = 0; count < 6; count += 1) await log.append({ type: 'change', change: 'down' });
    // The end of a chain that cannot go on
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('down'));
    await expect(log.append({ type: 'change', change: 'lost' })).rejects.toThrow('down');
    store.append = append;
    await log.append({ type: 'change', change: 'down' });
    isDown = false;
    for (let count = 0; count < 2; count += 1) await log.append({ type: 'change', change: 'up' });
    await log.close();
    const failures = logger.records.filter(({ event }) => event === 'audit.anchor-failed');
    const levels = failures.map(({ level }) => level);
    expect([levels[0], levels.at(-1), ...new Set(levels.slice(1, -1))]).toEqual(['error', 'notice', 'debug']);
    const checkpoints = taken;
    expect(await verifyAudit(store, { checkpoints, publicKey: SIGNING.publicKey })).toMatchObject({
      ...{
        isSound: true,
        chains: [
          { to: 7, confirmed: 7 },
          { to: 5, confirmed: 5 },
        ],
      },
    });
  });

  test('no record waits for an anchor that hangs', async () => {
    const store = new InMemoryAuditStore();
    const asked: AuditCheckpoint[] = [];
    const log = logTo(store, (checkpoint) => {
      asked.push(checkpoint);
      return new Promise(() => undefined);
    });
    for (let count = 0; count < 30; count += 1) await log.append({ type: 'change', change: 'something' });
    expect(store.lines).toHaveLength(31);
    expect(asked).toMatchObject([{ seq: 5 }]);
  });
});

describe('a store that fails', () => {
  test('ends the chain; the next one says what was lost, and what it follows', async () => {
    const store = new InMemoryAuditStore();
    let isDown = false;
    let isLate = false;
    const failing: AuditStore = {
      append: async (records) => {
        if (isDown) throw new Error('down');
        await store.append(records);
        // Stored, though nobody learns of it
        if (isLate) throw new Error('timeout');
      },
      read: () => store.read(),
      last: () => store.last(),
    };
    const log = logTo(failing);
    await log.append({ type: 'change', change: 'one' });
    isDown = true;
    await expect(log.append({ type: 'change', change: 'two' })).rejects.toThrow('down');
    isDown = false;
    await log.append({ type: 'change', change: 'three' });
    isLate = true;
    await expect(log.append({ type: 'change', change: 'four' })).rejects.toThrow('timeout');
    isLate = false;
    await log.append({ type: 'change', change: 'five' });
    const starts = store.lines
      .map((line) => JSON.parse(line) as { type: string; lost?: number })
      .filter(({ type }) => type === 'start');
    expect(starts.map(({ lost }) => lost)).toEqual([undefined, 1, 1]);
    expect(await verifyAudit(store)).toMatchObject({
      isSound: true,
      chains: [{ to: 2 }, { to: 3 }, { to: 2 }],
    });
  });
});

describe('a store that hangs', () => {
  const application = { name: 'tests', version: '1.0.0', logger: new MemoryLogger() };
  // Time passes when the test says so, however busy the machine is
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] }));
  afterEach(() => void jest.useRealTimers());

  test('fails what waits for it, is asked again now and then, and may store what nobody waits for', async () => {
    const store = new InMemoryAuditStore();
    const append = store.append.bind(store);
    const late: (() => void)[] = [];
    const log = new AuditLog({ store, storeTimeout: 20 }, application);
    const change = (name: string): Promise<string> => log.append({ type: 'change', change: name });
    await change('one');
    store.append = (records) =>
      new Promise((resolve) => {
        late.push(() => void append(records).then(resolve));
      });
    const waiting = Promise.allSettled(Array.from({ length: 250 }, (_, index) => change(String(index))));
    await jest.advanceTimersByTimeAsync(20);
    expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
    // The others failed with the first of them
    expect(late).toHaveLength(1);
    store.append = append;
    await jest.advanceTimersByTimeAsync(19);
    await expect(change('two')).rejects.toThrow('is not asked again yet');
    await jest.advanceTimersByTimeAsync(1);
    await change('two');
    for (const store of late) store();
    await nextTurn();
    await change('three');
    expect(await verifyAudit(store)).toMatchObject({
      ...{ isSound: true, chains: [{ to: 3 }, { to: 3 }] },
    });
  });

  test('does not keep an application from closing', async () => {
    const store = new InMemoryAuditStore();
    store.append = store.last = () => new Promise<never>(() => undefined);
    const log = new AuditLog({ store, storeTimeout: 20 }, application);
    const closed = log.close();
    // The record of the end, and then the store's own end
    await jest.advanceTimersByTimeAsync(20);
    await jest.advanceTimersByTimeAsync(20);
    await closed;
    expect(store.lines).toEqual([]);
  });
});
