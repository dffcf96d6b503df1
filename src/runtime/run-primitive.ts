import type { CallExchange } from '../call/call-exchange.ts';
import type { CheckOutcome } from '../call/issue.ts';
import type { CompiledHandler } from '../compile/handler-call.ts';
import type { PlainObject } from '../shared/json.ts';
import { failedPrimitive, invalidArguments, invalidValue, placeOf } from './protocol-failures.ts';
import { runHandler } from './run-handler.ts';
import type { ServiceOptions } from './service-options.ts';

/** One call of a prompt, of a resource, or of a method that lists or completes. */
export interface PrimitiveCall<Result> {
  readonly kind: 'prompt' | 'resource';
  readonly name: string;
  readonly args: PlainObject;
  readonly exchange: CallExchange;
  /** Turns the handler's value into the result; an `ok: false` says what is wrong with the value. */
  readonly convert: (value: unknown) => CheckOutcome<Result>;
}

/** Runs a handler. Every failure rejects with a ProtocolError, because these calls have no error result. */
export async function runPrimitive<Result>(
  handler: CompiledHandler,
  { kind, name, args, exchange, convert }: PrimitiveCall<Result>,
  options: ServiceOptions,
): Promise<Result> {
  const place = placeOf(kind, name);
  const outcome = await attempt().catch((thrown: unknown) => {
    throw failedPrimitive(thrown, place, exchange, options);
  });
  if (!outcome.ok) throw invalidArguments(outcome.issues);
  if (!outcome.value.ok) throw invalidValue(place, outcome.value.issues, options);
  return outcome.value.value;

  async function attempt(): Promise<CheckOutcome<CheckOutcome<Result>>> {
    const context = options.contextOf(exchange);
    const run = { place: { kind, tool: undefined, action: undefined, name }, args, context, convert };
    return runHandler(handler, run, options);
  }
}
