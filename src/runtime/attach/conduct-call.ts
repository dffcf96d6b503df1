import type { CallExchange } from '../../call/call-exchange.ts';
import type { Conducted } from '../conversation/running-call.ts';
import type { ConductedCall } from '../conversation/conducted-call.ts';
import type { AttachScope } from './answer-request.ts';

/** Runs a call in the way in which its client can be asked. */
export function conductCall<Result extends object>(
  { conversations }: AttachScope,
  call: ConductedCall,
  exchange: CallExchange,
  run: (exchange: CallExchange) => Promise<Result>,
): Promise<Conducted<Result>> {
  return conversations.conduct(call, exchange, run);
}
