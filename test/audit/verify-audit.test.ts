import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { auditHash, verifyAudit, type AuditRecord } from 'toolwright/audit';
import { NO_HASH } from '../../src/audit/audit-record.ts';
import { chainOf, checkpointOf, linesOf, record, SIGNING } from '../support/audit-chain.ts';
import { createRandom, type Random } from '../support/random.ts';

const { publicKey } = SIGNING;

/** Two processes that write at the same time, and one that comes after both. */
function history(random: Random): AuditRecord[] {
  const [first, second] = [chainOf('first', 3 + random.below(20)), chainOf('second', 3 + random.below(20))];
  const mixed: AuditRecord[] = [];
  while (first.length + second.length > 0) {
    const from = second.length === 0 || (first.length > 0 && random.chance(0.5)) ? first : second;
    mixed.push(from.shift() as AuditRecord);
  }
  return [...mixed, ...chainOf('third', 3 + random.below(20), mixed.at(-1))];
}

/** The place of the record behind this one in its chain. */
function nextOf(records: readonly AuditRecord[], index: number): number {
  return records.findIndex((each, at) => at > index && each.chain === records[index]?.chain);
}

const rehashed = (given: AuditRecord): AuditRecord => ({ ...given, hash: auditHash(given) });

describe('one thing that was done to a random audit is found, and named', () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);

  test.each(seeds)('whatever it is (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const records = history(random);
    expect(await verifyAudit(linesOf(records))).toMatchObject({ isSound: true, fault: undefined });
    const index = random.below(records.length);
    const victim = records[index] as AuditRecord;
    const { chain, seq } = victim;
    const behind = nextOf(records, index);

    const altered = { ...victim, tool: 'other' };
    const changed = records.with(index, altered);
    expect((await verifyAudit(linesOf(changed))).fault).toMatchObject({
      ...{ kind: 'changed', position: index + 1, chain, seq, id: victim.id },
    });
    const isFollowed = behind >= 0 || records.some(({ follows }) => follows?.hash === victim.hash);
    const replaced = await verifyAudit(linesOf(records.with(index, rehashed(altered))));
    if (isFollowed)
      expect(replaced.fault).toMatchObject({ kind: 'changed', position: index + 1, chain, seq });

    const removed = records.toSpliced(index, 1);
    const { fault } = await verifyAudit(linesOf(removed));
    if (isFollowed) expect(fault).toMatchObject({ kind: 'removed', chain, seq });

    const copied = records.toSpliced(random.below(records.length - index) + index + 1, 0, victim);
    expect((await verifyAudit(linesOf(copied))).fault).toMatchObject({ kind: 'inserted', chain, seq });
    const forged = rehashed({ ...victim, id: 'forged' });
    const put = records.toSpliced(index, 0, forged);
    expect((await verifyAudit(linesOf(put))).fault).toMatchObject({ kind: 'inserted', chain, seq });

    if (behind >= 0) {
      const other = records[behind] as AuditRecord;
      const swapped = records.with(index, other).with(behind, victim);
      const found = (await verifyAudit(linesOf(swapped))).fault;
      expect(found).toMatchObject({ position: index + 1, chain });
      expect(['reordered', 'removed']).toContain(found?.kind);
    }
  });

  test.each(seeds.slice(0, 20))('a tail that was cut off, by a checkpoint (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const records = chainOf('only', 2 + random.below(30));
    const signed = records[1 + random.below(records.length - 1)] as AuditRecord;
    const left = 1 + random.below(signed.seq - 1);
    const cut = linesOf(records.slice(0, left));
    expect(await verifyAudit(cut)).toMatchObject({ isSound: true });
    const found = await verifyAudit(cut, { checkpoints: [checkpointOf(signed)], publicKey });
    expect(found.fault).toMatchObject({ kind: 'cut', chain: 'only', seq: left + 1 });
  });
});

test('a history with new hashes is found by a checkpoint', async () => {
  const records = chainOf('only', 9);
  const checkpoints = [checkpointOf(records[3] as AuditRecord), checkpointOf(records[7] as AuditRecord)];
  expect(await verifyAudit(linesOf(records), { checkpoints, publicKey })).toMatchObject({
    ...{ isSound: true, chains: [{ chain: 'only', from: 1, to: 9, confirmed: 8 }] },
  });
  const changed = records.slice(0, 5);
  for (let seq = 6; seq <= 9; seq += 1) {
    changed.push(record('only', seq, changed.at(-1)?.hash ?? '', { tool: 'other' }));
  }
  const { fault } = await verifyAudit(linesOf(changed), { checkpoints, publicKey });
  expect(fault).toMatchObject({ kind: 'changed', seq: 8 });
  expect(fault?.message).toContain('after record 4');
});

test('a chain that is gone is found by the one that follows it, and by a checkpoint', async () => {
  const before = chainOf('before', 4);
  const after = chainOf('after', 4, before[3]);
  expect((await verifyAudit(linesOf(after))).fault).toMatchObject({
    kind: 'removed',
    chain: 'before',
    seq: 4,
  });
  const checkpoints = [checkpointOf(after[3] as AuditRecord)];
  const { fault } = await verifyAudit(linesOf(before), { checkpoints, publicKey });
  expect(fault).toMatchObject({ kind: 'cut', chain: 'after', seq: 1 });
});

test('a checkpoint that another key has signed counts for nothing', async () => {
  const records = chainOf('only', 4);
  const forged = { ...checkpointOf(records[2] as AuditRecord), time: '2020-01-01T00:00:00.000Z' };
  const { fault } = await verifyAudit(linesOf(records), { checkpoints: [forged], publicKey });
  expect(fault).toMatchObject({ kind: 'signature', chain: 'only', seq: 3 });
  await expect(verifyAudit([], { checkpoints: [forged] })).rejects.toThrow('TW_AUDIT_OPTION');
});

test('a chain may begin at the record of a checkpoint, and nowhere else', async () => {
  const records = chainOf('only', 6);
  const checkpoints = [checkpointOf(records[3] as AuditRecord)];
  const pruned = await verifyAudit(linesOf(records.slice(3)), { checkpoints, publicKey });
  expect(pruned).toMatchObject({ isSound: true, chains: [{ from: 4, to: 6, confirmed: 4 }] });
  const { fault } = await verifyAudit(linesOf(records.slice(2)), { checkpoints, publicKey });
  expect(fault).toMatchObject({ kind: 'removed', seq: 1 });
});

describe('a chain that no checkpoint confirms', () => {
  const [signed, last] = [chainOf('signed', 6), chainOf('last', 6)];
  const checkpoints = [checkpointOf(signed[5] as AuditRecord), checkpointOf(last[5] as AuditRecord)];
  const made = (time = '2026-01-01T00:00:00.000Z'): AuditRecord[] => {
    const [start, ...others] = chainOf('made-up', 3);
    const first = rehashed({ ...(start as AuditRecord), time });
    return [
      first,
      ...others.map((each, index) => (index === 0 ? rehashed({ ...each, previous: first.hash }) : each)),
    ].slice(0, 2);
  };
  const now = new Date().toISOString();
  const orders: readonly (readonly [string, AuditRecord[]])[] = [
    ['at the start', [...made(), ...signed, ...last]],
    ['in between', [...signed, ...made(), ...last]],
    ['at the end', [...signed, ...last, ...made()]],
    ['in between, with a time of today', [...signed, ...made(now), ...last]],
    ['at the end, with a time to come', [...signed, ...last, ...made('2126-01-01T00:00:00.000Z')]],
  ];

  test.each(orders)('is a fault %s', async (_place, records) => {
    const verified = await verifyAudit(linesOf(records), { checkpoints, publicKey });
    expect(verified).toMatchObject({ isSound: false, fault: { kind: 'unsigned', chain: 'made-up' } });
    expect(verified.fault?.position).toBe(records.findIndex(({ chain }) => chain === 'made-up') + 1);
    const allowed = { checkpoints, publicKey, allowUnsigned: true };
    expect(await verifyAudit(linesOf(records), allowed)).toMatchObject({ isSound: true });
    // Without checkpoints, nothing is known of any chain
    expect(await verifyAudit(linesOf(records))).toMatchObject({ isSound: true });
  });

  test('is none while it is the newest and has had no time to be signed', async () => {
    const verify = (interval?: number) => {
      const options = { checkpoints, publicKey, ...(interval === undefined ? {} : { interval }) };
      return verifyAudit(linesOf([...signed, ...last, ...made(now)]), options);
    };
    expect(await verify()).toMatchObject({ isSound: true });
    expect(await verify(0)).toMatchObject({ isSound: false, fault: { kind: 'unsigned' } });
  });

  test('comes after what is wrong with the records themselves', async () => {
    const records = [...made(), ...signed.with(2, { ...(signed[2] as AuditRecord), tool: 'other' }), ...last];
    const { fault } = await verifyAudit(linesOf(records), { checkpoints, publicKey });
    expect(fault).toMatchObject({ kind: 'changed', chain: 'signed' });
  });

  test('is a fault where the anchor has nothing at all', async () => {
    const { fault } = await verifyAudit(linesOf(signed), { checkpoints: [] });
    expect(fault).toMatchObject({ kind: 'unsigned', chain: 'signed' });
  });
});

test.each([
  ['a member that stands there twice', (line: string) => line.replace('"tool":', '"tool":"mine","tool":')],
  ['a name that is written otherwise', (line: string) => line.replace('"tool"', '"t\\u006fol"')],
  ['a space', (line: string) => line.replace('"tool":', '"tool": ')],
  ['a line that ends otherwise', (line: string) => `${line}\r`],
])('a record is changed by %s, though it means the same to some readers', async (_name, change) => {
  const lines = linesOf(chainOf('only', 4));
  expect(await verifyAudit(lines)).toMatchObject({ isSound: true });
  const { fault } = await verifyAudit(lines.with(2, change(lines[2] ?? '')));
  expect(fault).toMatchObject({ kind: 'changed', position: 3 });
});

test('a chain begins with a record that says so, even where all hashes fit', async () => {
  const first = rehashed({ ...(chainOf('only', 1)[0] as AuditRecord), type: 'attempt' });
  expect((await verifyAudit(linesOf([first]))).fault).toMatchObject({ kind: 'changed', seq: 1 });
});

test('a chain that begins at a checkpoint too young for pruning lacks records', async () => {
  const records = chainOf('only', 6);
  const checkpoints = [checkpointOf(records[3] as AuditRecord, '2026-01-02T00:00:00.000Z')];
  const left = linesOf(records.slice(3));
  const verify = (prunedBefore: string) =>
    verifyAudit(left, { checkpoints, publicKey, prunedBefore: new Date(prunedBefore) });
  expect(await verify('2026-01-03')).toMatchObject({ isSound: true });
  expect((await verify('2026-01-02')).fault).toMatchObject({ kind: 'removed', chain: 'only', seq: 1 });
  // Nothing is missing
  expect(
    await verifyAudit(linesOf(records), { checkpoints, publicKey, prunedBefore: new Date(0) }),
  ).toMatchObject({
    isSound: true,
  });
});

test('what is not a key is refused, and a checkpoint with a broken signature is not signed', async () => {
  const [first] = chainOf('only', 1);
  const checkpoint = { ...checkpointOf(first as AuditRecord), signature: '' };
  const { fault } = await verifyAudit(linesOf([first as AuditRecord]), {
    checkpoints: [checkpoint],
    publicKey,
  });
  expect(fault).toMatchObject({ kind: 'signature' });
  const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const wrong of ['', 'no key', rsa.export({ type: 'spki', format: 'pem' }).toString()]) {
    await expect(verifyAudit([], { publicKey: wrong })).rejects.toThrow(
      'TW_AUDIT_OPTION: verifyAudit() was given a public key that is not the PEM of an Ed25519 key',
    );
  }
});

test('half a record is one wherever it was cut off', async () => {
  const last = record('only', 1, NO_HASH, {
    details: { text: 'a "}]\\"', list: [{}, { inner: '}' }], 'key}"': {} },
  });
  const [line = ''] = linesOf([last]);
  for (let length = 1; length < line.length; length += 1) {
    const verified = await verifyAudit([line.slice(0, length)]);
    expect([length, verified.isSound, verified.torn]).toEqual([length, true, [1]]);
  }
});

test('half a record counts where a process died: at the end, and before a new chain', async () => {
  const before = chainOf('before', 4);
  const lines = linesOf(before);
  const half = '{"action":"action 5","chain":"bef';
  expect(await verifyAudit([...lines, half])).toMatchObject({ isSound: true, torn: [5] });
  const after = linesOf(chainOf('after', 2, before[3]));
  expect(await verifyAudit([...lines, half, ...after])).toMatchObject({ isSound: true, torn: [5] });
  expect((await verifyAudit([...lines.slice(0, 2), half, ...lines.slice(2)])).fault).toMatchObject({
    ...{ kind: 'changed', position: 3 },
  });
  // A whole line that was made unreadable
  expect((await verifyAudit([...lines, '{"action"}'])).fault).toMatchObject({ kind: 'changed', position: 5 });
});
