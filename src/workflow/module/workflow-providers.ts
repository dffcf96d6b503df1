import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type Provider,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '../../index.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import {
  WORKFLOW_STORAGE,
  CONDITION_EVALUATOR,
  OUTPUT_VALIDATOR,
  WORKFLOW_CLOCK,
  WORKFLOW_OPTIONS,
  WORKFLOW_TRACER,
  type WorkflowModuleOptions,
  RUN_STORE,
  Callers,
} from './workflow-module-options.ts';
import type { Clock, WorkflowTracer } from '../application/observe-call.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import { evaluateCondition } from '../domain/conditions/evaluate-condition.ts';
import { validateCondition } from '../domain/conditions/condition-check.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import { ValidationEngine } from '../domain/validation/validation-engine.ts';
import { createWorkflowStorage } from '../storage/create-workflow-storage.ts';
import { logBehindTools } from './answer-errors.ts';
import { FeatureWorkflows } from './workflow-classes.ts';
import type { RunStore } from '../application/ports/run-store.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { PostgresRunStore } from '../run-stores/postgres/postgres-run-store.ts';
import { fileUrlOf, SqliteRunStore } from '../run-stores/sqlite/sqlite-run-store.ts';
import { StoredDefinitions } from '../application/stored-definitions.ts';
import {
  describeWorkflow,
  WORKFLOWS_TO_EXPLORE,
  type WorkflowsToExplore,
} from '../application/explored-workflows.ts';
import { ConfirmationService, RunService } from '../application/runs/run-service.ts';
import { ConfirmationDialog } from './run-controllers.ts';

/** Logs at start which workflows were skipped, and why. Otherwise the server would simply look empty. */
@Injectable()
class StorageReport implements OnApplicationBootstrap {
  constructor(
    @Inject(WORKFLOW_STORAGE) private readonly storage: WorkflowStorage,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const { code, source, message } of (await this.storage.diagnostics?.()) ?? []) {
      this.logger.log({ level: 'warning', event: 'workflow.left-out', message, code, source });
    }
  }
}

const noTracer: WorkflowTracer = { startSpan: () => ({ end: () => undefined }) };

/** The providers of the stateless tools. */
export const classicProviders: readonly Provider[] = [
  {
    provide: WORKFLOW_CLOCK,
    inject: [WORKFLOW_OPTIONS],
    useFactory: ({ clock = Date.now }: WorkflowModuleOptions) => clock,
  },
  {
    provide: WORKFLOW_TRACER,
    inject: [WORKFLOW_OPTIONS],
    useFactory: ({ tracer = noTracer }: WorkflowModuleOptions) => tracer,
  },
  { provide: CONDITION_EVALUATOR, useValue: { evaluate: evaluateCondition, validate: validateCondition } },
  { provide: FeatureWorkflows, useFactory: () => new FeatureWorkflows() },
  { provide: OUTPUT_VALIDATOR, useFactory: () => new ValidationEngine() },
  {
    provide: WORKFLOW_STORAGE,
    inject: [WORKFLOW_OPTIONS, WORKFLOW_CLOCK, FeatureWorkflows],
    useFactory: (
      { sources = [], cacheTtl: ttl = 300_000 }: WorkflowModuleOptions,
      clock: Clock,
      features: FeatureWorkflows,
    ) => createWorkflowStorage({ sources: [...sources, features], ttl, clock }),
  },
  {
    provide: WorkflowService,
    inject: [WORKFLOW_STORAGE, OUTPUT_VALIDATOR, Logger, WORKFLOW_CLOCK, WORKFLOW_TRACER],
    useFactory: (
      storage: WorkflowStorage,
      validator: OutputValidator,
      logger: Logger,
      clock: Clock,
      tracer: WorkflowTracer,
    ) => new WorkflowService({ storage, validator, logger: logBehindTools(logger), clock, tracer }),
  },
  {
    provide: WORKFLOWS_TO_EXPLORE,
    inject: [WORKFLOW_STORAGE],
    useFactory: (storage: WorkflowStorage) => workflowsToExplore(storage),
  },
  StorageReport,
];

/** Of what a storage lists, the workflows that are valid. */
function workflowsToExplore(storage: WorkflowStorage): WorkflowsToExplore {
  const definitions = new StoredDefinitions(storage);
  return {
    all: async () => {
      const summaries = await storage.listSummaries();
      const found = summaries.map(({ id }) => definitions.getDefinition(id));
      const settled = await Promise.allSettled(found);
      return settled.flatMap((each) => (each.status === 'fulfilled' ? [describeWorkflow(each.value)] : []));
    },
  };
}

const DEFAULT_FILE = 'toolwright-workflows.db';
const POSTGRES = /^postgres(?:ql)?:\/\//;
const OTHER_URL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Creates the store that the options name.
 * @throws WorkflowError `TW_WORKFLOW_OPTION` for an unusable location
 */
export async function createRunStore(store: string | RunStore = DEFAULT_FILE): Promise<RunStore> {
  const made = typeof store === 'string' ? storeAt(store) : store;
  await made.init();
  return made;
}

function storeAt(place: string): RunStore {
  if (POSTGRES.test(place)) return new PostgresRunStore({ connectionString: place });
  if (place.startsWith('file:')) return new SqliteRunStore({ url: place });
  const [scheme] = OTHER_URL.exec(place) ?? [];
  if (scheme !== undefined) throw unknownScheme(scheme);
  return new SqliteRunStore({ url: fileUrlOf(place) });
}

/** Shows only the scheme: the rest of the URL may contain a password. */
function unknownScheme(scheme: string): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: 'WorkflowModule.forRoot, option store',
    message: `The option store has a URL that begins with "${scheme}", for which no store exists.`,
    details: { option: 'store' },
    suggestions: ["the path of a file, 'postgres://...', or a RunStore"],
  });
}

/** Closes the store when the application ends, unless the caller passed it in: then the caller closes it. */
@Injectable()
class RunStoreLifecycle implements OnApplicationShutdown {
  readonly #isOwn: boolean;

  constructor(
    @Inject(RUN_STORE) private readonly store: RunStore,
    @Inject(WORKFLOW_OPTIONS) { store: given }: WorkflowModuleOptions,
  ) {
    this.#isOwn = typeof given !== 'object';
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#isOwn) await this.store.close();
  }
}

const INTERVAL = 60_000;

/** Periodically ends expired runs. */
@Injectable()
class RunSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(WORKFLOW_OPTIONS) { sweepInterval = INTERVAL }: WorkflowModuleOptions,
  ) {
    this.#interval = sweepInterval;
  }

  onApplicationBootstrap(): void {
    if (this.#interval === 0) return;
    this.#timer = setInterval(() => {
      // Sweeps do not overlap, even if one takes longer than the interval.
      this.#running ??= this.#sweep().finally(() => (this.#running = undefined));
    }, this.#interval);
    // The timer must not keep the process alive.
    this.#timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweep(): Promise<void> {
    try {
      await this.runs.expireRuns();
    } catch {
      // The service has logged it, and the next sweep tries again
    }
  }
}

/** The providers of durable runs. */
export const durableProviders: readonly Provider[] = [
  {
    provide: RUN_STORE,
    inject: [WORKFLOW_OPTIONS],
    useFactory: ({ store }: WorkflowModuleOptions) => createRunStore(store),
  },
  {
    provide: RunService,
    inject: [
      RUN_STORE,
      WORKFLOW_STORAGE,
      OUTPUT_VALIDATOR,
      Logger,
      WORKFLOW_CLOCK,
      WORKFLOW_TRACER,
      WORKFLOW_OPTIONS,
    ],
    useFactory: (
      store: RunStore,
      storage: WorkflowStorage,
      validator: OutputValidator,
      log: Logger,
      clock: Clock,
      tracer: WorkflowTracer,
      { signingKeys: keys, limits }: WorkflowModuleOptions,
    ) => {
      const workflows = new StoredDefinitions(storage);
      const logger = logBehindTools(log);
      return new RunService({ store, workflows, validator, logger, clock, tracer, keys, limits });
    },
  },
  {
    provide: ConfirmationService,
    inject: [RunService],
    useFactory: (runs: RunService) => new ConfirmationService(runs),
  },
  Callers,
  ConfirmationDialog,
  RunStoreLifecycle,
  RunSweeper,
];
