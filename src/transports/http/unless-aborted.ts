/**
 * The promise's outcome, or undefined when one of the signals is aborted first.
 * Not `Promise.race`: on a signal that lives as long as a session, every race would leave a reaction behind.
 */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signals: readonly AbortSignal[],
): Promise<T | undefined> {
  const listening = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener(
        'abort',
        () => {
          resolve(undefined);
        },
        { signal: listening.signal },
      );
    }
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    listening.abort();
  }
}
