import type { CallExchange } from '../../call/call-exchange.ts';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { WireResource } from '../../converters/wire.ts';
import type { ResourceService } from '../mcp-service.ts';
import { resourceNotFound } from '../protocol-failures.ts';
import { refuseDetached, type AttachScope, type Methods } from './answer-request.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { conductCall } from './conduct-call.ts';
import { pageOf } from './pagination.ts';
import { stringOf, type Params } from './request-params.ts';
import type { Subscriptions } from './subscriptions.ts';
import { withCacheHint, withReadHint } from './with-cache-hint.ts';

export function resourceMethods(
  scope: AttachScope,
  service: ResourceService,
  settings: ServiceSettings,
): Methods {
  const { pagination, cache } = settings;
  return {
    'resources/list': async ({ cursor }, exchange) => {
      const all = scope.isDetached() ? [] : await service.list(exchange);
      return resourcesPage(settings, all, cursor, exchange);
    },
    'resources/templates/list': ({ cursor }, exchange) => {
      const all = scope.isDetached() ? [] : service.templates();
      const { entries, nextCursor } = pageOf(pagination, 'templates', all, cursor);
      const page = { resourceTemplates: entries, ...(nextCursor === undefined ? {} : { nextCursor }) };
      return withCacheHint(page, exchange, cache);
    },
    'resources/read': async (params, exchange) => {
      const uri = servedUri(scope, params);
      const call = { method: 'resources/read', target: uri, args: undefined } as const;
      const result = await conductCall(scope, call, exchange, (conducted) => service.read(uri, conducted));
      return withReadHint(result, exchange, service.cacheOf?.(uri));
    },
  };
}

/** The answer to resources/list, of a list that is known. */
export function resourcesPage(
  { pagination, cache }: ServiceSettings,
  all: readonly WireResource[],
  cursor: unknown,
  exchange: CallExchange,
): object {
  const { entries, nextCursor } = pageOf(pagination, 'resources', all, cursor);
  const page = { resources: entries, ...(nextCursor === undefined ? {} : { nextCursor }) };
  return withCacheHint(page, exchange, cache);
}

/** Spec: server/resources, Subscriptions. */
export function subscriptionMethods(
  scope: AttachScope,
  service: ResourceService,
  subscriptions: Subscriptions,
): Methods {
  return {
    'resources/subscribe': (params) => {
      const uri = servedUri(scope, params);
      if (isForOneRequest(scope)) {
        throw new ProtocolError(INVALID_PARAMS, 'Cannot subscribe without a session; initialize one first', {
          uri,
        });
      }
      if (service.knows?.(uri) === false) throw resourceNotFound(uri);
      subscriptions.add(uri);
      return {};
    },
    'resources/unsubscribe': (params) => {
      subscriptions.remove(servedUri(scope, params));
      return {};
    },
  };
}

function servedUri(scope: AttachScope, params: Params): string {
  const uri = stringOf(params['uri'], 'uri');
  refuseDetached(scope, 'Resources', { uri });
  return uri;
}

/** A server that never heard an initialize is gone after the request, and with it the subscription. */
function isForOneRequest({ target }: AttachScope): boolean {
  return target.getClientCapabilities !== undefined && target.getClientCapabilities() === undefined;
}
