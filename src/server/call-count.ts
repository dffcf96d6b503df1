import { ProtocolError } from '../call/protocol-error.ts';
import type { InFlight } from './in-flight.ts';
import { jsonRpcCodes } from './json-rpc/json-rpc-error.ts';

/** What counts calls. */
export interface CallCount {
  readonly inFlight: InFlight;
  /** Refuses what is new, for connections that cannot refuse it themselves. */
  readonly isStopping?: () => boolean;
}

/** @throws ProtocolError when nothing new is served any more */
export function refuseStopping({ isStopping }: CallCount): void {
  if (isStopping?.() !== true) return;
  throw new ProtocolError(jsonRpcCodes.serverError, 'The server is shutting down');
}
