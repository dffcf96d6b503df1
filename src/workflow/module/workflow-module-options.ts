import { type ToolContext, type Token, Inject, Injectable, subjectKey, subjectOf } from '../../index.ts';
import {
  LONGEST_TIMER,
  aFunction,
  either,
  filledText,
  oneOf,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { MOST_TIME, runStoreRule, tracerRule } from '../application/options.ts';
import type { Clock, WorkflowTracer } from '../application/observe-call.ts';
import type { RunStore } from '../application/ports/run-store.ts';
import type { RunCaller } from '../application/runs/run-requests.ts';
import { limitsRule, type RunLimitOptions } from '../application/runs/run-dependencies.ts';
import { signingKeysRule, type SigningKey } from '../application/runs/run-token.ts';
import { sourcesRule, type WorkflowSource } from '../storage/create-workflow-storage.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

/** Options of `WorkflowModule.forRoot()`. */
export interface WorkflowModuleOptions {
  /** The sources of workflows. For equal ids the later source wins; registered classes win over all sources. */
  readonly sources?: readonly WorkflowSource[];
  /**
   * Where runs are stored: the path of a SQLite file, a `postgres://` URL, or a store. Default
   * `toolwright-workflows.db` in the working directory, which needs `npm install @libsql/client`.
   */
  readonly store?: string | RunStore;
  /**
   * Keys for the tokens of runs: the first signs, all of them verify. Default: a key that is generated once and kept
   * in the store.
   */
  readonly signingKeys?: readonly SigningKey[];
  /** The five stateless tools, the six tools of durable runs, or both. Default `both`. */
  readonly tools?: 'classic' | 'durable' | 'both';
  /** Limits of runs that override the defaults. Default: none. */
  readonly limits?: RunLimitOptions;
  /** How long documents are cached, in milliseconds; 0 reads them each time. Default 300 000. */
  readonly cacheTtl?: number;
  /** Milliseconds between two sweeps for expired runs; 0 for none. Default 60 000. */
  readonly sweepInterval?: number;
  /**
   * Identifies the caller. Default: the client and the `sub` of its token, in one tenant for all; without
   * authentication, all callers share one identity.
   */
  readonly identify?: (context: ToolContext) => RunCaller;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Creates a span for each use case, for example with OpenTelemetry. */
  readonly tracer?: WorkflowTracer;
}

export const MODULE_RULES: OptionRules<WorkflowModuleOptions> = {
  sources: sourcesRule,
  store: either(filledText, runStoreRule),
  signingKeys: signingKeysRule,
  tools: oneOf('classic', 'durable', 'both'),
  limits: limitsRule,
  cacheTtl: wholeNumber(0, MOST_TIME),
  sweepInterval: wholeNumber(0, LONGEST_TIMER),
  identify: aFunction,
  clock: aFunction,
  tracer: tracerRule,
};

const token = <T>(name: string): Token<T> => Symbol.for(`toolwright:workflow:${name}`);

/** The options of {@link WorkflowModule.forRoot}. */
export const WORKFLOW_OPTIONS = token<WorkflowModuleOptions>('options');
/** All workflows of the application: those of the sources, then those of the registered classes. */
export const WORKFLOW_STORAGE = token<WorkflowStorage>('storage');
/** Validates outputs. Default: a ValidationEngine. */
export const OUTPUT_VALIDATOR = token<OutputValidator>('validator');
/** Stores the runs. Default: SQLite. */
export const RUN_STORE = token<RunStore>('run-store');
/** The clock for runs and caches. Default: the system clock. */
export const WORKFLOW_CLOCK = token<Clock>('clock');
/** Traces the use cases. The default does nothing. */
export const WORKFLOW_TRACER = token<WorkflowTracer>('tracer');
/** Evaluates conditions as workflows do, for use in your own code. */
export const CONDITION_EVALUATOR = token<ConditionEvaluator>('condition-evaluator');

/** The value of {@link CONDITION_EVALUATOR}. */
export interface ConditionEvaluator {
  /** Never throws; a condition that is malformed anywhere is false. */
  evaluate(condition: unknown, context: unknown): boolean;
  /** @throws InvalidConditionError */
  validate(condition: unknown): void;
}

const TENANT = 'default';
/** All clients of a server without authentication. */
const ANYBODY = 'anybody';

/** Identifies the caller of a call. */
@Injectable()
export class Callers {
  readonly #identify: (context: ToolContext) => RunCaller;

  constructor(@Inject(WORKFLOW_OPTIONS) { identify = identifyByToken }: WorkflowModuleOptions) {
    this.#identify = identify;
  }

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` if `identify` omits the tenant or the principal. */
  of(context: ToolContext): RunCaller {
    const caller: { readonly [Name in keyof RunCaller]?: unknown } = this.#identify(context);
    const { tenant, principal } = caller;
    if (!isName(tenant) || !isName(principal)) throw nobody();
    return { tenant, principal };
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function nobody(): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: 'WorkflowModule.forRoot, option identify',
    message: 'The option identify did not give a tenant and a principal.',
    suggestions: ['identify: (context) => ({ tenant: "…", principal: "…" })'],
  });
}

function identifyByToken({ authInfo }: ToolContext): RunCaller {
  const subject = subjectOf(authInfo);
  if (subject === undefined) return { tenant: TENANT, principal: ANYBODY };
  return { tenant: subject.tenant ?? TENANT, principal: subjectKey(subject) };
}
