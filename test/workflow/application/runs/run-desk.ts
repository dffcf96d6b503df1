import type { LogRecord } from '../../../../src/index.ts';
import type { RunStore } from '../../../../src/workflow/application/ports/run-store.ts';
import type { RunCaller } from '../../../../src/workflow/application/runs/run-requests.ts';
import type { RunLimits } from '../../../../src/workflow/application/runs/run-dependencies.ts';
import { ConfirmationService, RunService } from '../../../../src/workflow/application/runs/run-service.ts';
import type { SigningKey } from '../../../../src/workflow/application/runs/run-token.ts';
import type { RunView } from '../../../../src/workflow/application/runs/run-view.ts';
import { loadWorkflow } from '../../../../src/workflow/domain/document/load-workflow.ts';
import type {
  WorkflowDefinition,
  WorkflowStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { WorkflowError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';
import { InMemoryRunStore } from '../../../../src/workflow/run-stores/memory-run-store.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';

export const HOUR = 3_600_000;
export const caller: RunCaller = { tenant: 'acme', principal: 'agent' };
export const stranger: RunCaller = { tenant: 'acme', principal: 'other' };

export const step = (id: string, more: object = {}): WorkflowStep => ({
  id,
  title: `Title of ${id}`,
  prompt: `Do ${id}.`,
  ...more,
});

export const definitionOf = (steps: readonly WorkflowStep[]): WorkflowDefinition =>
  loadWorkflow({ id: 'flow', name: 'Flow', description: 'A flow', version: '1.0.0', steps });

export interface DeskOptions {
  readonly store?: RunStore;
  readonly keys?: readonly SigningKey[];
  readonly limits?: Partial<RunLimits>;
}

/** Durable runs over a memory store, with a clock that stands still unless told. */
export interface Desk {
  readonly store: RunStore;
  readonly runs: RunService;
  readonly confirmations: ConfirmationService;
  readonly log: LogRecord[];
  /** By id; to be changed at will. */
  readonly workflows: Map<string, WorkflowDefinition>;
  wait(milliseconds: number): void;
  start(context?: Readonly<Record<string, unknown>>): Promise<RunView>;
}

export async function openDesk(
  steps: readonly WorkflowStep[],
  { store = new InMemoryRunStore(), keys, limits }: DeskOptions = {},
): Promise<Desk> {
  let now = Date.UTC(2026, 0, 1);
  const logger = new MemoryLogger();
  const workflows = new Map([['flow', definitionOf(steps)]]);
  await store.init();
  const getDefinition = async (workflowId: string): Promise<WorkflowDefinition> => {
    const found = workflows.get(workflowId);
    if (found !== undefined) return found;
    throw new WorkflowError('WORKFLOW_NOT_FOUND', { where: workflowId, message: 'There is none.' });
  };
  const runs = new RunService({
    store,
    workflows: { getDefinition },
    validator: new ValidationEngine(),
    logger,
    clock: () => now,
    keys,
    limits,
  });
  return {
    store,
    runs,
    confirmations: new ConfirmationService(runs),
    log: logger.records,
    workflows,
    wait: (milliseconds) => void (now += milliseconds),
    start: (context) =>
      runs.start(caller, context === undefined ? { workflowId: 'flow' } : { workflowId: 'flow', context }),
  };
}
