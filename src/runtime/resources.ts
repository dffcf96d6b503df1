import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import type { RequestContext } from '../call/request-context.ts';
import type {
  CompiledFixedResource,
  CompiledResource,
  CompiledTemplate,
} from '../compile/primitives/compile-resource.ts';
import type { WireResource } from '../converters/wire.ts';
import type { PlainObject } from '../shared/json.ts';
import { thenMaybe } from '../shared/maybe-promise.ts';
import type { Call, Handle } from './call.ts';
import { listTemplate } from './listed-resources.ts';
import type { FixedList, Methods, ResourceService } from './service-parts.ts';
import { withReadHint } from './lists.ts';
import { stringOf } from './request-params.ts';
import { failureOf, resultOf, type Outcome } from './outcome.ts';
import { resourceNotFound, shownUri } from './protocol-failures.ts';
import {
  compileMethod,
  compileMiss,
  compileRoute,
  enterRoute,
  type Route,
  type RouteSettings,
} from './route.ts';
import { runPrimitive, type ServiceOptions, visibleItems } from './primitives.ts';

/** What a filter leaves of the resources of an application. */
interface ResourceView {
  readonly fixed: ReadonlyMap<string, CompiledFixedResource>;
  readonly templates: readonly CompiledTemplate[];
  readonly fixedResources: FixedList<WireResource>;
  readonly templateList: readonly CompiledTemplate['definition'][];
}

/** The resources of an application. */
export function createResourceService(
  resources: () => readonly CompiledResource[],
  options: ServiceOptions,
): ResourceService {
  const view = visibleItems(resources, options.filter, arrange);
  const list = (request: RequestContext): ReturnType<ResourceService['list']> => {
    const { templates, fixedResources } = view();
    const { list: resourceList, isAll } = fixedResources;
    if (isAll) return resourceList;
    const listing = templates.map((template) => listTemplate(template, request, options));
    return Promise.all(listing).then((listed) => onePerUri([...resourceList, ...listed.flat()]));
  };
  const service = {
    templates: () => view().templateList,
    fixed: () => view().fixedResources,
    list,
    knows: (uri: string) => find(uri, view()) !== undefined,
  };
  const methods = (settings: RouteSettings): Methods => {
    const routesOf = (items: readonly CompiledResource[]): ReadonlyMap<CompiledResource, Route> =>
      new Map(items.map((resource) => [resource, compileResourceRoute(resource, settings, options)]));
    const routes = visibleItems(resources, options.filter, routesOf);
    routes();
    const findRoute = (call: Call): Route => {
      const uri = stringOf(call.params['uri'], 'uri');
      const found = find(uri, view());
      if (found === undefined) throw resourceNotFound(uri, view().fixed.keys());
      call.args = found.variables;
      return routes().get(found.resource) as Route;
    };
    const miss = compileMiss('resources/read', settings);
    return {
      ...listMethods(service, settings),
      'resources/read': (call) => enterRoute(call, findRoute, miss),
      ...subscriptionMethods(service, settings),
    };
  };
  return Object.freeze({ ...service, methods });
}

function compileResourceRoute(
  resource: CompiledResource,
  settings: RouteSettings,
  options: ServiceOptions,
): Route {
  const { name, cache } = resource;
  const target = {
    kind: 'resource',
    method: 'resources/read',
    name,
    handler: resource,
  } as const;
  return compileRoute(target, settings, async (call): Promise<Outcome> => {
    const uri = String(call.params['uri']);
    const convert = (value: unknown): ReturnType<CompiledResource['convert']> => resource.convert(value, uri);
    const run = {
      kind: 'resource',
      name,
      args: call.args,
      request: call,
      convert,
    } as const;
    const result = await runPrimitive(resource, run, options);
    return result === undefined
      ? failureOf(resourceNotFound(uri))
      : resultOf(withReadHint(result, call, cache));
  });
}

type Lists = Pick<ResourceService, 'list' | 'templates'>;

function listMethods({ list, templates }: Lists, settings: RouteSettings): Methods {
  const { lists } = settings;
  return {
    'resources/list': compileMethod('resources/list', settings, (call) =>
      thenMaybe(list(call), (all) => lists.page('resources/list', all, call)),
    ),
    'resources/templates/list': compileMethod('resources/templates/list', settings, (call) =>
      lists.page('resources/templates/list', templates(), call),
    ),
  };
}

/** Spec: server/resources, Subscriptions. */
export function subscriptionMethods(
  { knows }: Pick<ResourceService, 'knows'>,
  settings: RouteSettings,
): Methods {
  const subscribe: Handle = ({ params, origin }) => {
    const { subscriptions } = origin.client;
    const uri = stringOf(params['uri'], 'uri');
    if (subscriptions === undefined) {
      const message = 'Cannot subscribe without a session; initialize one first';
      throw new ProtocolError(INVALID_PARAMS, message, { uri: shownUri(uri) });
    }
    if (!knows(uri)) throw resourceNotFound(uri);
    return thenMaybe(subscriptions.add(uri), () => resultOf({}));
  };
  const unsubscribe: Handle = ({ params, origin }) => {
    const uri = stringOf(params['uri'], 'uri');
    return thenMaybe(origin.client.subscriptions?.remove(uri), () => resultOf({}));
  };
  return {
    'resources/subscribe': compileMethod('resources/subscribe', settings, subscribe),
    'resources/unsubscribe': compileMethod('resources/unsubscribe', settings, unsubscribe),
  };
}

function arrange(items: readonly CompiledResource[]): ResourceView {
  const fixed = items.filter((item) => item.kind === 'fixed');
  const templates = items.filter((item) => item.kind === 'template');
  return {
    fixed: new Map(fixed.map((resource) => [resource.uri, resource])),
    templates,
    fixedResources: Object.freeze({
      list: Object.freeze(onePerUri(fixed.map(({ definition }) => definition))),
      isAll: templates.every((template) => template.list === undefined),
    }),
    templateList: Object.freeze(templates.map(({ definition }) => definition)),
  };
}

/** As for subscriptions: each template parses the URI itself. */
const LONGEST_URI = 8192;

/** A fixed URI wins over every template, and an earlier template over a later one. */
function find(
  uri: string,
  { fixed, templates }: ResourceView,
): { readonly resource: CompiledResource; readonly variables: PlainObject } | undefined {
  if (uri.length > LONGEST_URI) return undefined;
  const exact = fixed.get(uri);
  if (exact !== undefined) return { resource: exact, variables: {} };
  for (const resource of templates) {
    const variables = resource.template.match(uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

/** What is listed twice is read from where it stands first. */
function onePerUri(resources: readonly WireResource[]): readonly WireResource[] {
  const byUri = new Map<string, WireResource>();
  for (const resource of resources) if (!byUri.has(resource.uri)) byUri.set(resource.uri, resource);
  return [...byUri.values()];
}

const MAXIMUM = 1000;
// Templates match URIs of any length, and a client may not fill the memory with them.
const URI_LENGTH = 8192;
/** Of all subscriptions of a connection together, for the same reason. */
const TOTAL_LENGTH = 64 * 1024;

/**
 * @param others what the connection has subscribed to before
 * @throws ProtocolError when it has too many
 */
export function checkSubscription(uri: string, others: readonly string[]): void {
  if (uri.length > URI_LENGTH) throw refusal(uri, `is longer than ${URI_LENGTH} characters`);
  if (others.length >= MAXIMUM) {
    throw refusal(uri, `is one too many: this connection has ${MAXIMUM} subscriptions, unsubscribe first`);
  }
  const length = others.reduce((sum, other) => sum + other.length, uri.length);
  if (length <= TOTAL_LENGTH) return;
  const why = `is too much: the subscriptions of a connection have ${TOTAL_LENGTH} characters together at most, unsubscribe first`;
  throw refusal(uri, why);
}

function refusal(uri: string, why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Cannot subscribe: the URI ${why}`, {
    uri: shownUri(uri),
  });
}
