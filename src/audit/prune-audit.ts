import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isSigned, readKeys, type AuditCheckpoint, type AuditKeys, type AuditStore } from './audit-record.ts';
import { verifyAudit } from './verify-audit.ts';

/** Options of `pruneAudit()`. */
export interface PruneAuditOptions {
  /** What was stored before this time may go. */
  readonly before: Date;
  /** What the anchor has. */
  readonly checkpoints: Iterable<AuditCheckpoint>;
  /** The public keys of the checkpoints, as PEM. */
  readonly publicKey: AuditKeys;
}

/**
 * Deletes records whose retention has ended: whole segments, up to the last checkpoint of each chain that was signed
 * before the time. The record of the checkpoint stays, and `verifyAudit()` begins there. A file is pruned by the process
 * that writes to it, through the same store.
 *
 * @returns how many were deleted
 * @throws ToolwrightError TW_AUDIT_PRUNE where the audit is not sound, so that no evidence is lost, and where the store
 * cannot delete
 *
 * @example
 * const before = new Date(Date.now() - 365 * 24 * 3_600_000);
 * const [checkpoints, publicKey] = [await readCheckpoints('checkpoints.jsonl'), process.env['AUDIT_PUBLIC_KEY'] ?? ''];
 * await pruneAudit(jsonLinesAuditStore('audit.jsonl'), { before, checkpoints, publicKey });
 */
export async function pruneAudit(
  store: AuditStore,
  { before, checkpoints, publicKey }: PruneAuditOptions,
): Promise<number> {
  const keys = readKeys('pruneAudit()', publicKey);
  const signed = [...checkpoints].filter((each) => isSigned(each, keys));
  // What no checkpoint covers stays
  const given = { checkpoints: signed, publicKey, allowUnsigned: true };
  const { fault, chains } = await verifyAudit(store, given);
  if (fault !== undefined) throw refused(fault.message, 'find out what happened to the records first');
  if (store.prune === undefined)
    throw refused('The store keeps records for good.', 'use a store that can prune');
  const ends = new Map<string, number>();
  for (const { chain, seq, time } of signed) {
    if (Date.parse(time) < before.getTime()) ends.set(chain, Math.max(seq, ends.get(chain) ?? 0));
  }
  let removed = 0;
  for (const { chain, from } of chains) {
    const end = ends.get(chain);
    // A file is written once more for each chain
    if (end !== undefined && from < end) removed += await store.prune(chain, end);
  }
  return removed;
}

function refused(what: string, fix: string): ToolwrightError {
  return new ToolwrightError('TW_AUDIT_PRUNE', {
    where: 'pruneAudit()',
    what: `deleted nothing. ${what}`,
    fix,
  });
}
