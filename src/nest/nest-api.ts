import { refuseOptions } from '../errors/option-errors.ts';
import { ProblemList, type Problem } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { Module, type DynamicModule } from '../index.ts';
import { identityFrom, warn, writer } from '../operations/api-options.ts';
import { checkSettings } from '../operations/check-settings.ts';
import { curate, type Curated } from '../operations/curation.ts';
import { withCurationFile } from '../operations/curation-file.ts';
import { createControllers } from '../operations/operation-controllers.ts';
import { carriedCall, nodeCarrier } from '../operations/http/node-carrier.ts';
import type { CarriedCall, Carrier } from '../operations/operation.ts';
import { partsOfNest, type NestApplication } from './nest-application.ts';
import { NEST_API_RULES, type NestApiOptions } from './options.ts';
import { findUnvalidated } from './pipes.ts';
import { findQueryForms } from './query-values.ts';
import { readRoutes, readTemplates } from './read-routes.ts';
import { becomeReady } from './router.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** What an API would offer, with everything that is said about it. */
export interface PreparedApi {
  readonly curated: Curated;
  readonly problems: ProblemList;
  readonly warnings: readonly Problem[];
  readonly module: () => DynamicModule;
}

/**
 * Routes of an application of NestJS as a module. {@link exposeNest} does this and mounts it.
 *
 * @example
 * import { NestFactory } from '@nestjs/core';
 * import { McpApplication } from 'toolwright';
 * import { NestApi } from 'toolwright/nest';
 *
 * const nest = await NestFactory.create(AppModule);
 * await nest.init();
 * const app = await McpApplication.create(NestApi.forRoot(nest, { include: ['tasks.*'] }));
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- it is the module, and users know `forRoot` of such
export class NestApi {
  /**
   * Makes the module. The application has to be initialized, which `init()` and `listen()` do.
   * @throws ApplicationError with every problem of the selected routes
   */
  static forRoot(app: NestApplication, options: NestApiOptions = {}): DynamicModule {
    refuseOptions('TW_APPLICATION_OPTION', 'NestApi.forRoot()', options, NEST_API_RULES);
    const { isInitialized } = partsOfNest(app, 'NestApi.forRoot()');
    if (!isInitialized) {
      throw new ToolwrightError('TW_NEST_APPLICATION', {
        where: 'NestApi.forRoot()',
        what: 'was given an application that has no routes yet.',
        fix: 'await nest.init() before it, or use exposeNest(nest, options)',
      });
    }
    const api = prepareApi(app, withCurationFile(options));
    api.problems.throwIfAny('NestApi.forRoot()');
    for (const warning of api.warnings) warn(options.logger, warning);
    return api.module();
  }
}
Module()(NestApi);

/**
 * The call that a request of an application is made for; undefined for a request from elsewhere, whatever its headers
 * say.
 *
 * @example
 * const isFromModel = (request: object) => nestCall(request)?.tool === 'tasks';
 */
export function nestCall(request: unknown): CarriedCall | undefined {
  return carriedCall(request);
}

/** Sends requests to an application of NestJS: no port, and all that runs for a request from outside. */
export function nestCarrier(app: NestApplication): Carrier {
  const carry = nodeCarrier(app.getHttpServer() as Parameters<typeof nodeCarrier>[0]);
  let ready: Promise<unknown> | undefined;
  return async (request, options) => {
    ready ??= becomeReady(app);
    await ready;
    return carry(request, options);
  };
}

/** Reads and selects routes. What is wrong is in `problems`, so that a plan can show it. */
export function prepareApi(
  app: NestApplication,
  options: NestApiOptions,
  mounts: readonly string[] = [],
): PreparedApi {
  const problems = new ProblemList();
  const { config } = partsOfNest(app, 'the application');
  const routes = readRoutes(app, mounts);
  const curated = curate(routes, options, config.getGlobalPrefix(), problems);
  if (problems.problems.every(({ code }) => code === 'TW_OPERATIONS_TOO_MANY'))
    checkSettings(curated.offered, problems);
  const queries = findQueryForms(app, curated.offered);
  const unknown = curated.leftOut.filter(({ leftOut }) => leftOut?.reason === 'unknown-route');
  const warnings: Problem[] = [
    ...unknown.map(({ origin, key }) => ({
      code: 'TW_NEST_ROUTE_UNKNOWN' as const,
      where: origin,
      what: `would be ${key}, which the router does not know, so it is not offered.`,
      fix: 'report it, with the decorators of the route and the versioning of the application',
    })),
    ...findUnvalidated(app, curated.offered),
    ...queries.warnings,
  ];
  const module = (): DynamicModule => ({
    module: NestApi,
    controllers: createControllers(queries.operations, {
      carrier: nestCarrier(app),
      identity: identityFrom(options.identity ?? 'same-server'),
      routes: readTemplates(app, mounts),
      openWorld: false,
      maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
      idempotencyHeader: options.idempotency?.toLowerCase(),
      log: writer(options.logger),
      queryForms: ({ origin }) => queries.forms.get(origin) ?? {},
      refused: ({ tool, action }, status) => {
        writer(options.logger)({
          level: 'warning',
          event: 'nest.identity',
          message: 'A guard of the application refused a caller whose token the endpoint had accepted',
          tool,
          action,
          status,
        });
      },
    }),
  });
  return { curated, problems, warnings, module };
}
