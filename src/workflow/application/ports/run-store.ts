import type { RunEvent, RunStatus } from '../../domain/run/run-state.ts';

/** A run as an entry of a list. */
export interface RunSummary {
  readonly runId: string;
  readonly tenant: string;
  readonly principal: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly goal?: string;
  readonly status: RunStatus;
  readonly seq: number;
  /** ISO 8601, in UTC, as are the next two. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
}

/** A change of one run. */
export interface AppendRequest {
  readonly runId: string;
  /** The seq of the last event known to the caller; 0 for a new run. */
  readonly expectedSeq: number;
  /** Their seq continues from `expectedSeq`. */
  readonly events: readonly RunEvent[];
  readonly idempotencyKey?: string;
  /** The scope in which the key is unique. Default: the run. */
  readonly idempotencyScope?: string;
  /** The hash of the request; reusing the key with another hash is a mismatch. */
  readonly requestHash?: string;
  /** Returned byte for byte when the request is repeated. */
  readonly response?: string;
  readonly summary: RunSummary;
  readonly snapshot?: RunSnapshot;
}

/** How an append ended. A store looks for the idempotency key first, so a repeat is `duplicate` even if the seq has moved on. */
export type AppendResult =
  | { readonly ok: true; readonly seq: number }
  | { readonly conflict: true; readonly actualSeq: number }
  | { readonly duplicate: true; readonly response: string }
  | { readonly mismatch: true };

/** The state after an event, as JSON text. It is only a cache and may be lost at any time. */
export interface RunSnapshot {
  readonly seq: number;
  readonly state: string;
}

/** Which runs to find; a run must match every given member. */
export interface RunQuery {
  readonly tenant: string;
  readonly principal?: string;
  readonly status?: RunStatus;
  readonly workflowId?: string;
  /** Part of the goal or of the workflow id; case-insensitive. */
  readonly text?: string;
  /** ISO 8601, in UTC. */
  readonly updatedAfter?: string;
  /** 1 to 100. */
  readonly limit: number;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string;
}

/** A page of runs. */
export interface RunPage {
  /** The latest change first, then by id. */
  readonly runs: readonly RunSummary[];
  /** Undefined on the last page. */
  readonly nextCursor?: string;
}

/** The answer that was recorded for an idempotency key. */
export interface RecordedResponse {
  readonly requestHash: string;
  readonly response: string;
}

/** A complete run, for moving it from one store to another. */
export interface ExportedRun {
  readonly summary: RunSummary;
  readonly events: readonly RunEvent[];
  readonly idempotency: readonly (RecordedResponse & { readonly scope: string; readonly key: string })[];
  readonly definition: { readonly hash: string; readonly json: string } | null;
}

/**
 * Stores runs. One `append` is one transaction. Every method may reject with `STORAGE_ERROR`, and with
 * `INVALID_PARAMS` for a text with U+0000 or a lone surrogate, or a name that is too long for an index.
 * `runStoreConformance` tests what a store must do.
 */
export interface RunStore {
  /** Creates or migrates the tables. @throws WorkflowError `STORAGE_ERROR` for a schema newer than the code. */
  init(): Promise<void>;
  close(): Promise<void>;
  append(request: AppendRequest): Promise<AppendResult>;
  /** The events from `fromSeq` (default 1), in order; none for an unknown run. */
  load(runId: string, fromSeq?: number): Promise<readonly RunEvent[]>;
  getSummary(runId: string): Promise<RunSummary | null>;
  getSnapshot(runId: string): Promise<RunSnapshot | null>;
  putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void>;
  /** The response recorded under a key. */
  getRecorded(scope: string, key: string): Promise<RecordedResponse | null>;
  find(query: RunQuery): Promise<RunPage>;
  /** Ids of the runs that are not terminal and have an `expiresAt` before the given time, oldest first. */
  findExpired(before: string, limit: number): Promise<readonly string[]>;
  /** Stores a definition permanently; does nothing if the hash exists. */
  pinDefinition(hash: string, json: string): Promise<void>;
  getDefinition(hash: string): Promise<string | null>;
  /**
   * Gives one owner at a time the right to work on a run.
   * @param ttl in milliseconds, more than 0
   * @returns a number that rises with every new lease of the run, even if the run was purged in between; or null
   *   while another owner holds the lease
   */
  acquireLease(runId: string, owner: string, ttl: number): Promise<number | null>;
  /** Does nothing if the owner does not hold the lease. */
  releaseLease(runId: string, owner: string): Promise<void>;
  /** Stores the value under the name unless it has one, and returns the stored value. Used for signing keys. */
  keep(name: string, value: string): Promise<string>;
  exportRun(runId: string): Promise<ExportedRun | null>;
  /** @throws WorkflowError `STATE_ERROR` for a run that already exists. */
  importRun(run: ExportedRun): Promise<void>;
  /** Deletes terminal runs that last changed before the given time (ISO 8601), and returns how many. */
  purge(options: { readonly before: string }): Promise<number>;
}
