import type { IncomingMessage } from 'node:http';
import { currentHost } from '../application/host.ts';
import { ApplicationError } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { McpApplication, Module, type DynamicModule, type NodeRequest, type NodeResponse } from '../index.ts';
import { partsOfNest, type NestApplication } from './nest-application.ts';
import { warn } from '../operations/api-options.ts';
import { prepareApi, type PreparedApi } from './nest-api.ts';
import { splitOptions, type ExposeNestOptions, type SplitOptions } from './options.ts';
import { countTools, planRoutes } from './plan-nest.ts';
import { readTemplates } from './read-routes.ts';
import { refuseTakenPaths, signInPaths, type SignInPaths } from './sign-in-paths.ts';

/** The root of an application that consists of routes and of a module of the user. */
class ExposedModule {}
Module()(ExposedModule);

type Next = (error?: unknown) => void;
type MountedRequest = NodeRequest & Pick<IncomingMessage, 'url'> & { readonly originalUrl?: string };

/**
 * Offers the routes of an application of NestJS as tools, at `/mcp` of the same server. A call goes through the server, in
 * the process: middleware, guards, pipes, interceptors, filters and request scope run as for a request from outside.
 *
 * Call it before `listen()` and `init()`, and after all settings: it mounts the endpoint before the body parser, and
 * initializes the application.
 *
 * @throws ToolwrightError TW_NEST_MOUNT_LATE, TW_NEST_APPLICATION; ApplicationError with every problem of the routes
 * @example
 * import { NestFactory } from '@nestjs/core';
 * import { exposeNest } from 'toolwright/nest';
 *
 * const nest = await NestFactory.create(AppModule);
 * const mcp = await exposeNest(nest, { name: 'shop', include: ['tasks.*', 'orders.*'] });
 * await nest.listen(3000);
 */
export async function exposeNest(
  nest: NestApplication,
  options: ExposeNestOptions = {},
): Promise<McpApplication> {
  const split = splitOptions(options, 'exposeNest()');
  if (partsOfNest(nest, 'exposeNest()').isInitialized) throw mountedLate();
  const host = currentHost()?.exposed?.(nest, options);
  if (host !== undefined) return host as Promise<never>;
  if (currentHost() !== undefined) keepClosed(nest);
  const mount = mountAt(nest, split);
  await nest.init();
  refuseLateSettings(nest);
  if (mount.signIn !== undefined) refuseTakenPaths(mount.signIn, readTemplates(nest, []));
  const api = await prepareExposed(nest, split, mount.paths);
  const made = await createExposed(api, split);
  mount.open(made);
  closeFirst(nest, made);
  return made;
}

/** RFC 9728, 3.1: the path of the endpoint follows it. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

interface Mount {
  /** Everything below these paths belongs to the endpoint and to the sign-in. */
  readonly paths: readonly string[];
  readonly signIn: SignInPaths | undefined;
  /** From now on the application answers. */
  open(application: McpApplication): void;
}

/** Before `init()`: routes and the body parser would answer first. */
function mountAt(nest: NestApplication, { own, application }: SplitOptions): Mount {
  const { path = '/mcp' } = own;
  const { auth } = application;
  const signIn = signInPaths(application, own);
  let made: McpApplication | undefined;
  const serve = (request: MountedRequest, response: NodeResponse, next: Next): void => {
    // Routers cut the path that they have matched; the whole says whether it is the endpoint or its metadata
    (request as Pick<IncomingMessage, 'url'>).url = request.originalUrl ?? request.url ?? path;
    if (made === undefined) next();
    else made.node(request, response).catch(next);
  };
  const paths = signIn === undefined ? [path] : [path, signIn.base];
  const documents = signIn?.documents ?? [];
  const isProtected = auth !== undefined && auth !== false;
  for (const each of [...paths, ...documents, ...(isProtected ? [METADATA_PATH] : [])]) nest.use(each, serve);
  return { paths, signIn, open: (opened) => (made = opened) };
}

async function prepareExposed(
  nest: NestApplication,
  split: SplitOptions,
  mounts: readonly string[],
): Promise<PreparedApi> {
  const { own, application } = split;
  const { name = 'exposeNest()' } = application;
  const api = prepareApi(nest, own, mounts);
  const [problem, ...others] = api.problems.problems;
  // With the tokens of each group, which take a whole application to count
  if (problem?.code === 'TW_OPERATIONS_TOO_MANY' && others.length === 0)
    throw new ApplicationError(name, (await planRoutes(nest, split)).problems);
  api.problems.throwIfAny(name);
  for (const warning of api.warnings) warn(own.logger, warning);
  return api;
}

async function createExposed(api: PreparedApi, { own, application }: SplitOptions): Promise<McpApplication> {
  const { module, logger, maxTokens } = own;
  const root: DynamicModule = {
    module: ExposedModule,
    imports: module === undefined ? [api.module()] : [api.module(), module],
  };
  const made = await McpApplication.create(root, {
    ...application,
    ...(logger === undefined ? {} : { logger }),
  });
  if (maxTokens === undefined) return made;
  const { problems } = await countTools(api.curated, made, own);
  if (problems.length === 0) return made;
  await made.close();
  throw new ApplicationError(application.name ?? 'exposeNest()', problems);
}

function mountedLate(): ToolwrightError {
  return new ToolwrightError('TW_NEST_MOUNT_LATE', {
    where: 'exposeNest()',
    what: 'was called after init() or listen().',
    why: 'routes and the body parser are registered then, and would answer before the endpoint.',
    fix: 'call it right after NestFactory.create() and what configures the application',
  });
}

/** Settings that `init()` has read, and what has to come before the routes: Nest takes them later, and they do nothing. */
const READ_BY_INIT = [
  'useGlobalGuards',
  'useGlobalPipes',
  'useGlobalInterceptors',
  'useGlobalFilters',
  'setGlobalPrefix',
  'enableVersioning',
  'enableCors',
  'use',
  'useStaticAssets',
  'useWebSocketAdapter',
];

function refuseLateSettings(nest: NestApplication): void {
  for (const name of READ_BY_INIT) {
    const value = (): never => {
      throw new ToolwrightError('TW_NEST_MOUNT_LATE', {
        where: `${name}()`,
        what: 'was called after exposeNest(), and would do nothing.',
        why: 'exposeNest() initializes the application, and Nest reads this setting then.',
        fix: `call ${name}() before exposeNest()`,
      });
    };
    // Not an assignment: the proxy around the application drops it
    Object.defineProperty(nest, name, { value, configurable: true });
  }
}

/** A host, such as the command line, serves the application itself; calls reach the routes without a port. */
function keepClosed(nest: NestApplication): void {
  let url = 'http://127.0.0.1';
  const listen = (port: number | string): Promise<unknown> => {
    url = `http://127.0.0.1:${String(port)}`;
    return Promise.resolve(nest.getHttpServer());
  };
  // Not an assignment: the proxy around the application drops it
  Object.defineProperty(nest, 'listen', { value: listen, configurable: true });
  Object.defineProperty(nest, 'getUrl', { value: () => Promise.resolve(url), configurable: true });
}

/** Streams of clients end with the endpoint, and Nest waits for all connections of its server. */
function closeFirst(nest: NestApplication, mcp: McpApplication): void {
  const adapter = nest.getHttpAdapter() as { close(): unknown };
  const close = adapter.close.bind(adapter);
  adapter.close = async () => {
    await mcp.close();
    return close();
  };
}
