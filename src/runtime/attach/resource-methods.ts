import type { CallExchange } from '../../call/call-exchange.ts';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { ResourceService } from '../mcp-service.ts';
import { resultOf } from '../outcome.ts';
import { resourceNotFound } from '../protocol-failures.ts';
import type { Methods } from '../call.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { listPage } from './list-page.ts';
import { stringOf } from './request-params.ts';
import { withReadHint } from './with-cache-hint.ts';

export function resourceMethods(service: ResourceService, settings: ServiceSettings): Methods {
  return {
    'resources/list': async ({ params: { cursor }, exchange }) =>
      resultOf(listPage(settings, 'resources/list', await service.list(exchange), cursor, exchange)),
    'resources/templates/list': ({ params: { cursor }, exchange }) =>
      resultOf(listPage(settings, 'resources/templates/list', service.templates(), cursor, exchange)),
    'resources/read': async ({ params, exchange }) => {
      const uri = stringOf(params['uri'], 'uri');
      const call = { method: 'resources/read', target: uri, args: undefined } as const;
      const read = (conducted: CallExchange): Promise<object> => service.read(uri, conducted);
      const result = await settings.conversations.conduct(call, exchange, read);
      return resultOf(withReadHint(result, exchange, service.cacheOf(uri)));
    },
    ...subscriptionMethods(service),
  };
}

/** Spec: server/resources, Subscriptions. */
function subscriptionMethods(service: ResourceService): Methods {
  return {
    'resources/subscribe': ({ params, client: { subscriptions } }) => {
      const uri = stringOf(params['uri'], 'uri');
      if (subscriptions === undefined) {
        const message = 'Cannot subscribe without a session; initialize one first';
        throw new ProtocolError(INVALID_PARAMS, message, { uri });
      }
      if (!service.knows(uri)) throw resourceNotFound(uri);
      subscriptions.add(uri);
      return resultOf({});
    },
    'resources/unsubscribe': ({ params, client: { subscriptions } }) => {
      const uri = stringOf(params['uri'], 'uri');
      subscriptions?.remove(uri);
      return resultOf({});
    },
  };
}
