import type { WorkflowDefinition } from '../document/workflow-document.ts';
import { evolveDraft } from './evolve.ts';
import type { CommandFacts } from './run-command.ts';
import { draftOf, type RunDraft } from './run-draft.ts';
import type { Actor, RunEvent, RunEventData, RunEventType } from './run-event.ts';
import type { CommandLimits } from './command-limits.ts';
import type { RunState } from './run-state.ts';

/** The events of one decision, and the state that they lead to so far. */
export class RunChanges {
  readonly events: RunEvent[] = [];
  readonly at: string;
  readonly definition: WorkflowDefinition;
  readonly limits: CommandLimits;
  readonly #actor: Actor;
  #draft: RunDraft | null;

  constructor(state: RunState | null, { at, actor, definition, limits }: CommandFacts) {
    this.#draft = state === null ? null : draftOf(state);
    this.at = at;
    this.#actor = actor;
    this.definition = definition;
    this.limits = limits;
  }

  /** Live: it changes with every event. */
  get state(): RunState {
    if (this.#draft === null) throw new TypeError('A run has no state before RunStarted.');
    return this.#draft;
  }

  record<Type extends RunEventType>(type: Type, data: RunEventData[Type], actor: Actor = this.#actor): void {
    const seq = (this.#draft?.seq ?? 0) + 1;
    const event = { seq, v: 1, type, at: this.at, actor, data } as RunEvent;
    this.#draft = evolveDraft(this.#draft, event);
    this.events.push(event);
  }
}
