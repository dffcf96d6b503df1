import type { Reply } from './json-rpc/message.ts';
import type { ExchangeForm } from './request-exchange.ts';

/** What requests of one protocol era look like, and their answers. */
export interface WireForm {
  readonly exchange: ExchangeForm;
  /** The result as this era writes it. */
  encode(method: string, result: object): object;
  encodeError(error: Extract<Reply, { error: unknown }>['error']): typeof error;
}
