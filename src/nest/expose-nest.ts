import type { IncomingMessage } from 'node:http';
import { currentHost } from '../application/host.ts';
import { ApplicationError } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import {
  McpApplication,
  Module,
  type ApplicationOptions,
  type DynamicModule,
  type NodeRequest,
  type NodeResponse,
} from '../index.ts';
import { partsOfNest, type NestApplication } from './nest-application.ts';
import { prepareApi, warn } from './nest-api.ts';
import { splitOptions, type ExposeNestOptions } from './options.ts';
import { countTools, planRoutes } from './plan-nest.ts';

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
  const { own, application } = splitOptions(options, 'exposeNest()');
  refuseSignIn(application);
  if (partsOfNest(nest, 'exposeNest()').isInitialized) throw mountedLate();
  const host = currentHost()?.exposed?.(nest, options);
  if (host !== undefined) return host as Promise<never>;
  const { path = '/mcp', module } = own;
  const mounted: { application?: McpApplication } = {};
  const serve = (request: MountedRequest, response: NodeResponse, next: Next): void => {
    // Routers cut the path that they have matched; the whole says whether it is the endpoint or its metadata
    (request as Pick<IncomingMessage, 'url'>).url = request.originalUrl ?? request.url ?? path;
    const { application: made } = mounted;
    if (made === undefined) next();
    else made.node(request, response).catch(next);
  };
  nest.use(path, serve);
  if (application.auth !== undefined && application.auth !== false) nest.use(METADATA_PATH, serve);
  await nest.init();
  refuseLateSettings(nest);
  const name = application.name ?? 'exposeNest()';
  const api = prepareApi(nest, own, path);
  const [problem, ...others] = api.problems.problems;
  // With the tokens of each group, which take a whole application to count
  if (problem?.code === 'TW_OPERATIONS_TOO_MANY' && others.length === 0)
    throw new ApplicationError(name, (await planRoutes(nest, { own, application })).problems);
  api.problems.throwIfAny(name);
  for (const warning of api.warnings) warn(own.logger, warning);
  const root: DynamicModule = {
    module: ExposedModule,
    imports: module === undefined ? [api.module()] : [api.module(), module],
  };
  const made = await McpApplication.create(root, {
    ...application,
    ...(own.logger === undefined ? {} : { logger: own.logger }),
  });
  if (own.maxTokens !== undefined) {
    const { problems } = await countTools(api.curated, made, own);
    if (problems.length > 0) {
      await made.close();
      throw new ApplicationError(name, problems);
    }
  }
  mounted.application = made;
  closeFirst(nest, made);
  return made;
}

/** RFC 9728, 3.1: the path of the endpoint follows it. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

function refuseSignIn({ auth }: ApplicationOptions): void {
  if (auth === undefined || auth === false || auth.signIn === undefined) return;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'exposeNest(), option auth.signIn',
    what: 'needs paths that exposeNest does not mount.',
    fix: 'auth: { verify }, with the issuer that the application has; or serve NestApi.forRoot(nest) with listen()',
  });
}

function mountedLate(): ToolwrightError {
  return new ToolwrightError('TW_NEST_MOUNT_LATE', {
    where: 'exposeNest()',
    what: 'was called after init() or listen().',
    why: 'routes and the body parser are registered then, and would answer before the endpoint.',
    fix: 'call it right after NestFactory.create() and what configures the application',
  });
}

/** Settings that `init()` has read: Nest takes them later as well, and they do nothing. */
const READ_BY_INIT = [
  'useGlobalGuards',
  'useGlobalPipes',
  'useGlobalInterceptors',
  'useGlobalFilters',
  'setGlobalPrefix',
  'enableVersioning',
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

/** Streams of clients end with the endpoint, and Nest waits for all connections of its server. */
function closeFirst(nest: NestApplication, mcp: McpApplication): void {
  const adapter = nest.getHttpAdapter() as { close(): unknown };
  const close = adapter.close.bind(adapter);
  adapter.close = async () => {
    await mcp.close();
    return close();
  };
}
