import type { CallExchange } from '../../call/call-exchange.ts';
import { failureResult } from '../../call/failure-result.ts';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { failureOf, resultOf, type Outcome } from '../outcome.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { isListMethod, listPage } from '../methods/list-page.ts';
import type { Params } from '../methods/request-params.ts';

const PARTS: Readonly<Record<string, string>> = {
  prompts: 'Prompts',
  resources: 'Resources',
  completion: 'Completions',
  tasks: 'Tasks',
};

/** How a server answers what was detached from it: there is nothing, and nothing can be called. */
export function detachedOutcome(
  method: string,
  params: Params,
  exchange: CallExchange,
  { cache }: ServiceSettings,
): Outcome {
  if (isListMethod(method)) {
    return resultOf(listPage({ pagination: undefined, cache }, method, [], undefined, exchange));
  }
  if (method === 'tools/call') {
    return resultOf(failureResult({ code: 'DETACHED', message: 'Tools are no longer served here' }));
  }
  const part = PARTS[method.slice(0, method.indexOf('/'))] ?? method;
  const { uri } = params;
  const data = typeof uri === 'string' ? { uri } : undefined;
  return failureOf(new ProtocolError(INVALID_PARAMS, `${part} are no longer served here`, data));
}
