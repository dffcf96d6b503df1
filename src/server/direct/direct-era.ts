import type { Reply } from './reply.ts';
import type { DirectRequest } from './direct-request.ts';
import type { EraExchange } from './direct-exchange.ts';

/** What requests of one protocol era look like, and their answers. */
export interface DirectEra {
  readonly exchange: EraExchange;
  /** The methods that are the era's own and have no part of a service behind them. */
  readonly own: Readonly<Record<string, object>>;
  /** Whether the request has the form in which clients send it. Whatever is odd about another one, the SDK says it. */
  isPlain(request: DirectRequest): boolean;
  /** The result as this era writes it. */
  encode(method: string, result: object): object;
  encodeError(error: Extract<Reply, { error: unknown }>['error']): typeof error;
}
