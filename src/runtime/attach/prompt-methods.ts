import type { CallExchange } from '../../call/call-exchange.ts';
import type { WirePrompt } from '../../converters/wire.ts';
import type { PromptService } from '../mcp-service.ts';
import { refuseDetached, type AttachScope, type Methods } from './answer-request.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { conductCall } from './conduct-call.ts';
import { pageOf } from './pagination.ts';
import { stringOf, stringsOf } from './request-params.ts';
import { withCacheHint } from './with-cache-hint.ts';

export function promptMethods(
  scope: AttachScope,
  service: PromptService,
  settings: ServiceSettings,
): Methods {
  return {
    'prompts/list': async ({ cursor }, exchange) => {
      const all = scope.isDetached() ? [] : await service.list(exchange);
      return promptsPage(settings, all, cursor, exchange);
    },
    'prompts/get': (params, exchange) => {
      const name = stringOf(params['name'], 'name');
      // Arguments of prompts are strings (spec: server/prompts, schema GetPromptRequestParams).
      const args = stringsOf(params['arguments'], 'arguments');
      refuseDetached(scope, 'Prompts');
      return conductCall(scope, { method: 'prompts/get', target: name, args }, exchange, (conducted) =>
        service.get(name, args, conducted),
      );
    },
  };
}

/** The answer to prompts/list, of a list that is known. */
export function promptsPage(
  { pagination, cache }: ServiceSettings,
  all: readonly WirePrompt[],
  cursor: unknown,
  exchange: CallExchange,
): object {
  const { entries, nextCursor } = pageOf(pagination, 'prompts', all, cursor);
  const page = { prompts: entries, ...(nextCursor === undefined ? {} : { nextCursor }) };
  return withCacheHint(page, exchange, cache);
}
