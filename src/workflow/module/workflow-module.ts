import { Module, type Class, type DynamicModule, type Provider, type Token } from '../../index.ts';
import { ConfirmationService, RunService } from '../application/runs/run-service.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import { refuseWorkflowOptions } from '../application/options.ts';
import { classicProviders, durableProviders } from './workflow-providers.ts';
import { FeatureWorkflows } from './workflow-classes.ts';
import {
  CONDITION_EVALUATOR,
  OUTPUT_VALIDATOR,
  RUN_STORE,
  WORKFLOW_CLOCK,
  WORKFLOW_OPTIONS,
  WORKFLOW_STORAGE,
  WORKFLOW_TRACER,
  MODULE_RULES,
  type WorkflowModuleOptions,
} from './workflow-module-options.ts';
import { ClassicWorkflowTools } from './classic-tools.ts';
import { DurableWorkflowTools } from './durable-tools.ts';
import {
  WorkflowPrompts,
  RunResources,
  WorkflowResources,
  WorkflowSummaryResources,
} from './workflow-resources.ts';

const CLASSIC_EXPORTS: readonly Token[] = [
  CONDITION_EVALUATOR,
  FeatureWorkflows,
  OUTPUT_VALIDATOR,
  WORKFLOW_CLOCK,
  WORKFLOW_STORAGE,
  WORKFLOW_TRACER,
  WorkflowService,
];
const DURABLE_EXPORTS: readonly Token[] = [RUN_STORE, RunService, ConfirmationService];

/**
 * Serves workflows: as tools, resources and prompts. Import {@link WorkflowModule.forRoot} once, and
 * {@link WorkflowModule.forFeature} wherever there are workflows as classes.
 *
 * @example
 * @Module({ imports: [WorkflowModule.forRoot({ sources: ['workflows'], tools: 'classic' })] })
 * class AppModule {}
 */
@Module()
export class WorkflowModule {
  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  static forRoot(options: WorkflowModuleOptions = {}): DynamicModule {
    refuseWorkflowOptions('WorkflowModule.forRoot()', options, MODULE_RULES);
    const { tools = 'both' } = options;
    const isClassic = tools !== 'durable';
    const isDurable = tools !== 'classic';
    return {
      module: WorkflowModule,
      global: true,
      controllers: [
        ...(isClassic ? [ClassicWorkflowTools, WorkflowResources] : [WorkflowSummaryResources]),
        ...(isDurable ? [DurableWorkflowTools, RunResources] : []),
        WorkflowPrompts,
      ],
      providers: [
        { provide: WORKFLOW_OPTIONS, useValue: Object.freeze({ ...options }) },
        ...classicProviders,
        ...(isDurable ? durableProviders : []),
      ],
      exports: [...CLASSIC_EXPORTS, ...(isDurable ? DURABLE_EXPORTS : [])],
    };
  }

  /**
   * Registers classes with `@Workflow`. The container creates them, so their constructors can inject the providers
   * given here.
   * @param providers the dependencies of the classes, in addition to the exports of global modules
   */
  static forFeature(workflows: readonly Class[], providers: readonly Provider[] = []): DynamicModule {
    return {
      module: WorkflowFeatureModule,
      providers: [...workflows, ...providers, registration(workflows)],
    };
  }
}

@Module()
class WorkflowFeatureModule {}

/** Runs while the application is created, so that an invalid class makes its start fail. */
function registration(workflows: readonly Class[]): Provider {
  return {
    provide: Symbol('workflow-feature'),
    inject: [FeatureWorkflows, ...workflows],
    useFactory: async (features: FeatureWorkflows, ...instances: readonly object[]) => {
      for (const [index, type] of workflows.entries()) {
        const instance = instances[index];
        if (instance !== undefined) await features.register(type, instance);
      }
      return workflows.length;
    },
  };
}
