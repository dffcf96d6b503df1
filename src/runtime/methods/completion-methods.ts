import type { CompletionReference, CompletionService } from '../mcp-service.ts';
import { resultOf } from '../outcome.ts';
import type { Methods } from '../call.ts';
import { objectOf, stringOf, stringsOf, wrongParam } from './request-params.ts';

export function completionMethods(service: CompletionService): Methods {
  return {
    'completion/complete': async (call) => {
      const { params } = call;
      const argument = objectOf(params['argument'], 'argument');
      const context = params['context'] === undefined ? {} : objectOf(params['context'], 'context');
      const request = {
        reference: referenceOf(params['ref']),
        argument: {
          name: stringOf(argument['name'], 'argument.name'),
          value: stringOf(argument['value'], 'argument.value'),
        },
        resolved: stringsOf(context['arguments'], 'context.arguments'),
      };
      return resultOf({ completion: await service.complete(request, call) });
    },
  };
}

function referenceOf(ref: unknown): CompletionReference {
  const { type, name, uri } = objectOf(ref, 'ref');
  if (type === 'ref/prompt') return { type, name: stringOf(name, 'ref.name') };
  if (type === 'ref/resource') return { type, uri: stringOf(uri, 'ref.uri') };
  throw wrongParam('ref.type', '"ref/prompt" or "ref/resource"', type);
}
