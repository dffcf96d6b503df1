import { IsOptional, IsString, MaxLength } from 'class-validator';
import { Field, Inject, Injectable, Middleware, Prompt, type ListedPrompt } from '../../index.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import { answerWorkflowErrors } from './answer-errors.ts';
import { WORKFLOW_OPTIONS } from './tokens.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

const MOST_GOAL = 2000;

class WorkflowPromptInput {
  @IsString() id!: string;
  @IsOptional() @IsString() @MaxLength(MOST_GOAL) @Field('What is to be achieved') goal?: string;
}

/** One prompt for each workflow, which a user picks to set an agent to work. */
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
