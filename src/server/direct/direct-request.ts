import type { Params } from '../../runtime/attach/request-params.ts';
import { isRequest } from '../json-rpc/check-messages.ts';

/** A request whose form is known to be good. */
export interface DirectRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Params;
}

/**
 * The request in a message that was checked already; undefined for anything else. SDK v1 never cancels a request of
 * the ids 0 and "", so that one of those is left to it.
 */
export function directRequestOf(message: unknown): DirectRequest | undefined {
  return isRequest(message) && message.id !== 0 && message.id !== '' ? message : undefined;
}
