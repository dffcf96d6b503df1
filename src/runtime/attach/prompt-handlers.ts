import type { PromptService } from '../mcp-service.ts';
import { answerRequest, refuseDetached, type AttachScope } from './answer-request.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { conductCall } from './conduct-call.ts';
import { pageOf } from './pagination.ts';
import { stringOf, stringsOf } from './request-params.ts';
import type { RequestHandler } from './server-target.ts';
import { withCacheHint } from './with-cache-hint.ts';

export function promptHandlers(
  scope: AttachScope,
  service: PromptService,
  { pagination, cache }: ServiceSettings,
): Readonly<Record<string, RequestHandler>> {
  return {
    'prompts/list': answerRequest(scope, 'prompts/list', async ({ cursor }, exchange) => {
      const all = scope.isDetached() ? [] : await service.list(exchange);
      const { entries, nextCursor } = pageOf(pagination, 'prompts', all, cursor);
      const page = { prompts: entries, ...(nextCursor === undefined ? {} : { nextCursor }) };
      return withCacheHint(page, exchange, cache);
    }),
    'prompts/get': answerRequest(scope, 'prompts/get', (params, exchange) => {
      const name = stringOf(params['name'], 'name');
      // Arguments of prompts are strings (spec: server/prompts, schema GetPromptRequestParams).
      const args = stringsOf(params['arguments'], 'arguments');
      refuseDetached(scope, 'Prompts');
      return conductCall(scope, { method: 'prompts/get', target: name, args }, exchange, (conducted) =>
        service.get(name, args, conducted),
      );
    }),
  };
}
