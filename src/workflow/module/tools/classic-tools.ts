import { Action, Inject, Middleware, ReadOnly, ToolGroup } from '../../../index.ts';
import { WorkflowService } from '../../application/workflow-service.ts';
import { answerWorkflowErrors } from '../answer-errors.ts';
import { withoutNull } from '../inputs/without-null.ts';
import { NextInput, ValidateInput, workflowJsonInput, WorkflowRef } from '../inputs/classic-inputs.ts';
import { listedWorkflows, nextStep, validationResult, wholeWorkflow } from '../outputs/classic-outputs.ts';

/** The tools that keep nothing: the agent says each time what it has done. */
@ToolGroup({ name: 'workflow-classic', prefix: 'workflow', expose: 'flat' })
@Middleware(answerWorkflowErrors)
export class ClassicWorkflowTools {
  constructor(@Inject(WorkflowService) private readonly workflows: WorkflowService) {}

  @Action({ description: 'List the workflows that there are', output: listedWorkflows })
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
    description: 'Get the next step of a workflow, with the prompt to follow; tell which steps are done',
    output: nextStep,
  })
  @ReadOnly()
  next(input: NextInput) {
    return this.workflows.getNextStep(withoutNull(input));
  }

  @Action({
    description: 'Check the output of a step before going on; what is wrong comes with how to repair it',
    output: validationResult,
  })
  @ReadOnly()
  validate(input: ValidateInput) {
    return this.workflows.validateStepOutput(withoutNull(input));
  }

  @Action({
    name: 'validate_json',
    description: 'Check a workflow document that is being written',
    input: workflowJsonInput,
    output: validationResult,
  })
  @ReadOnly()
  validateJson(input: { readonly workflowJson?: unknown }) {
    return this.workflows.validateWorkflowJson(input.workflowJson);
  }
}
