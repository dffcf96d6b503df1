import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { PromptService } from '../mcp-service.ts';
import { resultOf } from '../outcome.ts';
import type { Methods } from '../call.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { listPage } from './list-page.ts';
import { stringOf, stringsOf } from './request-params.ts';

export function promptMethods(service: PromptService, settings: ServiceSettings): Methods {
  return {
    'prompts/list': (call) =>
      thenMaybe(service.list(call), (all) =>
        resultOf(listPage(settings, 'prompts/list', all, call.params['cursor'], call)),
      ),
    'prompts/get': (call) => {
      const name = stringOf(call.params['name'], 'name');
      // Arguments of prompts are strings (spec: server/prompts, schema GetPromptRequestParams).
      const args = stringsOf(call.params['arguments'], 'arguments');
      const target = { method: 'prompts/get', target: name, args } as const;
      return settings.conversations.conduct(call, target, (run) =>
        service.get(name, args, run).then(resultOf),
      );
    },
  };
}
