import {
  auditHash,
  isSigned,
  NO_HASH,
  readAuditRecord,
  type AuditCheckpoint,
  type AuditKeys,
  type AuditPlace,
  type AuditRecord,
  type AuditStore,
} from './audit-record.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';

/** Options of `verifyAudit()`. */
export interface VerifyAuditOptions {
  /** What the anchor has: only with them is it found that the last records are missing. Default: none. */
  readonly checkpoints?: Iterable<AuditCheckpoint>;
  /** The public keys of the checkpoints, as PEM; needed with `checkpoints`. */
  readonly publicKey?: AuditKeys;
}

/** The first thing that is wrong. */
export interface AuditFault {
  /** `cut`: records are missing that a checkpoint has seen; `signature`: a checkpoint that no key has signed. */
  readonly kind: 'changed' | 'removed' | 'inserted' | 'reordered' | 'cut' | 'signature';
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

/** One chain, as far as it is there. */
export interface VerifiedChain {
  /** Its name. */
  readonly chain: string;
  /** The number of its first record; above 1 where those before were pruned. */
  readonly from: number;
  /** The number of its last record. */
  readonly to: number;
  /** The number up to which signed checkpoints confirm it; undefined for none. */
  readonly confirmed: number | undefined;
}

/** What `verifyAudit()` found. */
export interface AuditVerification {
  /** Whether nothing is wrong. */
  readonly isSound: boolean;
  /** How many records were read. */
  readonly records: number;
  /** The chains, in the order in which they begin. */
  readonly chains: readonly VerifiedChain[];
  /** Places where a process died while it wrote: half a record, which was never acknowledged. */
  readonly torn: readonly number[];
  /** The first record that is wrong; undefined for none. */
  readonly fault: AuditFault | undefined;
}

/**
 * Checks every record of an audit: that it is the one that was stored, and stands where it was stored.
 *
 * @param source a store, or records as JSON in their order
 * @throws ToolwrightError TW_AUDIT_OPTION for checkpoints without a key
 *
 * @example
 * const { isSound, fault } = await verifyAudit(jsonLinesAuditStore('audit.jsonl'));
 * if (!isSound) console.error(fault?.message);
 */
export async function verifyAudit(
  source: Pick<AuditStore, 'read'> | AsyncIterable<string> | Iterable<string>,
  { checkpoints = [], publicKey }: VerifyAuditOptions = {},
): Promise<AuditVerification> {
  const signed = [...checkpoints];
  if (signed.length > 0 && publicKey === undefined) throw withoutKey();
  const verification = new Verification(signed);
  for await (const text of 'read' in source ? source.read() : source) verification.add(text);
  const forged = signed.find((each) => publicKey === undefined || !isSigned(each, publicKey));
  return verification.end(forged);
}

/** So many records of a chain are kept in memory to say what happened to it. */
const LOOK_AHEAD = 1000;

interface Entry extends AuditPlace {
  readonly position: number;
  readonly id: string;
  readonly previous: string;
  /** Whether the hash is that of the record. */
  readonly isIntact: boolean;
}

/** A chain while it is read. */
interface Chain {
  readonly from: number;
  last: Entry;
  confirmed: number | undefined;
  /** The first record that does not fit, and those after it in the chain. */
  doubtful: Entry[] | undefined;
  fault: AuditFault | undefined;
}

class Verification {
  readonly #checkpoints = new Map<string, Map<number, AuditCheckpoint>>();
  readonly #chains = new Map<string, Chain>();
  readonly #torn: number[] = [];
  readonly #faults: AuditFault[] = [];
  #position = 0;
  #records = 0;
  /** An unreadable text, until the next one says whether a process died there. */
  #unread: { readonly position: number; readonly isTorn: boolean } | undefined;

  constructor(checkpoints: readonly AuditCheckpoint[]) {
    for (const checkpoint of checkpoints) {
      const ofChain = this.#checkpoints.get(checkpoint.chain) ?? new Map<number, AuditCheckpoint>();
      this.#checkpoints.set(checkpoint.chain, ofChain.set(checkpoint.seq, checkpoint));
    }
  }

  add(text: string): void {
    this.#position += 1;
    const record = readAuditRecord(text);
    this.#settleUnread(record?.type === 'start');
    if (record === undefined) {
      // Half a record, not one that was changed
      this.#unread = { position: this.#position, isTorn: !text.trimEnd().endsWith('}') };
      return;
    }
    this.#records += 1;
    const { chain, seq, hash, id, previous } = record;
    const isIntact = auditHash(record) === hash;
    const entry: Entry = { chain, seq, hash, id, previous, position: this.#position, isIntact };
    const known = this.#chains.get(chain);
    if (known === undefined) this.#begin(entry, record);
    else this.#follow(known, entry);
  }

  end(forged: AuditCheckpoint | undefined): AuditVerification {
    this.#settleUnread(true);
    for (const chain of this.#chains.values()) this.#settle(chain);
    this.#findCuts();
    const faults = [...this.#faults, ...[...this.#chains.values()].flatMap(({ fault }) => fault ?? [])];
    const [first] = faults.sort((one, other) => one.position - other.position);
    const fault = first ?? (forged && unsigned(forged));
    return {
      isSound: fault === undefined,
      records: this.#records,
      chains: [...this.#chains].map(([chain, { from, last, confirmed }]) => {
        return { chain, from, to: last.seq, confirmed };
      }),
      torn: this.#torn,
      fault,
    };
  }

  #begin(entry: Entry, { type, follows }: AuditRecord): void {
    const { chain, seq, position } = entry;
    const begun: Chain = {
      from: seq,
      last: entry,
      confirmed: undefined,
      doubtful: undefined,
      fault: undefined,
    };
    this.#chains.set(chain, begun);
    if (!entry.isIntact) begun.fault = changed(entry);
    else if (seq !== 1) {
      if (this.#checkpoints.get(chain)?.get(seq)?.hash !== entry.hash)
        begun.fault = removed(chain, 1, position);
    } else if (type !== 'start' || entry.previous !== (follows?.hash ?? NO_HASH))
      begun.fault = changed(entry);
    else if (follows !== undefined) this.#checkFollowed(follows, position);
    this.#confirm(begun, entry);
  }

  /** What a chain follows was stored before it, and must be there. */
  #checkFollowed({ chain, seq, hash }: AuditPlace, position: number): void {
    const before = this.#chains.get(chain);
    if (before === undefined) this.#faults.push(removed(chain, seq, position));
    else if (before.doubtful !== undefined || before.fault !== undefined) return;
    else if (before.last.seq < seq) this.#faults.push(removed(chain, before.last.seq + 1, position));
    else if (before.last.seq === seq && before.last.hash !== hash) before.fault = changed(before.last);
  }

  #follow(chain: Chain, entry: Entry): void {
    if (chain.fault !== undefined) return;
    const { last } = chain;
    if (chain.doubtful !== undefined) {
      chain.doubtful.push(entry);
      if (chain.doubtful.length >= LOOK_AHEAD) this.#settle(chain);
    } else if (entry.isIntact && entry.seq === last.seq + 1 && entry.previous === last.hash) {
      chain.last = entry;
      this.#confirm(chain, entry);
    } else chain.doubtful = [entry];
  }

  /** A checkpoint of another hash shows that records were replaced, with new hashes. */
  #confirm(chain: Chain, entry: Entry): void {
    const checkpoint = this.#checkpoints.get(entry.chain)?.get(entry.seq);
    if (checkpoint === undefined || chain.fault !== undefined) return;
    if (checkpoint.hash === entry.hash) chain.confirmed = entry.seq;
    else chain.fault = rewritten(entry, chain.confirmed);
  }

  #settle(chain: Chain): void {
    const { doubtful, last } = chain;
    if (doubtful === undefined || chain.fault !== undefined) return;
    chain.fault = explain(last, doubtful);
    chain.doubtful = undefined;
  }

  #settleUnread(isFollowedByStart: boolean): void {
    if (this.#unread === undefined) return;
    const { position, isTorn } = this.#unread;
    this.#unread = undefined;
    if (isTorn && isFollowedByStart) this.#torn.push(position);
    else
      this.#faults.push({ kind: 'changed', position, message: `Record ${String(position)} cannot be read.` });
  }

  #findCuts(): void {
    for (const [name, checkpoints] of this.#checkpoints) {
      const chain = this.#chains.get(name);
      const newest = Math.max(...checkpoints.keys());
      if (chain?.fault !== undefined || newest <= (chain?.last.seq ?? 0)) continue;
      const seq = (chain?.last.seq ?? 0) + 1;
      const message = `The records ${String(seq)} to ${String(newest)} of the chain ${name} are missing, which a checkpoint has seen.`;
      this.#faults.push({ kind: 'cut', position: this.#position + 1, chain: name, seq, message });
    }
  }
}

/** What happened where a chain does not go on as it should. @param last the last record that fits */
function explain(last: Entry, [found, ...later]: readonly Entry[]): AuditFault {
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

function changed(entry: Entry): AuditFault {
  return fault('changed', entry);
}

function removed(chain: string, seq: number, position: number): AuditFault {
  const message = `Record ${String(seq)} of the chain ${chain} is missing, before position ${String(position)}.`;
  return { kind: 'removed', position, chain, seq, message };
}

function rewritten(entry: Entry, confirmed: number | undefined): AuditFault {
  const { chain, seq, id, position } = entry;
  const since = confirmed === undefined ? '' : ` after record ${String(confirmed)}`;
  const message = `The chain ${chain} was replaced${since}: the checkpoint of record ${String(seq)} has another hash.`;
  return { kind: 'changed', position, chain, seq, id, message };
}

function unsigned({ chain, seq }: AuditCheckpoint): AuditFault {
  const message = `The checkpoint of record ${String(seq)} of the chain ${chain} was not signed with the key.`;
  return { kind: 'signature', position: 0, chain, seq, message };
}

function withoutKey(): ToolwrightError {
  return new ToolwrightError('TW_AUDIT_OPTION', {
    where: 'verifyAudit()',
    what: 'was given checkpoints, but no key that they were signed with.',
    fix: 'verifyAudit(store, { checkpoints, publicKey })',
  });
}
