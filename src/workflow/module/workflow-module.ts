import { IsOptional, IsString, MaxLength } from 'class-validator';
import {
  Module,
  type Class,
  type DynamicModule,
  type Provider,
  type Token,
  Action,
  Field,
  Inject,
  Injectable,
  Input,
  Middleware,
  OpenWorld,
  Prompt,
  ReadOnly,
  Resource,
  ToolGroup,
  type ListedPrompt,
  type ListedResource,
} from '../../index.ts';
import { ConfirmationService, RunService } from '../application/runs/run-service.ts';
import { WORKFLOWS_TO_EXPLORE } from '../application/explored-workflows.ts';
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
import { DurableWorkflowTools, RunResources } from './run-controllers.ts';
import { LONGEST_GOAL } from '../application/runs/run-requests.ts';
import { answerWorkflowErrors } from './answer-errors.ts';
import {
  listedWorkflows,
  NextInput,
  nextStep,
  ValidateInput,
  validationResult,
  wholeWorkflow,
  withoutNull,
  workflowJsonInput,
  WorkflowRef,
} from './tool-schemas.ts';

const CLASSIC_EXPORTS: readonly Token[] = [
  CONDITION_EVALUATOR,
  FeatureWorkflows,
  OUTPUT_VALIDATOR,
  WORKFLOW_CLOCK,
  WORKFLOW_STORAGE,
  WORKFLOW_TRACER,
  WorkflowService,
  WORKFLOWS_TO_EXPLORE,
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

/** The stateless tools: the agent sends its progress with each call. */
@ToolGroup({ name: 'workflow-classic', prefix: 'workflow', expose: 'flat' })
@OpenWorld(false)
@Middleware(answerWorkflowErrors)
class ClassicWorkflowTools {
  constructor(@Inject(WorkflowService) private readonly workflows: WorkflowService) {}

  @Action({ description: 'List the workflows', output: listedWorkflows })
  @ReadOnly()
  list() {
    return this.workflows.listWorkflows();
  }

  @Action({ description: 'Get a workflow with all its steps', output: wholeWorkflow })
  @ReadOnly()
  get({ workflowId }: WorkflowRef) {
    return this.workflows.getWorkflow({ workflowId });
  }

  @Action({
    description: 'Get the next step of a workflow, with the prompt to follow',
    output: nextStep,
  })
  @ReadOnly()
  next(input: NextInput) {
    return this.workflows.getNextStep(withoutNull(input));
  }

  @Action({
    description: 'Check the output of a step; says what to repair',
    output: validationResult,
  })
  @ReadOnly()
  validate(input: ValidateInput) {
    return this.workflows.validateStepOutput(withoutNull(input));
  }

  @Action({
    name: 'validate_json',
    description: 'Check a workflow document',
    input: workflowJsonInput,
    output: validationResult,
  })
  @ReadOnly()
  validateJson(input: { readonly workflowJson?: unknown }) {
    return this.workflows.validateWorkflowJson(input.workflowJson);
  }
}

/** Workflows as resources, with their steps. */
@Injectable()
@Middleware(answerWorkflowErrors)
class WorkflowResources {
  constructor(@Inject(WorkflowService) protected readonly workflows: WorkflowService) {}

  @Resource('workflow://{id}', { mimeType: 'application/json', list: 'listed', description: 'A workflow' })
  async workflow(@Input() { id }: Readonly<Record<'id', string>>): Promise<object> {
    return this.workflows.getWorkflow({ workflowId: id });
  }

  async listed(): Promise<readonly ListedResource[]> {
    const { workflows } = await this.workflows.listWorkflows();
    return workflows.map(({ id, name, description }) => ({
      uri: `workflow://${id}`,
      name: id,
      title: name,
      description,
    }));
  }
}

/** Workflows as resources, without their steps: a run reveals them one by one. */
@Injectable()
@Middleware(answerWorkflowErrors)
class WorkflowSummaryResources extends WorkflowResources {
  @Resource('workflow://{id}', {
    mimeType: 'application/json',
    list: 'listed',
    description: 'What a workflow is for',
  })
  override async workflow(@Input() variables: Readonly<Record<'id', string>>): Promise<object> {
    const { steps, ...rest } = (await super.workflow(variables)) as { readonly steps: readonly unknown[] };
    return { ...rest, stepCount: steps.length };
  }
}

class WorkflowPromptInput {
  @IsString() id!: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_GOAL) @Field('What is to be achieved') goal?: string;
}

/** One prompt for each workflow; a user picks it to start the agent on the workflow. */
@Injectable()
@Middleware(answerWorkflowErrors)
class WorkflowPrompts {
  readonly #isDurable: boolean;

  constructor(
    @Inject(WorkflowService) private readonly workflows: WorkflowService,
    @Inject(WORKFLOW_OPTIONS) { tools = 'both' }: WorkflowModuleOptions,
  ) {
    this.#isDurable = tools !== 'classic';
  }

  @Prompt({ name: 'workflow_{id}', list: 'listed', description: 'Work through a workflow' })
  async begin({ id, goal }: WorkflowPromptInput): Promise<string> {
    const { name, description } = await this.workflows.getWorkflow({ workflowId: id });
    const aim = goal === undefined || goal.trim() === '' ? '' : `\n\nThe goal: ${goal}`;
    return `Work through the workflow "${name}": ${description}${aim}\n\n${this.#way(id, goal)}`;
  }

  async listed(): Promise<readonly ListedPrompt[]> {
    const { workflows } = await this.workflows.listWorkflows();
    return workflows.map(({ id, name, description }) => ({
      name: `workflow_${id}`,
      title: name,
      description,
    }));
  }

  #way(id: string, goal: string | undefined): string {
    if (!this.#isDurable) {
      return `Call workflow_next with ${JSON.stringify({ workflowId: id, completedSteps: [] })}. Do what its prompt says, check the output with workflow_validate, and ask for the next step with what is done, until it says that all is complete.`;
    }
    const args = JSON.stringify({ workflowId: id, ...(goal === undefined ? {} : { goal }) });
    return `Call workflow_start with ${args}. Do what the step's prompt says, hand in the output with workflow_continue and the token of the latest answer, and repeat until the run is completed. If you lose track, call workflow_resume.`;
  }
}
