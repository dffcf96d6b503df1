import type { CallExchange } from '../../call/call-exchange.ts';
import type { AttachScope } from './answer-request.ts';

/** One of the requests that may be answered with a question. */
export interface ConductedCall {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
  /** The name of the tool or prompt, or the URI. */
  readonly target: string;
  readonly args: unknown;
}

/** Runs a call in the way in which its client can be asked. */
export async function conductCall<Result>(
  _scope: AttachScope,
  _call: ConductedCall,
  exchange: CallExchange,
  run: (exchange: CallExchange) => Promise<Result>,
): Promise<Result> {
  return run(exchange);
}
