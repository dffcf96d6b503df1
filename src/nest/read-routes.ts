import type { Class, SchemaSource } from '../index.ts';
import { chooseLeftOut, findReason, leaveOut } from '../operations/left-out.ts';
import { groupName } from '../operations/names.ts';
import type { LeftOut, LeftOutReason, Operation, OperationHints } from '../operations/operation.ts';
import type { RouteTemplate } from '../operations/other-routes.ts';
import { listSchema } from '../operations/outputs.ts';
import type { OperationSettings } from '../operations/settings.ts';
import { isClass } from '../shared/class-type.ts';
import { isPlainObject, withoutUndefined } from '../shared/json.ts';
import { readMetadata, readParameters, readSwagger } from './metadata.ts';
import { partsOfNest, type NestApplication, type NestParts } from './nest-application.ts';
import { readInputs } from './read-inputs.ts';
import { isRegistered, registeredRoutes } from './router.ts';

/** RequestMethod of @nestjs/common, by its numbers. */
const METHODS: readonly string[] = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'ALL',
  'OPTIONS',
  'HEAD',
  'SEARCH',
];

/** The symbol that stands for all versions; its name is equal in 11 and 12. */
const NEUTRAL = 'VERSION_NEUTRAL';
const IN_HEADER = 1;
const IN_MEDIA_TYPE = 2;

/** One route of a controller, with its first path. */
interface FoundRoute {
  readonly controller: Class;
  readonly member: string;
  readonly method: string;
  readonly path: string;
  /** All paths that Nest has registered for it, in the form of the router. */
  readonly registered: readonly string[];
  readonly version: string | undefined;
}

/** All routes of an application that is initialized, as operations. */
export function readRoutes(app: NestApplication, mounts: readonly string[]): readonly Operation[] {
  const parts = partsOfNest(app, 'the application');
  const known = new Set<string>();
  return findRoutes(parts).flatMap((route) => {
    const { method, registered, version, controller } = route;
    // The router takes the first of equal routes, whatever their values are called
    const place = `${method} ${withoutPatterns(String(registered[0])).replace(/:\w+/g, ':')} ${version ?? ''}`;
    const host = hostFor(controller);
    const isHidden = known.has(place) || known.has(`${place} ${String(host)}`);
    known.add(host === undefined ? place : `${place} ${String(host)}`);
    return isHidden ? [] : [describeRoute(app, parts, route, mounts)];
  });
}

/** What the server answers, with all paths of each route: those that are left out, and those that Nest does not know. */
export function readTemplates(app: NestApplication, mounts: readonly string[]): readonly RouteTemplate[] {
  const parts = partsOfNest(app, 'the application');
  const own = findRoutes(parts).flatMap(({ method, registered }) =>
    registered.map((path) => ({ method, path })),
  );
  const found = [...own, ...registeredRoutes(app)].flatMap(({ method, path }) =>
    withoutGroups(path).map((each) => ({ method, path: braced(each) })),
  );
  // Middleware answers for all that begins with its path
  const all = [...found, ...mounts.map((mount) => ({ method: 'ALL', path: `${mount}/*` }))];
  return [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()];
}

function findRoutes(parts: NestParts): readonly FoundRoute[] {
  const modules = parts.container.getModules();
  const found: FoundRoute[] = [];
  for (const { controllers, metatype } of modules.values()) {
    const modulePath = (readMetadata(`__module_path__${modules.applicationId ?? ''}`, metatype) ??
      readMetadata('__module_path__', metatype)) as string | undefined;
    for (const { metatype: controller } of controllers.values()) {
      if (!isClass(controller)) continue;
      for (const member of membersWithRoutes(controller)) {
        found.push(...routesAt(parts, controller, member, modulePath));
      }
    }
  }
  return found;
}

/** In the order of Nest: those of the class before those of its base classes. */
function membersWithRoutes(controller: Class): readonly string[] {
  const members = new Set<string>();
  for (let type = controller.prototype as object | null; type !== null && type !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(type)) {
      const descriptor = Object.getOwnPropertyDescriptor(type, name);
      // The class itself has a path as well
      if (name !== 'constructor' && typeof descriptor?.value === 'function') members.add(name);
    }
    type = Object.getPrototypeOf(type) as object | null;
  }
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  return [...members].filter((member) => readMetadata('path', prototype[member] as object) !== undefined);
}

function routesAt(
  { config, routesResolver }: NestParts,
  controller: Class,
  member: string,
  modulePath: string | undefined,
): readonly FoundRoute[] {
  const handler = findHandler(controller, member);
  const versioningOptions = config.getVersioning();
  const controllerVersion =
    versioningOptions && (readMetadata('__version__', controller) ?? versioningOptions.defaultVersion);
  const methodVersion = readMetadata('__version__', handler);
  const number = readMetadata('method', handler) as number;
  const methodPaths = pathsIn(readMetadata('path', handler));
  const places = pathsIn(readMetadata('path', controller)).flatMap((ctrlPath) =>
    methodPaths.map((methodPath) => ({ ctrlPath, methodPath })),
  );
  const given = methodVersion ?? controllerVersion;
  const versions = given === undefined || versioningOptions === undefined ? [undefined] : [given].flat();
  return versions.flatMap((one) => {
    // One version at a time, so that each path is known by its own
    const isOwn = methodVersion !== undefined;
    const registered = places.flatMap((place) =>
      routesResolver.routePathFactory.create(
        {
          ...place,
          modulePath,
          globalPrefix: slashed(config.getGlobalPrefix()),
          controllerVersion: isOwn ? controllerVersion : one,
          methodVersion: isOwn ? one : undefined,
          versioningOptions,
        },
        number,
      ),
    );
    const method = METHODS[number] ?? `METHOD ${String(number)}`;
    return registered.slice(0, 1).map((path) => ({
      ...{ controller, member, method, registered },
      path: braced(path),
      version: versionText(one),
    }));
  });
}

function findHandler(controller: Class, member: string): object {
  return (controller.prototype as Readonly<Record<string, object>>)[member] as object;
}

function pathsIn(value: unknown): readonly string[] {
  return [value ?? '/'].flat().map((path) => slashed(path as string));
}

function slashed(path: string): string {
  return path === '' ? '' : path.startsWith('/') ? path : `/${path}`;
}

/** `/tasks/:id` becomes `/tasks/{id}`; an optional end becomes `{id?}`. */
function braced(path: string): string {
  return withoutPatterns(path)
    .replace(/\{\/:(\w+)\}/g, '/{$1?}')
    .replace(/:(\w+)\?/g, '{$1?}')
    .replace(/:(\w+)/g, '{$1}');
}

/** `/tasks{/all}` is two paths. An optional value stays one. */
function withoutGroups(path: string): readonly string[] {
  const plain = withoutPatterns(path).replace(/\{\/:(\w+)\}/g, '/:$1?');
  const [group, inner = ''] = /\{([^{}]*)\}/.exec(plain) ?? [];
  if (group === undefined) return [plain];
  return [inner, ''].flatMap((each) => withoutGroups(plain.replace(group, () => each)));
}

/** Regular expressions of values, as Fastify has them: `:id(^\\d+$)`. They may have brackets of their own. */
function withoutPatterns(path: string): string {
  let plain = '';
  let depth = 0;
  for (let at = 0; at < path.length; at += 1) {
    const character = path[at] ?? '';
    if (depth > 0 && character === '\\') at += 1;
    else if (character === '(' && (depth > 0 || /:\w+$/.test(plain))) depth += 1;
    else if (character === ')' && depth > 0) depth -= 1;
    else if (depth === 0) plain += character;
  }
  return plain;
}

function versionText(version: unknown): string | undefined {
  if (version === undefined) return undefined;
  if (typeof version === 'symbol') return version.description === NEUTRAL ? undefined : version.description;
  return `${version as string | number}`;
}

function describeRoute(
  app: NestApplication,
  parts: NestParts,
  route: FoundRoute,
  mounts: readonly string[],
): Operation {
  const { controller, member, method, path, version } = route;
  const handler = findHandler(controller, member);
  const texts = readTexts(handler);
  const tags = readTags(handler, controller, texts);
  const read = readInputs(readParameters(controller, member), path, parameterTexts(handler));
  const reason = reasonFor(route, handler, tags, texts.deprecated === true, mounts);
  const unknown = isRegistered(app, method, path) ? undefined : leaveOut('unknown-route');
  const { declared, kept } = readDeclared(handler, controller);
  const leftOut = chooseLeftOut([kept, reason && leaveOut(reason), read.leftOut, unknown]);
  const answer = readReply(handler);
  const metadata = (name: string): unknown => readMetadata(name, handler) ?? readMetadata(name, controller);
  return Object.freeze({
    key: keyFor(route),
    origin: `${controller.name}.${member}`,
    method,
    path,
    group: groupName(tags[0] ?? controller.name.replace(/Controller$/, '')),
    name: member,
    ...shownTexts(texts),
    tags,
    inputs: leftOut?.reason === 'unknown-input' ? [] : read.inputs,
    headers: Object.freeze({ ...hostHeader(controller), ...versionHeaders(parts, version) }),
    hints: hintsFor(method),
    ...withoutUndefined({ version: version && semantic(version), declared, answer, leftOut }),
    metadata,
  } satisfies Operation);
}

/** Names a route among those with its path, by its version and its host. */
function keyFor({ method, path, version, controller }: FoundRoute): string {
  const host = hostFor(controller);
  const isInPath = version === undefined || path.includes(`/v${version}/`);
  const further = [isInPath ? undefined : version, host ?? undefined].filter((each) => each !== undefined);
  return further.length === 0 ? `${method} ${path}` : `${method} ${path} (${further.join(', ')})`;
}

interface SwaggerTexts {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
}

function shownTexts({
  summary = '',
  description = '',
}: SwaggerTexts): Pick<Operation, 'title' | 'description'> {
  return { ...(summary === '' ? {} : { title: summary }), ...(description === '' ? {} : { description }) };
}

function readTags(handler: object, controller: Class, { tags = [] }: SwaggerTexts): readonly string[] {
  const own = (readSwagger('apiUseTags', handler, controller) ?? []) as readonly string[];
  return [...new Set([...tags, ...own])];
}

function readTexts(handler: object): SwaggerTexts {
  return readSwagger('apiOperation', handler) ?? {};
}

/** `@ApiExtension('x-mcp', …)`. That of a class stands at its methods, but for inherited ones and those with their own. */
function readDeclared(
  handler: object,
  controller: Class,
): { readonly declared?: OperationSettings; readonly kept?: LeftOut } {
  for (const target of [handler, controller]) {
    const extensions = readSwagger('apiExtension', target) as Readonly<Record<string, unknown>> | undefined;
    const said = extensions?.['x-mcp'];
    if (said === false) return { kept: leaveOut('excluded', "it says 'x-mcp': false") };
    if (isPlainObject(said)) return { declared: Object.freeze({ ...said }) };
  }
  return {};
}

interface SwaggerReply {
  readonly type?: unknown;
  readonly isArray?: boolean;
}

/** The class of the first success that `@ApiOkResponse` or its kin name; a list of it where they say so. */
function readReply(handler: object): SchemaSource | undefined {
  const replies = (readSwagger('apiResponse', handler) ?? {}) as Readonly<Record<string, SwaggerReply>>;
  const [, reply] =
    Object.entries(replies).find(([status, { type }]) => /^2\d\d$/.test(status) && isClass(type)) ?? [];
  if (reply === undefined) return undefined;
  return reply.isArray === true ? listSchema(reply.type as Class) : (reply.type as Class);
}

function parameterTexts(handler: object): ReadonlyMap<string, string> {
  const parameters = (readSwagger('apiParameters', handler) ?? []) as readonly {
    readonly name?: unknown;
    readonly description?: unknown;
  }[];
  return new Map(
    parameters.flatMap(({ name, description }) =>
      typeof name === 'string' && typeof description === 'string' ? [[name, description]] : [],
    ),
  );
}

/** Why a route is left out unless it is named, by what its decorators say of it. */
function reasonFor(
  { controller, method, path }: FoundRoute,
  handler: object,
  tags: readonly string[],
  isDeprecated: boolean,
  mounts: readonly string[],
): LeftOutReason | undefined {
  if (readMetadata('__sse__', handler) === true) return 'sse';
  if (hostFor(controller) === null) return 'host';
  if (mounts.some((mount) => path === mount || path.startsWith(`${mount}/`))) return 'mcp';
  if (readMetadata('__renderTemplate__', handler) !== undefined) return 'html';
  if (readMetadata('__redirect__', handler) !== undefined) return 'redirect';
  const excluded = readSwagger('apiExcludeEndpoint', handler) as { readonly disable?: boolean } | undefined;
  if (excluded?.disable === true || readSwagger('apiExcludeController', controller) !== undefined)
    return 'excluded';
  return isDeprecated ? 'deprecated' : findReason(method, path, tags);
}

export function hintsFor(method: string): OperationHints {
  const readOnly = method === 'GET' || method === 'QUERY' || method === 'SEARCH';
  const idempotent = method === 'PUT' || method === 'DELETE';
  return Object.freeze({
    readOnly,
    destructive: idempotent || method === 'PATCH',
    idempotent: idempotent || readOnly,
  });
}

/** The host that a controller is bound to, the first of several; undefined for any host, null where it has no one value. */
function hostFor(controller: Class): string | null | undefined {
  const bound = readMetadata('host', controller);
  if (bound === undefined) return undefined;
  const plain = [bound].flat().find((host) => typeof host === 'string' && /^[\w.-]+$/.test(host));
  return (plain as string | undefined) ?? null;
}

function hostHeader(controller: Class): Readonly<Record<string, string>> {
  const host = hostFor(controller);
  return typeof host === 'string' ? { host } : {};
}

/** Where the version is not in the path, the request says it. */
function versionHeaders(
  { config }: NestParts,
  version: string | undefined,
): Readonly<Record<string, string>> {
  const { type, header = '', key = '' } = config.getVersioning() ?? {};
  if (version === undefined) return {};
  if (type === IN_HEADER) return { [header.toLowerCase()]: version };
  return type === IN_MEDIA_TYPE ? { accept: `application/json;${key}${version}` } : {};
}

/** Versions of actions are semantic: `1` is 1.0.0. */
function semantic(version: string): string {
  const [, major = '0', minor = '0', patch = '0'] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) ?? [];
  return `${major}.${minor}.${patch}`;
}
