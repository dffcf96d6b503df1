import { ToolError } from '../errors/tool-error.ts';
import type { PlainObject } from '../shared/json.ts';
import type { CallExchange, NamedQuestion, QuestionOptions } from './call-exchange.ts';
import { cancelledError } from './cancelled-error.ts';
import { checkName } from './step.ts';

/** Asks the client and waits for its answer, but no longer than the call lasts. */
export async function requestClient(
  exchange: CallExchange,
  method: string,
  params: PlainObject,
  options: QuestionOptions,
): Promise<PlainObject> {
  const { signal } = exchange;
  if (signal.aborted) throw cancelledError(signal);
  let stopWaiting = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(cancelledError(signal));
    signal.addEventListener('abort', abort);
    stopWaiting = () => signal.removeEventListener('abort', abort);
  });
  try {
    const answer = await Promise.race([exchange.request(method, params, options), aborted]);
    if (typeof answer === 'object' && answer !== null) return answer as PlainObject;
  } finally {
    stopWaiting();
  }
  throw invalidAnswer(method);
}

/** The client answered, but not in the form that the protocol has for the answer. */
export function invalidAnswer(method: string): ToolError {
  return new ToolError('INVALID_ANSWER', `The client's answer to ${method} has not the form of one`);
}

/** The name of a question, if it was given one, and what it lets clients do. */
export function named({ name, mayBeOffered }: NamedQuestion): NamedQuestion {
  if (name === undefined) return {};
  checkName('a question', name);
  return mayBeOffered === true ? { name, mayBeOffered } : { name };
}
