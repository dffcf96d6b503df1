import type { WorkflowDefinition } from '../document/workflow-document.ts';
import { evolveDraft, draftOf, type RunDraft } from './evolve.ts';
import type { CommandFacts, CommandLimits } from './run-command.ts';
import type { Actor, RunEvent, RunEventData, RunEventType, RunState } from './run-state.ts';

/** Only loops that skip all of their steps produce more events than this. */
export const MOST_EVENTS = 10_000;
/** Events copy the items of each loop that is reached; in total they may take as much as this many contexts. */
const MOST_CONTEXTS = 32;

/** The events of one decision, and the resulting state so far. */
export class RunChanges {
  readonly events: RunEvent[] = [];
  readonly at: string;
  readonly definition: WorkflowDefinition;
  readonly limits: CommandLimits;
  /** The seq before the decision. */
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

  /** The current state; it changes with every event. */
  get state(): RunState {
    if (this.#draft === null) throw new TypeError('A run has no state before RunStarted.');
    return this.#draft;
  }

  /** Whether the events are too many or too large, so that the decision will be refused. */
  get isTooLong(): boolean {
    return this.events.length > MOST_EVENTS || this.#itemBytes > this.mostItemBytes;
  }

  /** Maximum bytes of JSON for the items of all loops that are reached. */
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
