import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { auditHash, type AuditRecord } from 'toolwright/audit';
import { NO_HASH, signCheckpoint } from '../../src/audit/audit-record.ts';

/** A record of a chain that a test makes. */
export function record(chain: string, seq: number, previous: string, facts: object = {}): AuditRecord {
  const sealed = {
    ...({ type: seq === 1 ? 'start' : 'outcome', tool: 'things', ...facts } as const),
    ...{ id: `${chain}-${String(seq)}`, time: '2026-01-01T00:00:00.000Z', chain, seq, previous },
  } as Omit<AuditRecord, 'hash'>;
  return { ...sealed, hash: auditHash(sealed) };
}

/** A whole chain. @param follows the last record of the chain before it */
export function chainOf(name: string, length: number, follows?: AuditRecord): AuditRecord[] {
  const start =
    follows === undefined ? {} : { follows: { chain: follows.chain, seq: follows.seq, hash: follows.hash } };
  const records = [record(name, 1, follows?.hash ?? NO_HASH, start)];
  for (let seq = 2; seq <= length; seq += 1) {
    records.push(record(name, seq, records.at(-1)?.hash ?? '', { action: `action ${String(seq)}` }));
  }
  return records;
}

export function linesOf(records: readonly AuditRecord[]): string[] {
  return records.map((each) => JSON.stringify(each));
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = (key: KeyObject, type: 'spki' | 'pkcs8'): string =>
  key.export({ type, format: 'pem' }).toString();

/** A key to sign with. */
export const SIGNING = { key: pem(privateKey, 'pkcs8'), publicKey: pem(publicKey, 'spki') };

export function checkpointOf(place: AuditRecord, time = '2026-01-01T00:00:01.000Z') {
  return signCheckpoint(place, time, privateKey);
}
