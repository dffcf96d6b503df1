import type { RunEvent, RunStatus } from '../../domain/run/run-state.ts';

/** A run as an entry of a list. */
export interface RunSummary {
  /** The id of the run. */
  readonly runId: string;
  /** The tenant that the run belongs to. */
  readonly tenant: string;
  /** The caller within the tenant that the run belongs to. */
  readonly principal: string;
  /** The id of the workflow. */
  readonly workflowId: string;
  /** The hash of the definition that the run follows. */
  readonly definitionHash: string;
  /** What the run is to achieve. */
  readonly goal?: string;
  /** What the run is doing, or how it ended. */
  readonly status: RunStatus;
  /** The seq of its last event. */
  readonly seq: number;
  /** ISO 8601, in UTC, as are the next two. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
  /** When it expires unless it changes. */
  readonly expiresAt: string;
}

/** A change of one run. */
export interface AppendRequest {
  /** The run that changes, or is created. */
  readonly runId: string;
  /** The seq of the last event known to the caller; 0 for a new run. */
  readonly expectedSeq: number;
  /** Their seq continues from `expectedSeq`. */
  readonly events: readonly RunEvent[];
  /** Makes a repeat of the request return the recorded response. Default: none. */
  readonly idempotencyKey?: string;
  /** The scope in which the key is unique. Default: the run. */
  readonly idempotencyScope?: string;
  /** The hash of the request; reusing the key with another hash is a mismatch. */
  readonly requestHash?: string;
  /** Returned byte for byte when the request is repeated. */
  readonly response?: string;
  /** The summary of the run after the events. */
  readonly summary: RunSummary;
  /** The state after the events, if it should be stored. */
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
  /** The seq of the last event in the state. */
  readonly seq: number;
  /** The state, as JSON text. */
  readonly state: string;
}

/** Which runs to find; a run must match every given member. */
export interface RunQuery {
  /** Only runs of this tenant. */
  readonly tenant: string;
  /** Only runs of this caller. Default: all of the tenant. */
  readonly principal?: string;
  /** Only runs with this status. Default: any. */
  readonly status?: RunStatus;
  /** Only runs of this workflow. Default: any. */
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
  /** The hash of the request that was answered. */
  readonly requestHash: string;
  /** The answer, byte for byte. */
  readonly response: string;
}

/** A complete run, for moving it from one store to another. */
export interface ExportedRun {
  /** The summary of the run. */
  readonly summary: RunSummary;
  /** All of its events, in order. */
  readonly events: readonly RunEvent[];
  /** The recorded answers of the run, by scope and key. */
  readonly idempotency: readonly (RecordedResponse & { readonly scope: string; readonly key: string })[];
  /** The definition that the run follows; null if it was never pinned. */
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
  /** Closes the store. Every later call rejects with `STORAGE_ERROR`. */
  close(): Promise<void>;
  /** Adds events to a run, together with its summary, in one transaction. */
  append(request: AppendRequest): Promise<AppendResult>;
  /** The events from `fromSeq` (default 1), in order; none for an unknown run. */
  load(runId: string, fromSeq?: number): Promise<readonly RunEvent[]>;
  /** The summary of a run; null for an unknown one. */
  getSummary(runId: string): Promise<RunSummary | null>;
  /** The last snapshot of a run; null without one. */
  getSnapshot(runId: string): Promise<RunSnapshot | null>;
  /** Stores a snapshot unless a later one is there. Does nothing for an unknown run. */
  putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void>;
  /** The response recorded under a key. */
  getRecorded(scope: string, key: string): Promise<RecordedResponse | null>;
  /** The runs that match, a page at a time. */
  find(query: RunQuery): Promise<RunPage>;
  /** Ids of the runs that are not terminal and have an `expiresAt` before the given time, oldest first. */
  findExpired(before: string, limit: number): Promise<readonly string[]>;
  /** Stores a definition permanently; does nothing if the hash exists. */
  pinDefinition(hash: string, json: string): Promise<void>;
  /** The pinned definition with this hash, as JSON; null without one. */
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
  /** Everything that is stored of a run; null for an unknown one. */
  exportRun(runId: string): Promise<ExportedRun | null>;
  /** @throws WorkflowError `STATE_ERROR` for a run that already exists. */
  importRun(run: ExportedRun): Promise<void>;
  /** Deletes terminal runs that last changed before the given time (ISO 8601), and returns how many. */
  purge(options: { readonly before: string }): Promise<number>;
}
