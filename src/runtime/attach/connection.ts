import type { ServerTarget } from './server-target.ts';

/** The connection that a request came over. */
export interface Connection {
  readonly target: ServerTarget;
  /** False where it cannot carry requests to the client. */
  readonly canAsk: boolean;
}
