import type { Params } from '../runtime/methods/request-params.ts';

/** A request whose form is known to be good. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Params;
}
