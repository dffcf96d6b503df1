import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { ResourceService } from '../mcp-service.ts';
import { resultOf, type Outcome } from '../outcome.ts';
import { resourceNotFound, shownUri } from '../protocol-failures.ts';
import type { Call, Methods } from '../call.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { listPage } from './list-page.ts';
import { stringOf } from './request-params.ts';
import { withReadHint } from './with-cache-hint.ts';

export function resourceMethods(service: ResourceService, settings: ServiceSettings): Methods {
  return {
    'resources/list': async (call) => {
      const all = await service.list(call);
      return resultOf(listPage(settings, 'resources/list', all, call.params['cursor'], call));
    },
    'resources/templates/list': (call) => {
      const { cursor } = call.params;
      return resultOf(listPage(settings, 'resources/templates/list', service.templates(), cursor, call));
    },
    'resources/read': (call) => {
      const uri = stringOf(call.params['uri'], 'uri');
      const target = { method: 'resources/read', target: uri, args: undefined } as const;
      const read = (run: Call): Promise<Outcome> => service.read(uri, run).then(resultOf);
      return thenMaybe(settings.conversations.conduct(call, target, read), (outcome) =>
        outcome.kind === 'result'
          ? resultOf(withReadHint(outcome.value, call, service.cacheOf(uri)))
          : outcome,
      );
    },
    ...subscriptionMethods(service),
  };
}

/** Spec: server/resources, Subscriptions. */
function subscriptionMethods(service: ResourceService): Methods {
  return {
    'resources/subscribe': ({ params, origin }) => {
      const { subscriptions } = origin.client;
      const uri = stringOf(params['uri'], 'uri');
      if (subscriptions === undefined) {
        const message = 'Cannot subscribe without a session; initialize one first';
        throw new ProtocolError(INVALID_PARAMS, message, { uri: shownUri(uri) });
      }
      if (!service.knows(uri)) throw resourceNotFound(uri);
      return thenMaybe(subscriptions.add(uri), () => resultOf({}));
    },
    'resources/unsubscribe': ({ params, origin }) => {
      const uri = stringOf(params['uri'], 'uri');
      return thenMaybe(origin.client.subscriptions?.remove(uri), () => resultOf({}));
    },
  };
}
