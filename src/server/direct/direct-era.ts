import type { Reply } from './reply.ts';
import type { EraExchange } from './direct-exchange.ts';

/** What requests of one protocol era look like, and their answers. */
export interface DirectEra {
  readonly exchange: EraExchange;
  /** The result as this era writes it. */
  encode(method: string, result: object): object;
  encodeError(error: Extract<Reply, { error: unknown }>['error']): typeof error;
}
