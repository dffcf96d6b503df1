import { withoutUndefined } from '../../../shared/json.ts';
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LogFunction, Logger } from '../../../index.ts';
import {
  aFunction,
  loggerRule,
  objectOf,
  objectWith,
  required,
  wholeNumber,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import { MOST_TIME, refuseWorkflowOptions, runStoreRule, tracerRule, validatorRule } from '../options.ts';
import type { OutputValidator } from '../../domain/validation/output-validator.ts';
import { loggerOf, type Clock, type WorkflowTracer } from '../observe-call.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { WorkflowDefinitions } from '../ports/workflow-storage.ts';
import { signingKeysRule, SigningKeys, type SigningKey } from './run-token.ts';
import type { CommandLimits } from '../../domain/run/run-command.ts';
import { loadWorkflow } from '../../domain/document/load-workflow.ts';
import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';

/** Limits of runs, and of how they are stored. */
export interface RunLimits extends CommandLimits {
  /** Number of events after which a new snapshot is stored. Default 100. */
  readonly snapshotEvery: number;
}

/** Limits that override the defaults. */
export type RunLimitOptions = Partial<RunLimits>;

const HOUR = 3_600_000;

const defaultRunLimits: RunLimits = Object.freeze({
  attempts: 5,
  confirmationTtl: 24 * HOUR,
  runTtl: 7 * 24 * HOUR,
  contextBytes: 256 * 1024,
  outputBytes: 256 * 1024,
  snapshotEvery: 100,
});

const aLimit = wholeNumber(1, MOST_TIME);

const LIMIT_RULES: OptionRules<RunLimitOptions> = {
  attempts: aLimit,
  confirmationTtl: aLimit,
  runTtl: aLimit,
  contextBytes: aLimit,
  outputBytes: aLimit,
  snapshotEvery: aLimit,
};

export const limitsRule = objectOf(LIMIT_RULES);

/** The ports of durable runs. */
export interface RunPorts {
  /** Where runs are stored. */
  readonly store: RunStore;
  /** Supplies the definitions of new runs. */
  readonly workflows: WorkflowDefinitions;
  /** Validates the outputs of steps. */
  readonly validator: OutputValidator;
  /** Receives one record per call. Default: warnings and errors on stderr. */
  readonly logger?: Logger | LogFunction | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Creates run ids of at least 128 random bits. Default: 32 hex digits, which are safe as the host of a URI. */
  readonly ids?: () => string;
  /** Default: a key that is generated once and kept in the store. */
  readonly keys?: readonly SigningKey[] | undefined;
  /** Limits that override the defaults. Default: none. */
  readonly limits?: RunLimitOptions | undefined;
  /** Gets a span for each operation. Default: none. */
  readonly tracer?: WorkflowTracer | undefined;
}

export const RUN_RULES: OptionRules<RunPorts> = {
  store: required(runStoreRule),
  workflows: required(objectWith('workflows', 'getDefinition')),
  validator: required(validatorRule),
  logger: loggerRule,
  clock: aFunction,
  ids: aFunction,
  keys: signingKeysRule,
  limits: limitsRule,
  tracer: tracerRule,
};

const ID_BYTES = 16;

/** The ports of runs, and the state that their use cases share. */
export class RunDependencies {
  readonly store: RunStore;
  readonly workflows: WorkflowDefinitions;
  readonly validator: OutputValidator;
  readonly logger: Logger;
  readonly ids: () => string;
  readonly limits: RunLimits;
  readonly definitions: PinnedDefinitions;
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly tracer: WorkflowTracer | undefined;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION`, also for signing keys that cannot be used. */
  constructor(ports: RunPorts) {
    refuseWorkflowOptions('new RunService()', ports, RUN_RULES);
    const { store, workflows, validator, logger, clock, ids, keys, limits, tracer } = ports;
    this.store = store;
    this.workflows = workflows;
    this.validator = validator;
    this.logger = loggerOf(logger);
    this.ids = ids ?? (() => randomBytes(ID_BYTES).toString('hex'));
    this.limits = Object.freeze({ ...defaultRunLimits, ...withoutUndefined(limits ?? {}) });
    this.definitions = new PinnedDefinitions(store);
    this.keys = new SigningKeys(store, keys);
    this.clock = clock ?? Date.now;
    this.tracer = tracer;
  }
}

const MOST_DEFINITIONS = 100;

/** The definitions of runs as they were when the runs started; later changes of the documents do not matter. */
class PinnedDefinitions {
  readonly #store: Pick<RunStore, 'pinDefinition' | 'getDefinition'>;
  /** By hash. A hash always names the same definition, so entries never become stale. */
  readonly #cache = new LRUCache<string, WorkflowDefinition>({ max: MOST_DEFINITIONS });

  constructor(store: Pick<RunStore, 'pinDefinition' | 'getDefinition'>) {
    this.#store = store;
  }

  async pin(definition: WorkflowDefinition): Promise<void> {
    const { hash, ...document } = definition;
    await this.#store.pinDefinition(hash, JSON.stringify(document));
    this.#cache.set(hash, definition);
  }

  /** @throws WorkflowError `STATE_ERROR` if it was never pinned, or differs from its hash. */
  async get(hash: string): Promise<WorkflowDefinition> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined) return cached;
    const json = await this.#store.getDefinition(hash);
    if (json === null) throw unusable(hash, 'is missing');
    const definition = loadWorkflow(json);
    if (definition.hash !== hash) throw unusable(hash, 'was changed');
    this.#cache.set(hash, definition);
    return definition;
  }
}

function unusable(hash: string, what: string): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: `definition ${hash}`,
    message: `The definition that the run was started with ${what}.`,
    details: { hash },
  });
}
