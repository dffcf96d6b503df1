import type { AuditCheckpoint, AuditPlace } from './audit-record.ts';

/** The first thing that is wrong. */
export interface AuditFault {
  /**
   * `cut`: records are missing that a checkpoint has seen; `signature`: a checkpoint that no key has signed; `unsigned`: a
   * chain that no checkpoint confirms, so that any program with access to the store may have written it.
   */
  readonly kind: 'changed' | 'removed' | 'inserted' | 'reordered' | 'cut' | 'signature' | 'unsigned';
  /** The place in the store, from 1 on, where it was found: the number of the line in a file. */
  readonly position: number;
  /** The chain of the record. */
  readonly chain?: string | undefined;
  /** The number of the first bad record in its chain: of the missing one, where one is missing. */
  readonly seq?: number | undefined;
  /** The `id` of the record, where it is there. */
  readonly id?: string | undefined;
  /** The fault in a sentence. */
  readonly message: string;
}

/** A record, as far as it matters to the chain. */
export interface Entry extends AuditPlace {
  readonly position: number;
  readonly id: string;
  readonly previous: string;
  /** Whether the hash is that of the record. */
  readonly isIntact: boolean;
}

/** What happened where a chain does not go on as it should. @param last the last record that fits */
export function explain(last: Entry, [found, ...later]: readonly Entry[]): AuditFault {
  const { chain } = last;
  const seq = last.seq + 1;
  if (found === undefined) return removed(chain, seq, last.position + 1);
  const next = later[0];
  if (found.seq < seq) return fault('inserted', isFollowing(found, next, last) ? last : found);
  if (found.seq > seq) {
    const isLater = later.some((each) => each.seq === seq);
    return isLater ? fault('reordered', found) : removed(chain, seq, found.position);
  }
  const isTaken = later.some((each) => each.seq === seq && each.isIntact && each.previous === last.hash);
  if (isTaken) return fault('inserted', found);
  // A record that was given a new hash does not fit to the one behind it
  const isConfirmed = found.isIntact && (next === undefined || next.previous === found.hash);
  return changed(isConfirmed ? last : found);
}

/** Two records claim one place: the next one knows which of them was there. */
function isFollowing(found: Entry, next: Entry | undefined, last: Entry): boolean {
  return found.seq === last.seq && found.isIntact && next?.previous === found.hash;
}

const SAID = {
  changed: 'was changed',
  inserted: 'was put in',
  reordered: 'stands too early: the record that belongs here comes later',
} as const;

function fault(kind: keyof typeof SAID, { chain, seq, id, position }: Entry): AuditFault {
  const message = `Record ${String(seq)} of the chain ${chain}, at position ${String(position)}, ${SAID[kind]}.`;
  return { kind, position, chain, seq, id, message };
}

export function changed(entry: Entry): AuditFault {
  return fault('changed', entry);
}

export function removed(chain: string, seq: number, position: number): AuditFault {
  const message = `Record ${String(seq)} of the chain ${chain} is missing, before position ${String(position)}.`;
  return { kind: 'removed', position, chain, seq, message };
}

export function rewritten(entry: Entry, confirmed: number | undefined): AuditFault {
  const { chain, seq, id, position } = entry;
  const since = confirmed === undefined ? '' : ` after record ${String(confirmed)}`;
  const message = `The chain ${chain} was replaced${since}: the checkpoint of record ${String(seq)} has another hash.`;
  return { kind: 'changed', position, chain, seq, id, message };
}

/** @param signedAt of the checkpoint at which the chain begins */
export function missing({ chain, seq, position }: Entry, signedAt: string): AuditFault {
  const message = `The records 1 to ${String(seq - 1)} of the chain ${chain} are missing: its first checkpoint is of ${signedAt}, which is too young for pruning.`;
  return { kind: 'removed', position, chain, seq: 1, message };
}

/** Of what is not even half a record, or stands where no process has died. */
export function unreadable(position: number): AuditFault {
  return { kind: 'changed', position, message: `Record ${String(position)} cannot be read.` };
}

export function cut(chain: string, seq: number, newest: number, position: number): AuditFault {
  const message = `The records ${String(seq)} to ${String(newest)} of the chain ${chain} are missing, which a checkpoint has seen.`;
  return { kind: 'cut', position, chain, seq, message };
}

export function unconfirmed(chain: string, position: number): AuditFault {
  const message = `No checkpoint confirms the chain ${chain}, which begins at position ${String(position)}: a program that can write to the store may have put it in.`;
  return { kind: 'unsigned', position, chain, message };
}

export function unsigned({ chain, seq }: AuditCheckpoint): AuditFault {
  const message = `The checkpoint of record ${String(seq)} of the chain ${chain} was not signed with the key.`;
  return { kind: 'signature', position: 0, chain, seq, message };
}
