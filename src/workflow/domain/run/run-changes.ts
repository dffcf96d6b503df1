import type { WorkflowDefinition } from '../document/workflow-document.ts';
import { evolveDraft, draftOf, type RunDraft } from './evolve.ts';
import type { CommandFacts, CommandLimits } from './run-command.ts';
import type { Actor, RunEvent, RunEventData, RunEventType, RunState } from './run-state.ts';

/** More come from loops that go round without anything to do only. */
export const MOST_EVENTS = 10_000;
/** Each loop that is reached has a copy of its items in the events: in all, as much as so many contexts. */
const MOST_CONTEXTS = 32;

/** The events of one decision, and the state that they lead to so far. */
export class RunChanges {
  readonly events: RunEvent[] = [];
  readonly at: string;
  readonly definition: WorkflowDefinition;
  readonly limits: CommandLimits;
  /** Before the decision. */
  readonly startSeq: number;
  readonly #actor: Actor;
  #draft: RunDraft | null;
  #itemBytes = 0;

  constructor(state: RunState | null, { at, actor, definition, limits }: CommandFacts) {
    this.#draft = state === null ? null : draftOf(state);
    this.startSeq = state?.seq ?? 0;
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

  /** Whether there are so many events, or such long ones, that the decision will be refused. */
  get isTooLong(): boolean {
    return this.events.length > MOST_EVENTS || this.#itemBytes > this.mostItemBytes;
  }

  /** Of JSON, for the items of all loops that are reached. */
  get mostItemBytes(): number {
    return MOST_CONTEXTS * this.limits.contextBytes;
  }

  record<Type extends RunEventType>(type: Type, data: RunEventData[Type], actor: Actor = this.#actor): void {
    const seq = (this.#draft?.seq ?? 0) + 1;
    const event = { seq, v: 1, type, at: this.at, actor, data } as RunEvent;
    this.#draft = evolveDraft(this.#draft, event);
    this.events.push(event);
    if (event.type === 'LoopStarted' && event.data.items !== undefined) {
      this.#itemBytes += Buffer.byteLength(JSON.stringify(event.data.items));
    }
  }
}
