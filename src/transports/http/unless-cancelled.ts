import type { Cancellation } from '../../call/call-context.ts';

/** The promise's outcome, or undefined when one of the cancellations comes first. */
export function unlessCancelled<T>(
  promise: Promise<T>,
  cancellations: readonly Cancellation[],
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      for (const each of cancellations) each.offCancel(stop);
    };
    const stop = (): void => {
      leave();
      resolve(undefined);
    };
    for (const each of cancellations) each.onCancel(stop);
    promise.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        // The outcome is passed on as it is
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        reject(error);
      },
    );
  });
}
