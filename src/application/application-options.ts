import type { DependencyContainer } from 'tsyringe';
import type { AuditOptions } from '../audit/audit-options.ts';
import type { ErrorHook, LogFunction, Logger } from '../call/logger.ts';
import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import { FILTER_RULES, type ToolFilter } from '../compile/tools/tool-filter.ts';
import { authRuleOfApplication, type AuthOptions } from '../app/auth-options.ts';
import {
  CACHE_RULES,
  describeRule,
  exposeRule,
  iconsRule,
  unknownFieldsRule,
} from '../metadata/option-rules.ts';
import type { CacheOptions, Describe, Expose, IconOptions, UnknownFields } from '../metadata/options.ts';
import type { ConsentOptions } from '../app/consent-pages.ts';
import { REDACT_RULES, type RedactOptions } from '../runtime/logging/call-secrets.ts';
import { QUESTION_RULES, type QuestionSettings } from '../runtime/replay/replay-engine.ts';
import { LIMIT_RULES, limitRules, type LimitOptions } from '../app/limit-options.ts';
import { applicationRules, FEATURES, type ServerCardOptions } from '../app/features.ts';
import type { AnyFeature } from '../features/feature.ts';
import type { TaskOptions } from '../runtime/tasks/task-options.ts';
import { backplaneRule, type Backplane, type BackplanePorts } from './backplane.ts';
import { OPERATIONS_RULES, type OperationsOptions } from './operations/operations-options.ts';
import type { Telemetry } from '../kernel/call/telemetry.ts';
import type { ProviderOverride } from '../scanner/scan-options.ts';
import type { Class } from '../shared/class-type.ts';
import type { SurfaceName } from '../compile/surfaces/surface.ts';
import { surfaceRule, type SurfaceOptions } from './surface-options.ts';
import {
  aFunction,
  anything,
  filledText,
  listOf,
  longMilliseconds,
  milliseconds,
  objectOf,
  rule,
  text,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
  loggerRule,
} from '../shared/option-rules.ts';
import { HANDLER_RULES } from '../transports/http/check-http-options.ts';
import type { HttpHandlerOptions } from '../transports/http/http-options.ts';

/** Options of `McpApplication.create`. */
export interface ApplicationOptions extends ToolFilter, QuestionSettings {
  /** How the server names itself. Default: the root module's name without `Module`. */
  readonly name?: string;
  /** Default `0.0.0`. */
  readonly version?: string;
  /** The name that clients show to people. Default: they show `name`. */
  readonly title?: string;
  /**
   * Explains to a model how to use the server as a whole (spec: basic/lifecycle, Initialization); false sends nothing.
   * Default: a summary of the groups and actions that the caller sees, where these are more than one tool.
   */
  readonly instructions?: string | false;
  /** Icons that clients show beside the name. Default: none. */
  readonly icons?: readonly IconOptions[];
  /** Around every action, outermost first; a class is resolved from the root module. */
  readonly middleware?: readonly (
    | MiddlewareFunction<never>
    | MiddlewareObject<never>
    | Class<MiddlewareObject<never>>
  )[];
  /** For groups without their own setting. Default `grouped`. */
  readonly expose?: Expose;
  /** For groups without their own setting. Default `plain`. */
  readonly describe?: Describe;
  /**
   * How clients are offered the actions, whatever the groups say: as one tool for each group, as up to three of them by
   * what they may do, as one tool for each action, or as three tools that find actions and call them. Policies, consent,
   * limits, keys and audit are those of the action on each surface; `auto` is the one that fits the client. Default `own`: as
   * the groups say.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { surface: 'grouped-by-risk' });
   */
  readonly surface?: SurfaceName | 'auto' | SurfaceOptions;
  /** For groups and actions without their own setting. Default `strict`. */
  readonly unknownFields?: UnknownFields;
  /** Whether actions reach an open world, such as the web, where no `@OpenWorld` says it. Default: nothing is said. */
  readonly openWorld?: boolean;
  /** The default limits of calls. */
  readonly limits?: LimitOptions;
  /**
   * Replaces the text of errors that are not meant for clients with a reference id; the log has the full error under
   * this id. Default: true, unless `NODE_ENV` is `development` or `test`.
   */
  readonly maskErrors?: boolean;
  /** A `Logger`, or a function that takes a record. Default: warnings and worse on stderr. */
  readonly logger?: Logger | LogFunction;
  /**
   * Logs one record for each request, when it has ended: `request.served`, at the level `info`, with what was called, the
   * outcome, the duration, and who called as a keyed hash; `request.refused` for what the HTTP endpoint refuses before.
   * Arguments and results are not in it. Default false.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { accessLog: true, logger: consoleLogger() });
   */
  readonly accessLog?: boolean;
  /**
   * Gets each error that the log has and that no client sees whole: of handlers, hooks, stores, and of work that nobody
   * waits for. The record says where it happened; its `reference` is the id that a client saw in place of the error.
   * Secrets are left out of both. It may be async; what it throws is logged as `error-hook.failed`. Default: none.
   *
   * @example
   * const app = await McpApplication.create(AppModule, {
   *   onError: (error, { event, reference }) => console.error(event, reference, error),
   * });
   */
  readonly onError?: ErrorHook;
  /** Replaces providers by their token, in every module; meant for tests. */
  readonly overrides?: readonly ProviderOverride[];
  /**
   * Your own tsyringe container: what it knows, every class of the application can have injected. The application's
   * container is a child of it, and registers nothing in it. Default: the global `container` of tsyringe.
   *
   * @example
   * import { container } from 'tsyringe';
   *
   * const app = await McpApplication.create(AppModule, { container: container.createChildContainer() });
   */
  readonly container?: DependencyContainer;
  /** Entries per page of every list, with opaque cursors; lists are not paged unless it is set. */
  readonly pageSize?: number;
  /** How long clients may keep lists and the description of the server. Default: not at all. */
  readonly cache?: CacheOptions;
  /** For tests: an option of `createTestApplication` in `toolwright/testing`, which works here as well. Default false. */
  readonly replay?: boolean;
  /** How `app.fetch` serves. Default: without sessions. */
  readonly fetch?: HttpHandlerOptions;
  /**
   * Verifies who calls, and shows clients where to sign in. `false` says that something else finds out who calls:
   * `authenticate`, an attached server, `app.call`. Default: everybody who reaches the server may call.
   */
  readonly auth?: AuthOptions | false;
  /**
   * Where the application keeps what it has to remember, and what its instances share, so that each of them can serve every
   * request: `redisBackplane` of `toolwright/redis`, `postgresBackplane` of `toolwright/postgres`, or your own, all of which
   * need `secrets`; or the ports themselves. Default: each instance keeps everything in its memory.
   *
   * @example
   * const backplane = { store: new SqliteStore({ url: 'file:notes.db' }) };
   * const app = await McpApplication.create(AppModule, { backplane, secrets: ['a long random text, kept'] });
   */
  readonly backplane?: Backplane | BackplanePorts;
  /** How the tasks of actions are stored. Default: in memory, for one hour. */
  readonly tasks?: TaskOptions;
  /**
   * What is published of the server before anybody connects: its card, at `<endpoint>/server-card` and at
   * `/.well-known/mcp/server-card.json`, and a catalogue of it at `/.well-known/ai-catalog.json`; and its part of `server.json`,
   * which `toolwright pack` writes. Name, version, title and icons are those of the application. Default: no card.
   *
   * @example
   * const app = await McpApplication.create(AppModule, {
   *   name: 'com.example/weather',
   *   version: '1.2.0',
   *   card: { description: 'Weather and forecasts', remotes: [{ url: 'https://weather.example.com/mcp' }] },
   * });
   */
  readonly card?: ServerCardOptions;
  /** The page where people sign in and agree to calls. Default: none, and then no action may have `confirm: 'url'`. */
  readonly consent?: ConsentOptions;
  /** Secrets of the application that no log record and no error shows. Default: those of `secrets`. */
  readonly redact?: RedactOptions;
  /** How long `close()` waits for running calls, in milliseconds. Default 10,000. */
  readonly drainTimeout?: number;
  /**
   * Milliseconds that the application serves on after a SIGTERM, while `/readyz` says that no more requests should come.
   * Default 5000 where anybody asks for its health, else 0. A process that only works on queues does not wait.
   */
  readonly drainDelay?: number;
  /**
   * Observes requests, as spans and metrics: `openTelemetry()` of `toolwright/opentelemetry`, or your own. Default: nothing
   * is observed, and nothing is loaded for it.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { telemetry: openTelemetry() });
   */
  readonly telemetry?: Telemetry;
  /**
   * Records destructive, denied and other calls in a chain of hashes: see `AuditOptions` of `toolwright/audit`. Default:
   * nothing is recorded.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { audit: { store: jsonLinesAuditStore('audit.jsonl') } });
   */
  readonly audit?: AuditOptions;
  /** What operators of the server see of it: its health, and its metrics. Default: health checks are answered. */
  readonly operations?: OperationsOptions;
}

function isContainer(value: unknown): boolean {
  const members = ['resolve', 'isRegistered', 'createChildContainer'] as const;
  return (
    typeof value === 'object' &&
    value !== null &&
    members.every((name) => typeof (value as Partial<DependencyContainer>)[name] === 'function')
  );
}

const { accessLog, telemetry, audit, card, consent, tasks } = applicationRules(FEATURES) as Pick<
  OptionRules<ApplicationOptions>,
  'accessLog' | 'telemetry' | 'audit' | 'card' | 'consent' | 'tasks'
>;

export const APPLICATION_RULES: OptionRules<ApplicationOptions> = {
  name: filledText,
  version: filledText,
  title: text,
  instructions: rule('a text or false', (value) => value === false || typeof value === 'string'),
  icons: iconsRule,
  middleware: listOf(anything, 'a list of middleware'),
  ...FILTER_RULES,
  expose: exposeRule,
  limits: objectOf(LIMIT_RULES),
  describe: describeRule,
  surface: surfaceRule,
  unknownFields: unknownFieldsRule,
  openWorld: trueOrFalse,
  maskErrors: trueOrFalse,
  logger: loggerRule,
  accessLog,
  onError: aFunction,
  overrides: listOf(anything, 'a list of providers'),
  container: rule('a container of tsyringe', isContainer),
  pageSize: wholeNumber(1),
  cache: objectOf(CACHE_RULES),
  replay: trueOrFalse,
  fetch: objectOf(HANDLER_RULES),
  auth: authRuleOfApplication,
  backplane: backplaneRule,
  tasks,
  card,
  consent,
  redact: objectOf(REDACT_RULES),
  telemetry,
  audit,
  drainTimeout: longMilliseconds,
  drainDelay: milliseconds,
  operations: objectOf(OPERATIONS_RULES),
  ...QUESTION_RULES,
};

/** The rules of an application with other features. */
export function rulesWith(features: readonly AnyFeature[]): OptionRules<ApplicationOptions> {
  if (features === FEATURES) return APPLICATION_RULES;
  return { ...APPLICATION_RULES, ...applicationRules(features), limits: objectOf(limitRules(features)) };
}
