import type { RunStore } from '../../application/ports/run-store.ts';

/** A store on an empty database, made and opened for one case. */
export interface StoreUnderTest {
  readonly store: RunStore;
  /** Another store, open, on the same database, after `store` was closed. */
  readonly reopen: () => Promise<RunStore>;
  /** Another store, open, on the same database, beside `store`. */
  readonly second: () => Promise<RunStore>;
  /** Closes all of them, closed ones too, and takes the database away. */
  readonly dispose: () => Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;

/** One promise of a run store. */
export interface ConformanceCase {
  readonly name: string;
  /** Rejects when the store does not keep the promise. */
  readonly run: () => Promise<void>;
}

/** What a case does with its store. */
export interface CaseBody {
  readonly name: string;
  readonly check: (under: StoreUnderTest) => Promise<void>;
}
