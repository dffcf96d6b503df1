import { loadWorkflow } from '../../../../src/workflow/domain/document/load-workflow.ts';
import type {
  PlainStep,
  WorkflowDefinition,
  WorkflowStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import type {
  CommandLimits,
  CommandFacts,
  RunCommand,
  RunCommandData,
  RunCommandType,
} from '../../../../src/workflow/domain/run/run-command.ts';
import { decide, type Decided } from '../../../../src/workflow/domain/run/decide.ts';
import { foldEvents } from '../../../../src/workflow/domain/run/evolve.ts';
import type { RunEvent, RunState } from '../../../../src/workflow/domain/run/run-state.ts';
import type { ValidationResult } from '../../../../src/workflow/domain/validation/output-validator.ts';

export const HOUR = 3_600_000;

export const limits: CommandLimits = {
  attempts: 5,
  confirmationTtl: 24 * HOUR,
  runTtl: 7 * 24 * HOUR,
  contextBytes: 1000,
  outputBytes: 1000,
};

export const valid: ValidationResult = { valid: true, issues: [], suggestions: [], details: [] };
export const invalid: ValidationResult = {
  valid: false,
  issues: ['output must contain "x"'],
  suggestions: ['add x'],
  details: [{ code: 'CONTAINS_MISSING', path: '', ruleType: 'contains', message: 'output must contain "x"' }],
};

export const plain = (id: string, more: Partial<PlainStep> = {}): PlainStep => ({
  id,
  title: `Title of ${id}`,
  prompt: `Do ${id}.`,
  ...more,
});

export const definitionOf = (steps: readonly WorkflowStep[]): WorkflowDefinition =>
  loadWorkflow({ id: 'flow', name: 'Flow', description: 'A flow', version: '1.0.0', steps });

type More<Type extends RunCommandType> = Partial<CommandFacts> &
  RunCommandData[Type] & { readonly expectedSeq?: number };

/** A run that lives in a test only, with a clock that stands still unless told. */
export class DecidedRun {
  readonly events: RunEvent[] = [];
  readonly #facts: CommandFacts;
  #now = Date.UTC(2026, 0, 1);

  constructor(steps: readonly WorkflowStep[], context?: Readonly<Record<string, unknown>>) {
    this.#facts = { at: '', actor: { kind: 'agent' }, definition: definitionOf(steps), limits };
    const data = { principal: 'p', tenant: 't', goal: 'G' };
    this.do('start', context === undefined ? data : { ...data, context });
  }

  get state(): RunState {
    return foldEvents(this.events)!;
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  /** What the events say from a seq on: the type, the step, its iteration, and the reason. */
  story(from = 1): readonly string[] {
    return this.events.slice(from - 1).map(({ type, data }) => {
      const { stepId, iteration, reason } = data as Readonly<Record<string, string | number | undefined>>;
      const where = stepId === undefined ? '' : ` ${stepId}${iteration === undefined ? '' : `@${iteration}`}`;
      return `${type}${where}${reason === undefined ? '' : ` ${reason}`}`;
    });
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Decides, and takes on what was decided, what is overdue included. */
  do<Type extends RunCommandType>(type: Type, more: More<Type>): Decided {
    const command = { ...this.#facts, at: new Date(this.#now).toISOString(), type, ...more };
    const decided = decide(this.events.length === 0 ? null : this.state, command as unknown as RunCommand);
    this.events.push(...(decided.rejection === undefined ? decided.events : decided.overdue));
    return decided;
  }

  submit(context?: Readonly<Record<string, unknown>>, validation = valid): string | undefined {
    const output = { output: 'out', validation };
    return this.do('submit', context === undefined ? output : { ...output, context }).rejection?.code;
  }
}
