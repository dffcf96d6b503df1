/** One promise of a port or a store, as a case for any test runner. */
export interface ConformanceCase {
  /** What is promised, in a sentence. */
  readonly name: string;
  /** Rejects when the promise is not kept. */
  readonly run: () => Promise<void>;
}

/** What cases do with what is made for them, by the names of the cases. */
export type Cases<Under> = Readonly<Record<string, (under: Under) => Promise<void>>>;

/** The cases; each makes what it tests, and disposes of it. */
export function conformanceCases<Under>(
  cases: Cases<Under>,
  make: () => Promise<Under>,
  dispose: (under: Under) => Promise<void>,
): readonly ConformanceCase[] {
  return Object.entries(cases).map(([name, check]) => ({
    name,
    async run() {
      const under = await make();
      try {
        await check(under);
      } finally {
        await dispose(under);
      }
    },
  }));
}
