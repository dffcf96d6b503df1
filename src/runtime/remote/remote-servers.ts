import type { Logger } from '../../call/logger.ts';
import type { Call, Handle, Route } from '../../kernel/call/call.ts';
import { NO_ARGUMENTS } from '../../kernel/call/call.ts';
import { isObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import { findRemoteServers } from '../feature-states.ts';
import { verdictsOf } from '../primitives/primitives.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { compileRoute, type RouteSettings } from '../routes/route.ts';
import type { Methods, ServiceParts } from '../routes/service-parts.ts';
import type { RemoteEntry, RemoteList, RemoteServer } from '../runtime-facet.ts';

/** The methods that name something that another server may have. */
const NAMING = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'] as const;

/** The member that is different for each entry of a list. */
const KEYS: Readonly<Record<RemoteList, string>> = {
  'tools/list': 'name',
  'prompts/list': 'name',
  'resources/list': 'uri',
  'resources/templates/list': 'uriTemplate',
};

type Settings = Pick<RouteSettings, 'features' | 'states' | 'logger'>;

/** A list with what other servers have. An entry whose name is taken is left out, which is logged. */
export function withRemoteEntries<Entry extends object>(
  method: RemoteList,
  own: readonly Entry[],
  call: Call,
  settings: Settings,
): MaybePromise<readonly Entry[]> {
  const servers = seenBy(call.authority?.verdicts, findRemoteServers(settings));
  if (servers.length === 0) return own;
  return Promise.all(servers.map(async (server) => server.list(method, call))).then((lists) => {
    const further = lists.flat();
    if (further.length === 0) return own;
    const taken = new Set(own.map((entry) => keyIn(entry, method)));
    const free = further.filter((entry) => {
      const key = keyIn(entry, method);
      if (!taken.has(key)) return taken.add(key);
      reportTaken(String(key), settings.logger);
      return false;
    });
    return [...own, ...(free as unknown as readonly Entry[])];
  });
}

/** Answers what names an entry of another server there, by a route of its own. What the application has wins. */
export function aroundRemote(methods: Methods, parts: ServiceParts, settings: RouteSettings): Methods {
  const servers = findRemoteServers(settings);
  if (servers.length === 0) return methods;
  for (const { requirements } of servers) settings.authorization.learn(requirements);
  const routes = new WeakMap<RemoteEntry, Route>();
  const around = NAMING.map((method) => {
    const own = methods[method];
    if (own === undefined) return [];
    const routeTo = (entry: RemoteEntry): Route => {
      const { name, marks: remote, answer } = entry;
      const known = routes.get(entry);
      if (known !== undefined) return known;
      const target = { kind: 'method', method, name, handler: undefined, remote } as const;
      const route = compileRoute(target, settings, answer);
      routes.set(entry, route);
      return route;
    };
    const handle: Handle = (call) => {
      if (isTaken(call, parts)) return own(call);
      return thenMaybe(verdictsOf(call, settings), (verdicts) =>
        thenMaybe(findEntry(seenBy(verdicts, servers), call), (entry) => {
          if (entry === undefined) return own(call);
          if (method === 'tools/call') parts.tools?.enter?.(call);
          const { arguments: given } = call.params;
          call.args = isObject(given) ? given : NO_ARGUMENTS;
          return call.follow(routeTo(entry));
        }),
      );
    };
    return [[method, handle] as const];
  });
  return { ...methods, ...Object.fromEntries(around.flat()) };
}

/** Whether a URI is that of another server's resource. @param verdicts undefined for a caller who may see everything */
export function ownsRemotely(uri: string, settings: Settings, verdicts?: Verdicts): boolean {
  return seenBy(verdicts, findRemoteServers(settings)).some((server) => server.owns(uri));
}

/** Has other servers tell of changes of their resources. */
export function watchRemotely(uris: Iterable<string>, settings: Settings): void {
  const servers = findRemoteServers(settings);
  if (servers.length === 0) return;
  for (const uri of uris) servers.find((server) => server.owns(uri))?.watch(uri);
}

function seenBy(verdicts: Verdicts | undefined, servers: readonly RemoteServer[]): readonly RemoteServer[] {
  if (verdicts === undefined) return servers;
  return servers.filter(({ requirements }) => verdicts.admits(requirements));
}

/** The first server that has it; the others are not asked. */
function findEntry(
  [server, ...others]: readonly RemoteServer[],
  call: Call,
): MaybePromise<RemoteEntry | undefined> {
  if (server === undefined) return undefined;
  return thenMaybe(server.find(call), (entry) => entry ?? findEntry(others, call));
}

function keyIn(entry: object, method: RemoteList): unknown {
  return (entry as Readonly<Record<string, unknown>>)[KEYS[method]];
}

/** Whether the application itself has what a call names, for any caller. */
function isTaken({ origin, params }: Call, { tools, prompts, resources }: ServiceParts): boolean {
  const { name, uri } = params;
  switch (origin.method) {
    case 'tools/call':
      return (tools?.everyTool?.() ?? tools?.list() ?? []).some((tool) => tool.name === name);
    case 'prompts/get':
      return prompts?.fixed().list.some((prompt) => prompt.name === name) === true;
    case 'resources/read':
      return typeof uri === 'string' && resources?.has(uri) === true;
    default:
      return isReferenceTaken(params['ref'], prompts, resources);
  }
}

function isReferenceTaken(
  ref: unknown,
  prompts: ServiceParts['prompts'],
  resources: ServiceParts['resources'],
): boolean {
  if (!isObject(ref)) return true;
  const { type, name, uri } = ref;
  if (type === 'ref/prompt') return prompts?.fixed().list.some((prompt) => prompt.name === name) === true;
  return resources?.templates().some(({ uriTemplate }) => uriTemplate === uri) === true;
}

const reported = new WeakMap<Logger, Set<string>>();

/** Once for each name. */
function reportTaken(key: string, logger: Logger): void {
  const known = reported.get(logger) ?? new Set<string>();
  reported.set(logger, known);
  if (known.has(key) || known.size >= MAX_REPORTED) return;
  known.add(key);
  logger.log({
    level: 'warning',
    event: 'proxy.upstream',
    code: 'TW_PROXY_NAME_TAKEN',
    message: `${visibleLine(key)} is left out of the list, because something before it has that name.`,
  });
}

const MAX_REPORTED = 1000;
