import { ToolError } from '../errors/tool-error.ts';
import type { PlainObject } from '../shared/json.ts';
import type { CallExchange } from './call-exchange.ts';
import { cancelledError } from './cancelled-error.ts';

/** Asks the client and waits for its answer, but no longer than the call lasts. */
export async function requestClient(
  exchange: CallExchange,
  method: string,
  params: PlainObject,
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
    const answer = await Promise.race([exchange.request(method, params), aborted]);
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
