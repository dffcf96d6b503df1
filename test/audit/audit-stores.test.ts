import { afterEach, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fileAnchor,
  InMemoryAuditStore,
  jsonLinesAuditStore,
  pruneAudit,
  readCheckpoints,
  verifyAudit,
  type AuditStore,
  type JsonLinesAuditOptions,
} from 'toolwright/audit';
import { auditStoreConformance } from 'toolwright/testing';
import { AuditLog } from '../../src/features/audit/audit-log.ts';
import { chainOf, checkpointOf, linesOf, SIGNING } from '../support/audit-chain.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { ROOT } from '../pins/docs/example.ts';

const folders: string[] = [];
const stores: AuditStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close?.();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  folders.push(folder);
  return join(folder, 'audit.jsonl');
}

function storeAt(path: string, options?: JsonLinesAuditOptions): AuditStore {
  const store = jsonLinesAuditStore(path, options);
  stores.push(store);
  return store;
}

function logTo(store: AuditStore): AuditLog {
  return new AuditLog({ store }, { name: 'tests', version: '1.0.0', logger: new MemoryLogger() });
}

describe('in memory', () => {
  for (const { name, run } of auditStoreConformance(() => ({ port: new InMemoryAuditStore() })))
    test(name, run);
});

describe('JSON lines', () => {
  const make = async () => {
    const path = await newFile();
    return { port: storeAt(path, { fsync: true }), second: () => storeAt(path) };
  };
  for (const { name, run } of auditStoreConformance(make)) test(name, run);

  test('what a pipe brings can be verified: an audit that was compressed', async () => {
    const path = await newFile();
    execFileSync('mkfifo', [path]);
    const [verified] = await Promise.all([
      verifyAudit(storeAt(path)),
      writeFile(path, linesOf(chainOf('a', 3)).join('\n')),
    ]);
    expect(verified).toMatchObject({ isSound: true, records: 3 });
  });

  test('nobody else may read the file', async () => {
    const path = await newFile();
    await storeAt(path).append(chainOf('a', 1));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('what follows half a record stands on a line of its own, in a chain of its own', async () => {
    const path = await newFile();
    const first = logTo(storeAt(path));
    for (const change of ['one', 'two', 'three']) await first.append({ type: 'change', change });
    const { size } = await stat(path);
    await truncate(path, size - 40);
    expect(await verifyAudit(storeAt(path))).toMatchObject({ isSound: true, torn: [4] });
    await logTo(storeAt(path)).append({ type: 'change', change: 'after' });
    const verified = await verifyAudit(storeAt(path));
    expect(verified).toMatchObject({ isSound: true, torn: [4], chains: [{ to: 3 }, { to: 2 }] });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({ type: 'start', follows: { seq: 3 } });
  });

  test('a file that was taken away is made again, and the gap is found', async () => {
    const path = await newFile();
    const store = storeAt(path);
    const log = logTo(store);
    await log.append({ type: 'change', change: 'one' });
    await rm(path);
    await log.append({ type: 'change', change: 'two' });
    expect((await verifyAudit(store)).fault).toMatchObject({ kind: 'removed', seq: 1 });
  });

  test('lines are those of newlines, whatever else a text has in it', async () => {
    const path = await newFile();
    const log = logTo(storeAt(path));
    await log.append({ type: 'change', change: 'a\u2028b\u2029c\rd\ne\u0000' });
    expect(await verifyAudit(storeAt(path))).toMatchObject({ isSound: true, records: 2 });
  });

  test('a process that is killed while it writes leaves a sound audit', async () => {
    const path = await newFile();
    for (const round of [1, 2]) {
      const script = `${ROOT}test/support/audit-writer.ts`;
      const writer = spawn(process.execPath, ['--import', '@oxc-node/core/register', script, path], {
        ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
      });
      await once(writer.stdout, 'data');
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      // What a loss of power leaves, beside what the kill left
      if (round === 1) await appendFile(path, '{"chain":"ha');
    }
    const verified = await verifyAudit(storeAt(path));
    expect(verified).toMatchObject({ isSound: true, fault: undefined });
    expect(verified.chains).toHaveLength(2);
    expect(verified.torn.length).toBeGreaterThan(0);
  });
});

describe('pruning', () => {
  const { publicKey } = SIGNING;
  const before = new Date('2026-01-02T00:00:00.000Z');

  test.each(['memory', 'file'])('removes whole segments, and what is left is sound (%s)', async (kind) => {
    const store = kind === 'file' ? storeAt(await newFile()) : new InMemoryAuditStore();
    const old = chainOf('old', 8);
    const young = chainOf('young', 5, old[7]);
    await store.append(old);
    await store.append(young);
    const checkpoints = [
      ...old.slice(4, 6).map((each) => checkpointOf(each)),
      ...young.slice(2, 3).map((each) => checkpointOf(each, '2026-01-03T00:00:00.000Z')),
    ];
    expect(await pruneAudit(store, { before, checkpoints, publicKey })).toBe(5);
    expect(await verifyAudit(store, { checkpoints, publicKey })).toMatchObject({
      isSound: true,
      chains: [
        { chain: 'old', from: 6, to: 8 },
        { chain: 'young', from: 1, to: 5 },
      ],
    });
    await store.append([]);
    expect(await pruneAudit(store, { before, checkpoints, publicKey })).toBe(0);
  });

  test('removes nothing from an audit that is not sound, and nothing for a forged checkpoint', async () => {
    const store = new InMemoryAuditStore();
    const records = chainOf('only', 6);
    await store.append(records);
    const forged = { ...checkpointOf(records[4] as never), time: '2020-01-01T00:00:00.000Z' };
    expect(await pruneAudit(store, { before, checkpoints: [forged], publicKey })).toBe(0);
    store.lines.splice(2, 1);
    const checkpoints = [checkpointOf(records[4] as never)];
    await expect(pruneAudit(store, { before, checkpoints, publicKey })).rejects.toThrow('TW_AUDIT_PRUNE');
    expect(store.lines).toHaveLength(5);
  });

  test('loses nothing of what is stored in the meantime', async () => {
    const store = storeAt(await newFile());
    const old = chainOf('old', 2000);
    await store.append(old);
    const young = chainOf('young', 200, old.at(-1));
    const checkpoints = [checkpointOf(old[1500] as never)];
    const pruned = pruneAudit(store, { before, checkpoints, publicKey });
    for (const record of young) await store.append([record]);
    expect(await pruned).toBe(1500);
    expect(await verifyAudit(store, { checkpoints, publicKey, allowUnsigned: true })).toMatchObject({
      ...{
        isSound: true,
        records: 700,
        chains: [
          { from: 1501, to: 2000 },
          { from: 1, to: 200 },
        ],
      },
    });
  });

  test('writes a file only where something leaves', async () => {
    const path = await newFile();
    const store = storeAt(path);
    const [old, young] = [chainOf('old', 3), chainOf('young', 3)];
    await store.append([...old, ...young]);
    const checkpoints = [...old.slice(0, 1), ...young.slice(1, 2)].map((each) => checkpointOf(each));
    const prune = store.prune?.bind(store);
    const asked: string[] = [];
    store.prune = (chain, number) => {
      asked.push(chain);
      return prune?.(chain, number) ?? Promise.resolve(0);
    };
    expect(await pruneAudit(store, { before, checkpoints, publicKey })).toBe(1);
    expect(await pruneAudit(store, { before, checkpoints, publicKey })).toBe(0);
    expect(asked).toEqual(['young']);
  });

  test('refuses what is not a key', async () => {
    const pruned = pruneAudit(new InMemoryAuditStore(), { before, checkpoints: [], publicKey: 'no key' });
    await expect(pruned).rejects.toThrow('TW_AUDIT_OPTION: pruneAudit()');
  });
});

test('a file of checkpoints with something else in it is refused, and the line is named', async () => {
  const path = await newFile();
  const [first] = chainOf('only', 1);
  await fileAnchor(path)(checkpointOf(first as never));
  expect(await readCheckpoints(path)).toHaveLength(1);
  await appendFile(path, '{"chain":"on');
  await expect(readCheckpoints(path)).rejects.toThrow(
    /TW_AUDIT_OPTION: readCheckpoints\(\) cannot read line 2 of/,
  );
});
