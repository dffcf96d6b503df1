import { SafeLogger, type LogFunction, type Logger } from '../call/logger.ts';
import { StderrLogger } from '../call/stderr-logger.ts';
import { FILTER_RULES, type ToolFilter } from '../compile/tools/tool-filter.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { exposeRule, unknownFieldsRule } from '../metadata/option-rules.ts';
import type { Expose, UnknownFields } from '../metadata/options.ts';
import {
  aFunction,
  loggerRule,
  objectOf,
  text,
  trueOrFalse,
  type OptionRules,
} from '../shared/option-rules.ts';
import { OpenWork } from '../runtime/open-work.ts';
import {
  createReplayEngine,
  QUESTION_RULES,
  type QuestionSettings,
} from '../runtime/replay/replay-engine.ts';
import { StoreClock } from '../runtime/store/store-clock.ts';
import { createStates } from '../runtime/feature-states.ts';
import type { ContextFactory } from '../runtime/tools/context-factory.ts';
import { REDACT_RULES, type RedactOptions } from '../runtime/logging/call-secrets.ts';
import type { RouteOptions } from '../runtime/routes/route-options.ts';
import { LIMIT_RULES, type LimitOptions } from '../app/limit-options.ts';
import { COMPOSITION } from '../app/features.ts';
import { openAuthorization } from '../runtime/requirements/authorization.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import { PORT_RULES } from '../runtime/store/port-rules.ts';
import type { Store } from '../runtime/store/store.ts';
import type { LimitStore } from '../runtime/store/limit-store.ts';
import type { SlotStore } from '../runtime/store/slot-store.ts';
import type { TaskStore } from '../runtime/tasks/task-store.ts';
import type { WorkQueue } from '../runtime/tasks/work-queue.ts';
import { TASK_RULES, type TaskOptions } from '../runtime/tasks/task-options.ts';

/** What a registry decides for tools that do not say. */
export interface ToolDefaults {
  /** What happens to fields that an action does not declare. Default `strict`. */
  readonly unknownFields?: UnknownFields | undefined;
  /** One tool with a discriminator, or one tool per action. Default `grouped`. */
  readonly expose?: Expose | undefined;
  /** The limits of every call. Default: none on time, 10,000 values as arguments. */
  readonly limits?: LimitOptions | undefined;
  /** Between the names of flat tools. Default `_`. */
  readonly separator?: string | undefined;
}

/** Options of `new ToolRegistry()`. */
export interface ToolRegistryOptions extends ToolDefaults, QuestionSettings {
  /** Replaces the text of errors that were not declared for clients by a reference id. Default false. */
  readonly maskErrors?: boolean;
  /** Gets every error that a handler threw. Default: warnings and worse on stderr. */
  readonly logger?: Logger | LogFunction;
  /** Hides tools and actions from every list and from every call of this registry. */
  readonly filter?: ToolFilter;
  /** For attached servers that bring none of their own. */
  readonly contextFactory?: ContextFactory;
  /** The context of `routeCall` without one. Default: no context. */
  readonly defaultContext?: () => unknown;
  /** How the tasks are kept that actions become. */
  readonly tasks?: TaskOptions;
  /** Where it is kept what calls have to remember, and where they are counted. Default: in memory. */
  readonly backplane?: {
    readonly store?: Store;
    readonly counter?: LimitStore;
    readonly slots?: SlotStore;
    readonly tasks?: TaskStore;
    readonly queue?: WorkQueue;
  };
  /** Secrets that no log record and no error shows. Default: none. */
  readonly redact?: RedactOptions;
}

/** Options of `registry.attachToServer()`. */
export interface AttachOptions {
  /** Hides tools and actions from the list and from calls alike. */
  readonly filter?: ToolFilter;
  /** Makes the context of each call from what the SDK hands to its handlers. Default: no context. */
  readonly contextFactory?: ContextFactory;
}

export const REGISTRY_RULES: OptionRules<ToolRegistryOptions> = {
  unknownFields: unknownFieldsRule,
  expose: exposeRule,
  limits: objectOf(LIMIT_RULES),
  separator: text,
  maskErrors: trueOrFalse,
  logger: loggerRule,
  filter: objectOf(FILTER_RULES),
  contextFactory: aFunction,
  defaultContext: aFunction,
  tasks: objectOf(TASK_RULES),
  backplane: objectOf(PORT_RULES),
  redact: objectOf(REDACT_RULES),
  ...QUESTION_RULES,
};

export const ATTACH_RULES: OptionRules<AttachOptions> = {
  filter: objectOf(FILTER_RULES),
  contextFactory: aFunction,
};

/** @throws ToolwrightError TW_REGISTRY_OPTION */
export function checkRegistryOptions(options: ToolRegistryOptions): void {
  refuseOptions('TW_REGISTRY_OPTION', 'new ToolRegistry()', options, REGISTRY_RULES);
}

/** @throws ToolwrightError TW_REGISTRY_OPTION */
export function checkAttachOptions(options: AttachOptions): void {
  refuseOptions('TW_REGISTRY_OPTION', 'attachToServer()', options, ATTACH_RULES);
}

/** A logger that disturbs nobody and shows no registered secret, of what the option `logger` was given. */
export function loggerOf(given: Logger | LogFunction | undefined, hidden: readonly string[] = []): Logger {
  return new SafeLogger(given ?? new StderrLogger(), () => hidden);
}

/** What attached servers of a registry alone have in common. */
export function registrySettings(
  options: ToolRegistryOptions,
  { logger, hidden, hashSubject }: RouteOptions,
): ServiceSettings {
  const { secrets, backplane = {}, questionTtl: lifetime } = options;
  const { store } = backplane;
  const clock = new StoreClock(store, logger);
  const source = {
    ...{ server: '', version: '', secrets, logger, hidden, ...(hashSubject && { hashSubject }) },
    ...{ options, scanned: undefined, telemetry: undefined, ports: backplane, isLazy: false },
    ...{ storeFor: () => store, clock, notify: () => undefined },
  };
  return Object.freeze({
    ...COMPOSITION,
    pagination: undefined,
    cache: undefined,
    replayEngine: createReplayEngine({ ...{ server: '', secrets, store, lifetime }, logger }),
    clock,
    open: new OpenWork(),
    auth: undefined,
    states: createStates(COMPOSITION.features, source),
    authorization: openAuthorization(logger),
    hidden,
    ...(hashSubject && { hashSubject }),
  });
}
