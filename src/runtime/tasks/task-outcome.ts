import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Outcome } from '../outcome.ts';
import type { TaskOutcome } from './task-record.ts';

/** A result with `isError` is a result; only what ends a call as a JSON-RPC error makes a task fail. */
export function taskOutcomeOf(outcome: Outcome): TaskOutcome {
  if (outcome.kind === 'failure') return brokenOutcome(outcome.error);
  const { value } = outcome;
  const isQuestion = 'resultType' in value && value.resultType === 'input_required';
  return isQuestion ? brokenOutcome(askedTooEarly()) : { kind: 'result', result: plainCopy({ ...value }) };
}

/** What is no error for clients is told to nobody. */
export function brokenOutcome(thrown: unknown): TaskOutcome {
  const failure = ProtocolError.is(thrown) ? thrown : hidden();
  const { code, message } = failure;
  return { kind: 'error', error: { code, message, ...plainData(failure) } };
}

/** A store keeps JSON; a copy also keeps the task apart from what the handler still holds. */
export function plainCopy(value: PlainObject): PlainObject {
  return JSON.parse(JSON.stringify(value)) as PlainObject;
}

/** Data that JSON does not carry, such as a bigint, is left out: without an outcome the task would never end. */
function plainData({ data }: ProtocolError): { readonly data?: PlainObject } {
  if (data === undefined) return {};
  try {
    return { data: plainCopy(data) };
  } catch {
    return {};
  }
}

function hidden(): ProtocolError {
  return new ProtocolError(INTERNAL_ERROR, 'The server failed in this task');
}

/** A question of the call itself cannot be answered any more: the call was answered with the task. */
function askedTooEarly(): ProtocolError {
  const message = 'The handler became a task while it still waited for an answer to its call';
  return new ProtocolError(INTERNAL_ERROR, message);
}
