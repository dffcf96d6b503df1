import { carriedCall } from '../operations/node-carrier.ts';
import type { CarriedCall } from '../operations/operation.ts';

/**
 * The call that a request of an application is made for; undefined for a request from elsewhere, whatever its headers
 * say.
 *
 * @example
 * const isFromModel = (request: object) => nestCall(request)?.tool === 'tasks';
 */
export function nestCall(request: unknown): CarriedCall | undefined {
  return carriedCall(request);
}
