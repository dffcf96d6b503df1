import { ToolwrightError } from '../errors/toolwright-error.ts';
import {
  changed,
  cut,
  explain,
  missing,
  removed,
  rewritten,
  unconfirmed,
  unreadable,
  unsigned,
  type AuditFault,
  type Entry,
} from './audit-faults.ts';
import {
  auditHash,
  isCutOff,
  isSigned,
  NO_HASH,
  readAuditRecord,
  readKeys,
  type AuditCheckpoint,
  type AuditKeys,
  type AuditPlace,
  type AuditRecord,
  type AuditStore,
} from './audit-record.ts';

/** Options of `verifyAudit()`. */
export interface VerifyAuditOptions {
  /** What the anchor has: only with them is it found that the last records are missing. Default: none. */
  readonly checkpoints?: Iterable<AuditCheckpoint>;
  /** The public keys of the checkpoints, as PEM; needed with `checkpoints`. */
  readonly publicKey?: AuditKeys;
  /**
   * What was stored after this time is not pruned yet: a chain that begins at a younger checkpoint lacks records. Default:
   * a chain may begin at any checkpoint.
   */
  readonly prunedBefore?: Date;
  /**
   * Whether a chain may have no checkpoint, as that of a process that was killed before it signed the first one. Default
   * false: with `checkpoints`, such a chain is a fault, unless it began within the last `interval` and no signed one after it.
   */
  readonly allowUnsigned?: boolean;
  /** Milliseconds after which a chain is signed: the option `checkpoints.interval` of the application. Default 60,000. */
  readonly interval?: number;
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
 * @throws ToolwrightError TW_AUDIT_OPTION for checkpoints without a key, and for what is not a key
 *
 * @example
 * const { isSound, fault } = await verifyAudit(jsonLinesAuditStore('audit.jsonl'));
 * if (!isSound) console.error(fault?.message);
 */
export async function verifyAudit(
  source: Pick<AuditStore, 'read'> | AsyncIterable<string> | Iterable<string>,
  options: VerifyAuditOptions = {},
): Promise<AuditVerification> {
  const { checkpoints, publicKey, prunedBefore, allowUnsigned = false, interval = INTERVAL } = options;
  const signed = [...(checkpoints ?? [])];
  if (signed.length > 0 && publicKey === undefined) throw withoutKey();
  const keys = readKeys('verifyAudit()', publicKey ?? []);
  const verification = new Verification(signed, prunedBefore);
  for await (const text of 'read' in source ? source.read() : source) verification.add(text);
  const forged = signed.find((each) => !isSigned(each, keys));
  const needsSignatures = checkpoints !== undefined && !allowUnsigned;
  return verification.end(forged, needsSignatures ? { now: Date.now(), interval } : undefined);
}

const INTERVAL = 60_000;

/** All in milliseconds. */
interface Signing {
  readonly now: number;
  readonly interval: number;
}

/** So many records of a chain are kept in memory to say what happened to it. */
const LOOK_AHEAD = 1000;

/** A chain while it is read. */
interface Chain {
  readonly from: number;
  /** Where it begins in the store, and when it began by its own account. */
  readonly position: number;
  readonly time: string;
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

  readonly #prunedBefore: Date | undefined;

  constructor(checkpoints: readonly AuditCheckpoint[], prunedBefore: Date | undefined) {
    this.#prunedBefore = prunedBefore;
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
      this.#unread = { position: this.#position, isTorn: isCutOff(text) };
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

  /** @param signing when chains are signed; undefined where none has to be */
  end(forged: AuditCheckpoint | undefined, signing?: Signing): AuditVerification {
    this.#settleUnread(true);
    for (const chain of this.#chains.values()) this.#settle(chain);
    this.#findCuts();
    const faults = [...this.#faults, ...[...this.#chains.values()].flatMap(({ fault }) => fault ?? [])];
    const [first] = faults.sort((one, other) => one.position - other.position);
    const fault = first ?? (forged && unsigned(forged)) ?? this.#findUnsigned(signing);
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

  #begin(entry: Entry, { type, follows, time }: AuditRecord): void {
    const { chain, seq, position } = entry;
    const begun: Chain = {
      from: seq,
      position,
      time,
      last: entry,
      confirmed: undefined,
      doubtful: undefined,
      fault: undefined,
    };
    this.#chains.set(chain, begun);
    if (!entry.isIntact) begun.fault = changed(entry);
    else if (seq !== 1) begun.fault = this.#missingBefore(entry);
    else if (type !== 'start' || entry.previous !== (follows?.hash ?? NO_HASH)) begun.fault = changed(entry);
    else if (follows !== undefined) this.#checkFollowed(follows, position);
    this.#confirm(begun, entry);
  }

  /** A chain may begin at the record of a checkpoint, where those before were pruned. */
  #missingBefore(entry: Entry): AuditFault | undefined {
    const { chain, seq, hash, position } = entry;
    const checkpoint = this.#checkpoints.get(chain)?.get(seq);
    if (checkpoint?.hash !== hash) return removed(chain, 1, position);
    const isPruned =
      this.#prunedBefore === undefined || Date.parse(checkpoint.time) < this.#prunedBefore.getTime();
    return isPruned ? undefined : missing(entry, checkpoint.time);
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
    else this.#faults.push(unreadable(position));
  }

  /** The newest chains may not have been signed yet; the time in a record is what its writer says, and no clock is so far ahead. */
  #findUnsigned(signing: Signing | undefined): AuditFault | undefined {
    if (signing === undefined) return undefined;
    const { now, interval } = signing;
    const isNew = (time: string): boolean => Math.abs(now - Date.parse(time)) < interval;
    const all = [...this.#chains];
    const lastSigned = all.findLastIndex(([, { confirmed }]) => confirmed !== undefined);
    const found = all.find(
      ([, { confirmed, time }], index) => confirmed === undefined && !(index > lastSigned && isNew(time)),
    );
    return found && unconfirmed(found[0], found[1].position);
  }

  #findCuts(): void {
    for (const [name, checkpoints] of this.#checkpoints) {
      const chain = this.#chains.get(name);
      const newest = Math.max(...checkpoints.keys());
      if (chain?.fault !== undefined || newest <= (chain?.last.seq ?? 0)) continue;
      const seq = (chain?.last.seq ?? 0) + 1;
      this.#faults.push(cut(name, seq, newest, this.#position + 1));
    }
  }
}

function withoutKey(): ToolwrightError {
  return new ToolwrightError('TW_AUDIT_OPTION', {
    where: 'verifyAudit()',
    what: 'was given checkpoints, but no key that they were signed with.',
    fix: 'verifyAudit(store, { checkpoints, publicKey })',
  });
}
