import type { CallExchange } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import type { InputRequiredResult } from '../../call/input-required.ts';
import type { ConductedCall } from './conducted-call.ts';

/** What a call may be answered with instead of its result. */
export type Conducted<Result> = Result | InputRequiredResult | CallToolResult;

/** A call with what the core sees of its request, and the way to run its handler. */
export interface RunningCall<Result> {
  readonly call: ConductedCall;
  readonly exchange: CallExchange;
  readonly run: (exchange: CallExchange) => Promise<Result>;
}
