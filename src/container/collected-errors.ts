import { messageOf } from './message-of.ts';

/** Throws an AggregateError whose message names every error; does nothing when there is none. */
export function throwAll(errors: readonly unknown[], message: string): void {
  if (errors.length === 0) return;
  throw new AggregateError(errors, `${message}:\n${errors.map(messageOf).join('\n')}`);
}

/** Keeps what failed while cleaning up after an error: it joins the cause, the error stays what it is. */
export function joinCause(error: unknown, further: readonly unknown[]): unknown {
  if (error instanceof Error && further.length > 0) {
    const errors = error.cause === undefined ? further : [error.cause, ...further];
    // The first message stays, because it is what a client is told
    error.cause = new AggregateError(errors, messageOf(errors[0]));
  }
  return error;
}
