import { GuardedLogger } from '../call/guarded-logger.ts';
import { StderrLogger, type Logger } from '../call/logger.ts';
import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import type { ToolFilter } from '../compile/tool-filter.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type {
  CacheOptions,
  Describe,
  DynamicModule,
  Expose,
  IconOptions,
  UnknownFields,
} from '../metadata/options.ts';
import type { HttpHandlerOptions } from '../server/http/http-options.ts';
import type { ServerInfo } from '../server/server-info.ts';
import { checkQuestionSettings, type QuestionSettings } from '../runtime/conversation/question-settings.ts';
import { createContextFactory } from '../runtime/create-tool-service.ts';
import { createLocalExchange } from '../runtime/local-exchange.ts';
import type { TaskOptions } from '../runtime/tasks/task-options.ts';
import type { ToolRegistryOptions } from '../runtime/tool-registry.ts';
import type { ProviderOverride, ScanOptions } from '../scanner/scan-options.ts';
import { isClass, type Class } from '../shared/class-type.ts';
import { nearestName } from '../shared/did-you-mean.ts';

/** Options of `McpApplication.create`. */
export interface ApplicationOptions extends ToolFilter, QuestionSettings {
  /** How the server names itself. Default: the root module's name without `Module`. */
  readonly name?: string;
  /** Default `0.0.0`. */
  readonly version?: string;
  readonly title?: string;
  /** Tells a model how to use the server as a whole (spec: basic/lifecycle, Initialization). */
  readonly instructions?: string;
  readonly icons?: readonly IconOptions[];
  /** Around every action, outermost first; a class is resolved from the root module. */
  readonly middleware?: readonly (
    MiddlewareFunction<never> | MiddlewareObject<never> | Class<MiddlewareObject<never>>
  )[];
  /** For groups that do not say. Default `grouped`. */
  readonly expose?: Expose;
  /** For groups that do not say. Default `plain`. */
  readonly describe?: Describe;
  /** For groups and actions that do not say. Default `strict`. */
  readonly unknownFields?: UnknownFields;
  /** Replaces the text of errors that were not declared for clients by a reference id; meant for production. Default false. */
  readonly maskErrors?: boolean;
  /** Default: warnings and worse on stderr. */
  readonly logger?: Logger;
  /** Replaces providers by their token, in every module; meant for tests. */
  readonly overrides?: readonly ProviderOverride[];
  /** Entries per page of every list, with opaque cursors; lists are not paged unless it is set. */
  readonly pageSize?: number;
  /** How long clients may keep lists and the description of the server. Default: not at all. */
  readonly cache?: CacheOptions;
  /**
   * Runs a handler from its start after each answer, also for clients and calls that can be asked while it runs;
   * meant for tests, and on in those of `toolwright/testing`. Default false.
   */
  readonly replay?: boolean;
  /** How `app.fetch` serves. Default: without sessions. */
  readonly fetch?: HttpHandlerOptions;
  /** How the tasks are kept that actions become. */
  readonly tasks?: TaskOptions;
  /** How long `close()` waits for running calls, in milliseconds. Default 10,000. */
  readonly drainTimeout?: number;
}

/** The options with every default in place. */
export interface ApplicationSettings extends Omit<ApplicationOptions, 'pageSize' | 'cache'> {
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  readonly maskErrors: boolean;
  readonly drainTimeout: number;
  readonly pageSize: number | undefined;
  readonly cache: CacheOptions | undefined;
  readonly filter: ToolFilter;
  /** One for everything, because it keeps the compiled schemas of what handlers ask for. */
  readonly contextFactory: ReturnType<typeof createContextFactory>;
  readonly scan: Omit<ScanOptions, 'notifier'>;
}

// A Record, so that a new option cannot be forgotten here
const KNOWN: Readonly<Record<keyof ApplicationOptions, true>> = {
  name: true,
  version: true,
  title: true,
  instructions: true,
  icons: true,
  middleware: true,
  tags: true,
  anyTag: true,
  exclude: true,
  expose: true,
  describe: true,
  unknownFields: true,
  maskErrors: true,
  logger: true,
  overrides: true,
  pageSize: true,
  secrets: true,
  onceStore: true,
  questionLifetime: true,
  replay: true,
  cache: true,
  fetch: true,
  tasks: true,
  drainTimeout: true,
};

const SCOPES: readonly string[] = ['public', 'private'];
const DRAIN_TIMEOUT = 10_000;
const LONGEST_TIMER = 2 ** 31 - 1;

/** @throws ToolwrightError TW_APPLICATION_OPTION for an option that does not exist. */
export function readOptions(
  rootModule: Class | DynamicModule,
  options: ApplicationOptions,
): ApplicationSettings {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name)) throw unknownOption(name);
  }
  const { name = defaultName(rootModule) } = options;
  checkQuestionSettings('McpApplication.create()', options);
  const logger = new GuardedLogger(options.logger ?? new StderrLogger());
  return Object.freeze({
    ...options,
    name,
    version: options.version ?? '0.0.0',
    logger,
    maskErrors: options.maskErrors ?? false,
    drainTimeout: readTime(options.drainTimeout ?? DRAIN_TIMEOUT, 'drainTimeout'),
    pageSize: readPageSize(options.pageSize),
    cache: readCache(options.cache),
    filter: readFilter(options),
    contextFactory: createContextFactory(),
    scan: readScanOptions(name, logger, options),
  });
}

/** A timer of Node takes no more than 2^31 - 1 ms, and fires at once when it is given more. */
function readTime(milliseconds: number, option: string): number {
  if (milliseconds === Number.POSITIVE_INFINITY) return LONGEST_TIMER;
  if (milliseconds >= 0) return Math.min(milliseconds, LONGEST_TIMER);
  throw wrongValue(option, 'a number of milliseconds, 0 or more');
}

function readPageSize(size: number | undefined): number | undefined {
  if (size === undefined || (Number.isSafeInteger(size) && size > 0)) return size;
  throw wrongValue('pageSize', 'a whole number above 0');
}

function readCache(cache: CacheOptions | undefined): CacheOptions | undefined {
  if (cache === undefined) return undefined;
  const { ttl = 0, scope = 'private', ...others } = cache;
  const isTime = Number.isSafeInteger(ttl) && ttl >= 0;
  const isScope = SCOPES.includes(scope);
  if (isTime && isScope && Object.keys(others).length === 0) return Object.freeze({ ttl, scope });
  throw wrongValue('cache', "{ ttl: 60_000, scope: 'public' }, with a whole number of milliseconds");
}

function wrongValue(option: string, wanted: string): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create()',
    what: `got a value for "${option}" that it cannot have.`,
    fix: `${option}: ${wanted}`,
  });
}

function readFilter({ tags = [], anyTag = [], exclude = [] }: ApplicationOptions): ToolFilter {
  return Object.freeze({ tags: [...tags], anyTag: [...anyTag], exclude: [...exclude] });
}

function readScanOptions(
  name: string,
  logger: Logger,
  options: ApplicationOptions,
): Omit<ScanOptions, 'notifier'> {
  const { middleware = [], overrides = [], expose, describe, unknownFields } = options;
  return Object.freeze({ name, logger, middleware, overrides, expose, describe, unknownFields });
}

/** The registry of an application filters and makes contexts as the application does, also when it is used directly. */
export function registryOptions(settings: ApplicationSettings): ToolRegistryOptions {
  const { maskErrors, logger, filter, contextFactory, unknownFields, expose } = settings;
  const { secrets, onceStore, questionLifetime } = settings;
  return {
    maskErrors,
    logger,
    filter,
    contextFactory,
    defaultContext: () => contextFactory(undefined, createLocalExchange('local', {})),
    ...(unknownFields === undefined ? {} : { unknownFields }),
    ...(expose === undefined ? {} : { expose }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(onceStore === undefined ? {} : { onceStore }),
    ...(questionLifetime === undefined ? {} : { questionLifetime }),
    ...(settings.tasks === undefined ? {} : { tasks: settings.tasks }),
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

function defaultName(rootModule: Class | DynamicModule): string {
  // Anything else than a module is a problem that the scanner reports
  const type = (isClass(rootModule) ? rootModule : rootModule.module) as Class | undefined;
  const words = (type?.name ?? '').replace(/Module$/, '').replace(/([a-z0-9])([A-Z])/g, '$1-$2');
  return words === '' ? 'application' : words.toLowerCase();
}

function unknownOption(name: string): ToolwrightError {
  const nearest = nearestName(name, Object.keys(KNOWN));
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create()',
    what: `has no option "${name}".`,
    fix: nearest === undefined ? `use one of ${Object.keys(KNOWN).join(', ')}` : `did you mean "${nearest}"?`,
  });
}
