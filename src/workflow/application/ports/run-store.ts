import type { RunEvent, RunStatus } from '../../domain/run/run-state.ts';

/** A run as lists show it. */
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
  /** The seq of the last event that the caller knows; 0 for a new run. */
  readonly expectedSeq: number;
  /** Their seq goes on from `expectedSeq`. */
  readonly events: readonly RunEvent[];
  readonly idempotencyKey?: string;
  /** Within what the key is unique; the run unless given. */
  readonly idempotencyScope?: string;
  /** Of the request; the same key with another one is a mismatch. */
  readonly requestHash?: string;
  /** Given back, byte for byte, when the request is repeated. */
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

/** The state after some event, as JSON text: a cache that may be lost at any time. */
export interface RunSnapshot {
  readonly seq: number;
  readonly state: string;
}

/** Which runs to find; all that is given has to hold. */
export interface RunQuery {
  readonly tenant: string;
  readonly principal?: string;
  readonly status?: RunStatus;
  readonly workflowId?: string;
  /** Part of the goal or of the workflow's id; letter case does not count. */
  readonly text?: string;
  /** ISO 8601, in UTC. */
  readonly updatedAfter?: string;
  /** 1 to 100. */
  readonly limit: number;
  /** Of the page before. */
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

/** A run with all that belongs to it, to be moved from one store to another. */
export interface ExportedRun {
  readonly summary: RunSummary;
  readonly events: readonly RunEvent[];
  readonly idempotency: readonly (RecordedResponse & { readonly scope: string; readonly key: string })[];
  readonly definition: { readonly hash: string; readonly json: string } | null;
}

/**
 * Where runs are kept. One `append` is one transaction. Every method may reject with `STORAGE_ERROR`, and with
 * `INVALID_PARAMS` for a text that has U+0000 or half of a surrogate pair, or a name that is too long for an index.
 * `runStoreConformance` says what a store has to do.
 */
export interface RunStore {
  /** Makes or migrates the tables. @throws WorkflowError `STORAGE_ERROR` for a schema that is newer than the code. */
  init(): Promise<void>;
  close(): Promise<void>;
  append(request: AppendRequest): Promise<AppendResult>;
  /** The events from `fromSeq` on (1 unless given), in order; none for an unknown run. */
  load(runId: string, fromSeq?: number): Promise<readonly RunEvent[]>;
  getSummary(runId: string): Promise<RunSummary | null>;
  getSnapshot(runId: string): Promise<RunSnapshot | null>;
  putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void>;
  /** What was recorded under a key. */
  getRecorded(scope: string, key: string): Promise<RecordedResponse | null>;
  find(query: RunQuery): Promise<RunPage>;
  /** Ids of runs that are not terminal and whose `expiresAt` is before the time, the oldest first. */
  findExpired(before: string, limit: number): Promise<readonly string[]>;
  /** Keeps a definition forever; a hash that is there already is left alone. */
  pinDefinition(hash: string, json: string): Promise<void>;
  getDefinition(hash: string): Promise<string | null>;
  /**
   * Lets one owner at a time work on a run.
   * @param ttl in milliseconds, more than 0
   * @returns a number that rises with every new lease of the run, also if it was purged in between; or null while
   *   another owner has it
   */
  acquireLease(runId: string, owner: string, ttl: number): Promise<number | null>;
  /** Does nothing for a lease that the owner has not. */
  releaseLease(runId: string, owner: string): Promise<void>;
  /** Keeps the value under the name if there is none yet, and gives the one that is kept: for signing keys. */
  keep(name: string, value: string): Promise<string>;
  exportRun(runId: string): Promise<ExportedRun | null>;
  /** @throws WorkflowError `STATE_ERROR` for a run that is there already. */
  importRun(run: ExportedRun): Promise<void>;
  /** Forgets terminal runs that last changed before the time (ISO 8601), and gives how many. */
  purge(options: { readonly before: string }): Promise<number>;
}
