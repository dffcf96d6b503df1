import type { CallExchange } from '../../call/call-exchange.ts';
import type { PromptService } from '../mcp-service.ts';
import { resultOf } from '../outcome.ts';
import type { Methods } from '../call.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { listPage } from './list-page.ts';
import { stringOf, stringsOf } from './request-params.ts';

export function promptMethods(service: PromptService, settings: ServiceSettings): Methods {
  return {
    'prompts/list': async ({ params: { cursor }, exchange }) =>
      resultOf(listPage(settings, 'prompts/list', await service.list(exchange), cursor, exchange)),
    'prompts/get': async ({ params, exchange }) => {
      const target = stringOf(params['name'], 'name');
      // Arguments of prompts are strings (spec: server/prompts, schema GetPromptRequestParams).
      const args = stringsOf(params['arguments'], 'arguments');
      const call = { method: 'prompts/get', target, args } as const;
      const get = (conducted: CallExchange): Promise<object> => service.get(target, args, conducted);
      return resultOf(await settings.conversations.conduct(call, exchange, get));
    },
  };
}
