import { createPrivateKey } from 'node:crypto';
import {
  aFunction,
  listOf,
  objectOf,
  objectWith,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  secret,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import type { AuditCheckpoint, AuditKind, AuditStore } from './audit-record.ts';

/** How an audit is signed. */
export interface AuditCheckpointOptions {
  /** The private Ed25519 key, as PEM (PKCS #8). */
  readonly key: string;
  /**
   * Takes each checkpoint to a place that who writes to the store cannot change: `fileAnchor()` of `toolwright/audit`, or
   * a function of yours. No call waits for it. Where it throws or takes longer than 5 seconds, a later checkpoint covers the
   * same records.
   */
  readonly anchor: (checkpoint: AuditCheckpoint) => void | Promise<void>;
  /** Records after which one is signed. Default 1000. */
  readonly every?: number;
  /** Milliseconds after which one is signed at the latest. Default 60,000. */
  readonly interval?: number;
}

/**
 * The option `audit` of `McpApplication.create`.
 *
 * @example
 * const app = await McpApplication.create(AppModule, {
 *   secrets: [process.env['SECRET'] ?? ''],
 *   audit: { store: jsonLinesAuditStore('audit.jsonl'), kinds: ['write', 'denied', 'configuration'] },
 * });
 */
export interface AuditOptions {
  /** Where the records go: `jsonLinesAuditStore()`, `postgresAuditStore()`, or your own. */
  readonly store: AuditStore;
  /** Which calls are recorded. Default: all but `write` and `read`. */
  readonly kinds?: readonly AuditKind[];
  /** The key of `argumentsHash`. Default: made of `secrets`; without them it is random, and new for each process. */
  readonly key?: string | Uint8Array;
  /** Whether records have the arguments, with `[redacted]` in place of `@Sensitive()` fields. Default false. */
  readonly arguments?: boolean;
  /**
   * What becomes of a call whose attempt cannot be recorded: it is refused with TRY_AGAIN_LATER and does not run, or it runs.
   * Default: `refuse` for destructive actions, `continue` for all others.
   */
  readonly onFailure?: 'refuse' | 'continue';
  /** Milliseconds after which a record counts as one that cannot be stored. Default 2000. */
  readonly storeTimeout?: number;
  /** Signs where the chain stands, so that it is found when its end is cut off. Default: nothing is signed. */
  readonly checkpoints?: AuditCheckpointOptions;
}

export const AUDIT_KINDS = [
  'destructive',
  'consent',
  'write',
  'read',
  'denied',
  'configuration',
  'sign-in',
] as const;

const ed25519 = rule('the PEM of a private Ed25519 key', (value) => {
  try {
    return typeof value === 'string' && createPrivateKey(value).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
});

const filled = rule(
  'a text or bytes that are not empty',
  (value) => (typeof value === 'string' || value instanceof Uint8Array) && value.length > 0,
);

export const AUDIT_RULES: OptionRules<AuditOptions> = {
  store: required(objectWith('an audit store', 'append', 'read', 'last')),
  kinds: listOf(oneOf(...AUDIT_KINDS)),
  key: secret(filled),
  arguments: trueOrFalse,
  onFailure: oneOf('refuse', 'continue'),
  storeTimeout: positiveMilliseconds,
  checkpoints: objectOf<AuditCheckpointOptions>({
    key: required(secret(ed25519)),
    anchor: required(aFunction),
    every: wholeNumber(1),
    interval: positiveMilliseconds,
  }),
};
