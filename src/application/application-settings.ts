import { environmentVariable } from '../shared/platform.ts';
import { withErrorHook, type Logger } from '../call/logger.ts';
import { copyFilter, type ToolFilter } from '../compile/tools/tool-filter.ts';
import type { ServerInfo } from '../engine/server-info.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { soundOptions, type OptionReport } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { CacheOptions } from '../metadata/options.ts';
import type { DynamicModule } from '../metadata/module-options.ts';
import { createContextFactory } from '../runtime/tools/context-factory.ts';
import { CallLogger } from '../runtime/logging/call-logger.ts';
import { loggerOf, type ToolRegistryOptions } from '../registry/registry-options.ts';
import { registeredSecrets } from '../runtime/logging/call-secrets.ts';
import { subjectHasher, type CallLogging } from '../runtime/logging/log-records.ts';
import { MAX_ARGUMENT_NODES } from '../kernel/call/request-params.ts';
import { findIssuer } from '../runtime/feature-states.ts';
import { currentSecrets } from '../runtime/replay/replay-engine.ts';
import { outerSlots, withDefaults } from '../app/features.ts';
import type { AnyFeature } from '../features/feature.ts';
import type { ScanOptions } from '../scanner/scan-options.ts';
import { isClass, type Class } from '../shared/class-type.ts';
import { LONGEST_TIMER } from '../shared/option-rules.ts';
import { currentHost, trustsEverybody } from './host.ts';
import { checkBackplane } from './backplane.ts';
import { checkOperations } from './operations/operations-options.ts';
import { readSurfaces } from './surface-options.ts';
import { SURFACE_NAMES, type SurfaceSettings } from '../compile/surfaces/surface.ts';
import { rulesWith, type ApplicationOptions } from './application-options.ts';
import { authenticatesTwice, ResourceServer } from '../runtime/auth/resource-server.ts';
import type { LimitOptions } from '../app/limit-options.ts';
import { LocalOrigin } from '../runtime/local-calls.ts';
import type { ScannedCallable } from '../scanner/members/scanned-callable.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';

/** The options with every default in place. */
export interface ApplicationSettings extends Omit<ApplicationOptions, 'pageSize' | 'cache' | 'logger'> {
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  readonly maskErrors: boolean;
  readonly drainTimeout: number;
  readonly argumentNodes: number;
  readonly hashSubject: NonNullable<CallLogging['hashSubject']>;
  /** Grows with the secrets of configurations, and with secrets that change. */
  readonly hidden: string[];
  readonly pageSize: number | undefined;
  readonly cache: CacheOptions | undefined;
  readonly filter: ToolFilter;
  /** Undefined where clients get what the groups say. */
  readonly surfaces: SurfaceSettings | undefined;
  /** Undefined without the option `auth`, and where no caller is verified. */
  readonly resourceServer: ResourceServer | undefined;
  /** Shared, because it caches the compiled schemas of questions. */
  readonly contextFactory: ReturnType<typeof createContextFactory>;
  readonly scan: Omit<ScanOptions, 'notifier'>;
  /** The limits of tools that are added to the registry of the application. */
  readonly registryLimits: LimitOptions | undefined;
}

const REPORT: OptionReport = { where: 'McpApplication.create()', code: 'TW_APPLICATION_OPTION' };
const DRAIN_TIMEOUT = 10_000;

/** Reports every invalid option, and returns the settings from the valid ones. */
export function readOptions(
  rootModule: Class | DynamicModule,
  given: ApplicationOptions,
  problems: ProblemList,
  features: readonly AnyFeature[],
  fitting?: SurfaceSettings['fitting'],
): ApplicationSettings {
  const options = soundOptions(given, rulesWith(features), REPORT, problems);
  const surfaces = readSurfaces(options.surface, options.auth, fitting);
  const completed = withDefaults(options, features);
  checkBackplane(options, problems);
  checkOperations(options.operations, problems);
  const { name = defaultName(rootModule), cache } = options;
  const hidden = registeredSecrets(options);
  const logger = withErrorHook(loggerOf(options.logger, hidden), options.onError, hidden);
  const sealing = secretsOf(options, { logger, hidden }, problems);
  const hashSubject = subjectHasher({ ...options, ...sealing });
  return Object.freeze({
    ...options,
    ...sealing,
    name,
    version: options.version ?? '0.0.0',
    logger,
    hidden,
    hashSubject,
    maskErrors:
      options.maskErrors ?? masksByDefault(environmentVariable('NODE_ENV'), currentHost()?.isDevelopment),
    drainTimeout: Math.min(options.drainTimeout ?? DRAIN_TIMEOUT, LONGEST_TIMER),
    argumentNodes: options.limits?.argumentNodes ?? MAX_ARGUMENT_NODES,
    pageSize: options.pageSize,
    cache: cache && Object.freeze({ ttl: cache.ttl ?? 0, scope: cache.scope ?? 'private' }),
    filter: copyFilter(options),
    surfaces,
    resourceServer: createResourceServer(options, logger, problems, { features, surfaces }),
    contextFactory: createContextFactory(),
    registryLimits: completed.limits,
    scan: {
      ...readScanOptions(name, new CallLogger({ logger, hidden, hashSubject }), options),
      features,
      around: outerSlots(completed, features),
    },
  });
}

/** A function that has none is reported with all other problems. */
function secretsOf(
  { secrets }: Partial<ApplicationOptions>,
  place: Parameters<typeof currentSecrets>[1],
  problems: ProblemList,
): Pick<ApplicationOptions, 'secrets'> {
  try {
    const current = currentSecrets(secrets, place);
    return current === undefined ? {} : { secrets: current };
  } catch (error) {
    problems.addThrown(error);
    return {};
  }
}

/** A fault of the verifiers is reported with all others. */
function createResourceServer(
  { auth = false, fetch }: Partial<ApplicationOptions>,
  logger: Logger,
  problems: ProblemList,
  {
    features,
    surfaces,
  }: Pick<ApplicationSettings, 'surfaces'> & { readonly features: readonly AnyFeature[] },
): ResourceServer | undefined {
  if (auth === false) return undefined;
  try {
    if (fetch?.authenticate !== undefined) throw authenticatesTwice('McpApplication.create(), option fetch');
    const ends = surfaces?.choose.has('path') === true ? SURFACE_NAMES.map((name) => `/${name}`) : [];
    const issuer = findIssuer(features, { auth }, () => server.resource);
    const server: ResourceServer = new ResourceServer(auth, logger, { issuer, ends });
    return trustsEverybody(auth.local) ? undefined : server;
  } catch (error) {
    problems.addThrown(error);
    return undefined;
  }
}

/** Error texts may contain secrets, so by default they are shown only during development. */
function masksByDefault(environment: string | undefined, isDevelopment = false): boolean {
  return !isDevelopment && environment !== 'development' && environment !== 'test';
}

function readScanOptions(
  name: string,
  logger: Logger,
  options: ApplicationOptions,
): Omit<ScanOptions, 'notifier'> {
  const { middleware = [], overrides = [], expose, describe, unknownFields } = options;
  const { openWorld } = options;
  return Object.freeze({
    name,
    logger,
    middleware,
    overrides,
    expose,
    describe,
    unknownFields,
    openWorld,
  });
}

/** The registry filters tools and creates contexts as the application does, even when used directly. */
export function registryOptions(settings: ApplicationSettings): ToolRegistryOptions {
  const { maskErrors, logger, filter, contextFactory, unknownFields, expose } = settings;
  return {
    maskErrors,
    logger,
    filter,
    contextFactory,
    defaultContext: () => contextFactory(undefined, new LocalOrigin('local', {})),
    ...(unknownFields === undefined ? {} : { unknownFields }),
    ...(expose === undefined ? {} : { expose }),
    ...(settings.redact === undefined ? {} : { redact: settings.redact }),
    ...(settings.secrets === undefined ? {} : { secrets: settings.secrets }),
    limits: settings.registryLimits,
  };
}

/** How an application introduces itself to clients. */
export function serverInfo({ name, version, title, instructions, icons }: ApplicationSettings): ServerInfo {
  return Object.freeze({
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(icons === undefined ? {} : { icons }),
  });
}

export function servesAlready(name: string): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'replaceWith()',
    what: `was given ${name}, which serves already.`,
    fix: 'create the application, and call replaceWith() before its listen(), stdio() or connect()',
  });
}

function defaultName(rootModule: Class | DynamicModule): string {
  // The scanner reports anything that is not a module
  const type = isClass(rootModule) ? rootModule : (rootModule as DynamicModule | undefined)?.module;
  const words = (type?.name ?? '').replace(/Module$/, '').replace(/([a-z0-9])([A-Z])/g, '$1-$2');
  return words === '' ? 'application' : words.toLowerCase();
}

/** Reports requirements that nobody could meet, and lists that differ from caller to caller and are kept for all. */
export function checkRequirementsOf(
  { tools, prompts, resources }: ScannedApplication,
  { auth, cache }: ApplicationSettings,
  problems: ProblemList,
): void {
  const callables: readonly ScannedCallable[] = [
    ...tools.flatMap(({ actions }) => actions),
    ...prompts,
    ...resources,
  ];
  const isOpenByDefault = auth === undefined || auth === false || auth.default === 'public';
  const requiring = callables.filter(({ requirements }) => !(requirements?.isPublic ?? isOpenByDefault));
  const [first, ...others] = requiring;
  if (first === undefined) return;
  if (auth === undefined) reportUnknownCallers(first, others.length, problems);
  if (cache?.scope === 'public') {
    problems.add('TW_APPLICATION_OPTION', {
      where: 'McpApplication.create(), option cache.scope',
      what: 'is "public", but what is listed depends on the caller.',
      why: `${first.where} requires something of its callers, and a shared cache would give its list to others.`,
      fix: "cache: { scope: 'private' }",
    });
  }
  for (const resource of resources) {
    if (resource.cache?.scope === 'public' && requiring.includes(resource)) reportCached(resource, problems);
  }
}

function reportUnknownCallers({ where }: ScannedCallable, others: number, problems: ProblemList): void {
  const further = others === 0 ? '' : `, as ${String(others)} more ${others === 1 ? 'does' : 'do'}`;
  problems.at(where).add('TW_SCAN_AUTH_MISSING', {
    what: `requires something of its callers${further}, but the application has no option \`auth\`.`,
    why: 'it would not know who calls, so that nobody could use it.',
    fix: "McpApplication.create(…, { auth: { resource: 'https://…', verify: jwt({ issuer: 'https://…' }) } }), or auth: false where `authenticate`, an attached server or `app.call` says who calls",
  });
}

function reportCached({ where }: ScannedCallable, problems: ProblemList): void {
  problems.at(where).add('TW_SCAN_REQUIREMENT_CONFLICT', {
    what: 'requires something of its callers, and may be cached for everybody.',
    why: 'a shared cache would give it to callers that may not read it.',
    fix: "@Resource('…', { cache: { scope: 'private' } })",
  });
}

/** The error of whatever would begin in an application that ends. */
export function isClosed(where: string, state: string): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_CLOSED', {
    where,
    what: state === 'closed' ? 'was closed.' : 'is shutting down.',
    why: 'its singletons are about to be shut down, and cannot be used again.',
    fix: 'create a new application',
  });
}
