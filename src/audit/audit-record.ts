import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { isPlainObject } from '../shared/json.ts';

/**
 * What is recorded. `destructive`: actions with `@Destructive()`. `consent`: actions with `confirm`. `write`: all actions
 * without `@ReadOnly()`. `read`: the others, and prompts and resources. `denied`: calls that their caller may not make.
 * `configuration`: starts and ends of the application, and changes of what it offers. `sign-in`: steps of signing in with
 * `auth.signIn`.
 */
export type AuditKind = 'destructive' | 'consent' | 'write' | 'read' | 'denied' | 'configuration' | 'sign-in';

/** What a record says; its place in the chain is added when it is stored. */
export interface AuditFacts {
  /** `start` begins a chain, `attempt` stands before a run, `outcome` after a call, `change` for all else. */
  readonly type: 'start' | 'attempt' | 'outcome' | 'change';
  /** The tenant of the caller. */
  readonly tenant?: string | undefined;
  /** Who issued the token of the caller. */
  readonly issuer?: string | undefined;
  /** The program that calls. */
  readonly clientId?: string | undefined;
  /** The person or account that it calls for. */
  readonly sub?: string | undefined;
  /** How the call came: over `http` or `stdio`, or from the same `process`; undefined for a server of somebody else. */
  readonly via?: 'http' | 'stdio' | 'process' | undefined;
  /** The tool; the name of a prompt; the URI or template of a resource. */
  readonly tool?: string | undefined;
  /** The action of the tool. */
  readonly action?: string | undefined;
  /** The surface on which the client got its tools; left out where the application has one. */
  readonly surface?: string | undefined;
  /** The version of the action. */
  readonly version?: string | undefined;
  /** HMAC-SHA-256 of the arguments as canonical JSON: of the validated ones, and as they came for a call that did not run. */
  readonly argumentsHash?: string | undefined;
  /** The validated arguments, without the values of `@Sensitive()` fields; only with the option `arguments`. */
  readonly arguments?: unknown;
  /** Who agreed to the call, as its result says. */
  readonly consent?: string | undefined;
  /** Whether the call was allowed, denied to its caller, or declined by the person who was asked. */
  readonly decision?: 'allowed' | 'denied' | 'declined' | undefined;
  /**
   * `done`, or `failed` while it ran; `refused` before it ran; `replayed` where the result of an earlier call was given;
   * `queued` where a worker runs it.
   */
  readonly outcome?: 'done' | 'failed' | 'refused' | 'replayed' | 'queued' | undefined;
  /** The code of the error that the client got. */
  readonly errorCode?: string | undefined;
  /** Milliseconds from the last request of the call to its end. */
  readonly duration?: number | undefined;
  /** The trace of the call (W3C Trace Context), where its client sent one. */
  readonly traceId?: string | undefined;
  /** Of an outcome: the `id` of the attempt. */
  readonly attempt?: string | undefined;
  /** Of a change: what has changed. */
  readonly change?: string | undefined;
  /** Of a change and a start: what else is to be known of it. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Of a start: the record that was the last in the store. */
  readonly follows?: AuditPlace | undefined;
  /** Of a start: how many records before it are not known to be stored. */
  readonly lost?: number | undefined;
}

/** A place in a chain. */
export interface AuditPlace {
  /** Random for each writing process, and new after a record that may not have been stored. */
  readonly chain: string;
  /** From 1 on. */
  readonly seq: number;
  /** The hash of the record in this place. */
  readonly hash: string;
}

/** A record as it is stored. */
export interface AuditRecord extends AuditFacts, AuditPlace {
  /** A random UUID. */
  readonly id: string;
  /** ISO 8601, by the clock of the process. */
  readonly time: string;
  /** The hash of the record before it in the chain; of the record that a `start` follows, or 64 zeros. */
  readonly previous: string;
}

/** What comes before the first record of all. */
export const NO_HASH = '0'.repeat(64);

/**
 * SHA-256 of the previous hash, as its 64 hexadecimal digits, and the record without its own hash as canonical JSON
 * (RFC 8785).
 */
export function auditHash({ hash: _, ...record }: Omit<AuditRecord, 'hash'> & { hash?: string }): string {
  return createHash('sha256').update(record.previous).update(canonicalJson(record)).digest('hex');
}

/**
 * A stored text as a record; undefined for what is none. It is what JSON writers make of the record, to the letter: of a
 * member that stands in it twice, or under an escaped name, other readers may see something else.
 */
export function readAuditRecord(text: string): AuditRecord | undefined {
  const value = parsed(text);
  if (!isPlainObject(value) || !Number.isSafeInteger(value['seq'])) return undefined;
  const isWhole = ['id', 'chain', 'previous', 'hash', 'type'].every(
    (name) => typeof value[name] === 'string',
  );
  const isExact = isWhole && (canonicalJson(value) === text || JSON.stringify(value) === text);
  return isExact ? (value as unknown as AuditRecord) : undefined;
}

/** Whether a text is JSON as far as it goes, and ends too early: a process died, or the disk was full, while it was written. */
export function isCutOff(text: string): boolean {
  // The last text may have no end
  const structure = text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '');
  let depth = 0;
  for (const sign of structure) {
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0 && sign !== '\0') return false;
  }
  return true;
}

/** Where audit records are kept. Who can write to it can change it as well: `verifyAudit()` finds that. */
export interface AuditStore {
  /**
   * Stores records behind all others, in their order. Once it resolves, the end of the process does not lose them; where
   * it rejects, some of them may be stored.
   */
  append(records: readonly AuditRecord[]): Promise<void>;
  /** All records as JSON, in the order in which they were stored. */
  read(): AsyncIterable<string>;
  /** The last record as JSON; undefined for none. */
  last(): Promise<string | undefined>;
  /** Deletes the records of a chain before this number. Returns how many. Undefined where records stay for good. */
  prune?(chain: string, before: number): Promise<number>;
  /** Ends what was opened; it is opened again when it is needed. */
  close?(): Promise<void>;
}

/** A place in a chain, signed. Kept outside of the store, it shows that no record up to it was changed or removed. */
export interface AuditCheckpoint extends AuditPlace {
  /** When it was signed, ISO 8601. */
  readonly time: string;
  /** Ed25519 over the other members as canonical JSON, as base64url. */
  readonly signature: string;
}

/** Signs a place with an Ed25519 key. */
export function signCheckpoint(place: AuditPlace, time: string, key: KeyObject): AuditCheckpoint {
  const { chain, seq, hash } = place;
  const signed = { chain, seq, hash, time };
  const signature = sign(null, Buffer.from(canonicalJson(signed)), key).toString('base64url');
  return { ...signed, signature };
}

/** The public keys that checkpoints may be signed with, as PEM. */
export type AuditKeys = string | readonly string[];

/** @throws ToolwrightError TW_AUDIT_OPTION for what is not the PEM of an Ed25519 key */
export function readKeys(where: string, keys: AuditKeys): readonly KeyObject[] {
  return [keys].flat().map((pem) => {
    try {
      const key = createPublicKey(pem);
      if (key.asymmetricKeyType === 'ed25519') return key;
    } catch {
      // The error below says so
    }
    throw new ToolwrightError('TW_AUDIT_OPTION', {
      where,
      what: 'was given a public key that is not the PEM of an Ed25519 key.',
      fix: 'openssl pkey -in audit.pem -pubout -out audit.pub.pem',
    });
  });
}

/** Whether one of the keys signed the checkpoint. */
export function isSigned({ signature, ...signed }: AuditCheckpoint, keys: readonly KeyObject[]): boolean {
  const data = Buffer.from(canonicalJson(signed));
  return keys.some((key) => verify(null, data, key, Buffer.from(signature, 'base64url')));
}

/** A line of an anchor's file as a checkpoint; undefined for what is none. */
export function readCheckpoint(text: string): AuditCheckpoint | undefined {
  const value = parsed(text);
  const isWhole =
    isPlainObject(value) &&
    Number.isSafeInteger(value['seq']) &&
    ['chain', 'hash', 'time', 'signature'].every((name) => typeof value[name] === 'string');
  return isWhole ? (value as unknown as AuditCheckpoint) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
