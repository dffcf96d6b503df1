import { randomBytes } from 'node:crypto';
import type { LogFunction, Logger } from '../../../index.ts';
import { aFunction, objectWith, required, type OptionRules } from '../../../shared/option-rules.ts';
import {
  refuseWorkflowOptions,
  limitsRule,
  loggerRule,
  runStoreRule,
  signingKeysRule,
  tracerRule,
  validatorRule,
} from '../options.ts';
import type { OutputValidator } from '../../domain/validation/output-validator.ts';
import { loggerOf } from '../observe-call.ts';
import type { Clock } from '../ports/clock.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { WorkflowDefinitions } from '../ports/workflow-definitions.ts';
import type { WorkflowTracer } from '../ports/workflow-tracer.ts';
import { PinnedDefinitions } from './pinned-definitions.ts';
import { defaultRunLimits, type RunLimits } from './run-limits.ts';
import type { SigningKey } from './run-token.ts';
import { SigningKeys } from './signing-keys.ts';

/** What durable runs are made of. */
export interface RunPorts {
  readonly store: RunStore;
  readonly workflows: WorkflowDefinitions;
  readonly validator: OutputValidator;
  /** Gets one record for each call. Default: warnings and errors on stderr. */
  readonly logger?: Logger | LogFunction | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Makes run ids of at least 128 random bits. Default: 32 hex digits, which survive as the host of a URI. */
  readonly ids?: () => string;
  /** Default: one that is made and kept in the store. */
  readonly keys?: readonly SigningKey[] | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
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

/** What options pass on without a value must not take the place of a default. */
function given(limits: Partial<RunLimits> = {}): Partial<RunLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => (limit as unknown) !== undefined));
}

/** The ports of runs, and what their use cases share. */
export class RunParts {
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
    refuseWorkflowOptions('new RunParts()', ports, RUN_RULES);
    const { store, workflows, validator, logger, clock, ids, keys, limits, tracer } = ports;
    this.store = store;
    this.workflows = workflows;
    this.validator = validator;
    this.logger = loggerOf(logger);
    this.ids = ids ?? (() => randomBytes(ID_BYTES).toString('hex'));
    this.limits = Object.freeze({ ...defaultRunLimits, ...given(limits) });
    this.definitions = new PinnedDefinitions(store);
    this.keys = new SigningKeys(store, keys);
    this.clock = clock ?? Date.now;
    this.tracer = tracer;
  }
}
