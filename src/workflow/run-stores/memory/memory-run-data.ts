import type { RecordedResponse, RunSnapshot } from '../../application/ports/run-store.ts';
import type { RunColumns } from '../rules/run-columns.ts';

/** A run as it is kept: all of it JSON text, so that nobody holds what another one changes. */
export interface KeptRun {
  columns: RunColumns;
  summary: string;
  readonly events: string[];
  snapshot: RunSnapshot | null;
}

export interface KeptResponse extends RecordedResponse {
  readonly runId: string;
  readonly scope: string;
  readonly key: string;
}

export interface KeptLease {
  readonly owner: string | null;
  readonly fence: number;
  readonly expiresAt: number;
}

/** What memory run stores keep. Stores that are made with the same data behave like two on one database. */
export class MemoryRunData {
  readonly runs = new Map<string, KeptRun>();
  /** By scope and key, as a JSON array. */
  readonly responses = new Map<string, KeptResponse>();
  readonly definitions = new Map<string, string>();
  readonly leases = new Map<string, KeptLease>();
  readonly values = new Map<string, string>();
}
