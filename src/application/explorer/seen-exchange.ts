import { REDACTED, redactValue } from '../../errors/redact.ts';
import { Call } from '../../kernel/call/call.ts';
import { wireFailure, type Outcome } from '../../kernel/call/outcome.ts';
import { secretsOf, writtenArguments } from '../../runtime/logging/call-secrets.ts';
import type { Admission, Answerable, Origin } from '../../kernel/call/service-request.ts';
import type { PlainObject } from '../../shared/json.ts';

/** A request and its answer as JSON-RPC has them, without secrets. */
export interface SeenTraffic {
  readonly request: PlainObject;
  readonly response: PlainObject;
}

/** The calls that were accepted, by their requests: they know what in them is a secret. */
export class ServedCalls implements Admission {
  readonly isStopping = false;
  readonly #calls = new WeakMap<Origin, Call>();

  begin(call: Answerable): void {
    if (call instanceof Call && !this.#calls.has(call.origin)) this.#calls.set(call.origin, call);
  }

  end(): void {
    // A call is looked at when it was answered
  }

  of(request: Origin): Call | undefined {
    return this.#calls.get(request);
  }
}

/** In characters. */
const LARGEST = 64 * 1024;
const LISTED: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/**
 * Undefined for a request that was not accepted, and for methods whose answers carry what other calls came to, such as
 * those of tasks: nobody knows there what is a secret.
 * @param hidden the secrets that were registered
 */
export function exchangeOf(
  call: Call | undefined,
  outcome: Outcome,
  hidden: readonly string[],
): SeenTraffic | undefined {
  if (call === undefined) return undefined;
  const { method } = call.origin;
  const params = paramsOf(call, hidden);
  if (params === undefined) return undefined;
  const secrets = secretsOf(call, hidden);
  const answer =
    outcome.kind === 'failure' ? { error: wireFailure(outcome.error) } : { result: outcome.value };
  return {
    request: { method, params: sized(params) },
    response: Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [name, sized(redactValue(asJson(value), secrets))]),
    ),
  };
}

function paramsOf(call: Call, hidden: readonly string[]): PlainObject | undefined {
  const { method, params } = call.origin;
  const answers = params['inputResponses'] === undefined ? {} : { inputResponses: REDACTED };
  if (method === 'tools/call' || method === 'prompts/get')
    return { name: call.target?.name, arguments: asJson(writtenArguments(call, hidden)), ...answers };
  if (method === 'resources/read') {
    // A variable of the template may be as short as a digit
    return { uri: call.hidesUri === true ? REDACTED : redactValue(params['uri'], secretsOf(call, hidden)) };
  }
  return LISTED.has(method) ? {} : undefined;
}

/** As it is sent: what JSON does not carry is not shown. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch {
    return REDACTED;
  }
}

function sized(value: unknown): unknown {
  const { length } = JSON.stringify(value);
  return length <= LARGEST ? value : `left out: ${String(length)} characters`;
}
