import { IsOptional, IsString, MaxLength } from 'class-validator';
import {
  Inject,
  Injectable,
  Input,
  Middleware,
  Resource,
  ToolContext,
  type ListedResource,
  Field,
  Prompt,
  type ListedPrompt,
} from '../../index.ts';
import { RunService } from '../application/runs/run-service.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import { answerWorkflowErrors } from './answer-errors.ts';
import { Callers, WORKFLOW_OPTIONS, type WorkflowModuleOptions } from './workflow-module-options.ts';

const JSON_TYPE = 'application/json';
const LISTED_RUNS = 10;

type Variables<Name extends string> = Readonly<Record<Name, string>>;

/** Workflows as resources, with their steps. */
@Injectable()
@Middleware(answerWorkflowErrors)
export class WorkflowResources {
  constructor(@Inject(WorkflowService) protected readonly workflows: WorkflowService) {}

  @Resource('workflow://{id}', { mimeType: JSON_TYPE, list: 'listed', description: 'A workflow' })
  async workflow(@Input() { id }: Variables<'id'>): Promise<object> {
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
export class WorkflowSummaryResources extends WorkflowResources {
  @Resource('workflow://{id}', { mimeType: JSON_TYPE, list: 'listed', description: 'What a workflow is for' })
  override async workflow(@Input() variables: Variables<'id'>): Promise<object> {
    const { steps, ...rest } = (await super.workflow(variables)) as { readonly steps: readonly unknown[] };
    return { ...rest, stepCount: steps.length };
  }
}

/** Runs as resources, visible only to their own callers. */
@Injectable()
@Middleware(answerWorkflowErrors)
export class RunResources {
  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(Callers) private readonly callers: Callers,
  ) {}

  @Resource('workflow-run://{runId}', {
    mimeType: JSON_TYPE,
    list: 'listed',
    description: 'Where a run of a workflow stands',
  })
  async run(@Input() { runId }: Variables<'runId'>, ctx: ToolContext): Promise<object> {
    return this.runs.view(this.callers.of(ctx), runId);
  }

  async listed(ctx: ToolContext): Promise<readonly ListedResource[]> {
    const runs = await this.runs.search(this.callers.of(ctx), { limit: LISTED_RUNS });
    return runs.map(({ runId, workflowId, status, goal }) => ({
      uri: `workflow-run://${runId}`,
      name: runId,
      title: `${workflowId} (${status})`,
      ...(goal === undefined ? {} : { description: goal }),
    }));
  }
}

const MOST_GOAL = 2000;

class WorkflowPromptInput {
  @IsString() id!: string;
  @IsOptional() @IsString() @MaxLength(MOST_GOAL) @Field('What is to be achieved') goal?: string;
}

/** One prompt for each workflow; a user picks it to start the agent on the workflow. */
@Injectable()
@Middleware(answerWorkflowErrors)
export class WorkflowPrompts {
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
