import type { CallExchange } from '../../call/call-exchange.ts';
import { Conversation } from './conversation.ts';
import type { CallProgress } from './journal.ts';

/** The conversation of a call that may never have one, because most handlers neither ask nor do steps. */
export class LazyConversation implements Required<Pick<CallExchange, 'request' | 'step'>> {
  readonly #progress: CallProgress;
  readonly #onBegin: (conversation: Conversation) => void;
  #conversation: Conversation | undefined;
  #end: 'over' | 'interrupted' | undefined;

  /** @param onBegin is told when the handler needs it, unless its call was answered before */
  constructor(progress: CallProgress, onBegin: (conversation: Conversation) => void) {
    this.#progress = progress;
    this.#onBegin = onBegin;
  }

  get isBegun(): boolean {
    return this.#conversation !== undefined;
  }

  /** What goes on of the handler finds its conversation ended. */
  close(end: 'over' | 'interrupted'): void {
    this.#end = end;
  }

  // Functions and not methods: whoever uses an exchange may take them off it. Few handlers use any.
  get request(): CallExchange['request'] {
    return (method, params, options) => this.#begun().request(method, params, options);
  }
  get step(): NonNullable<CallExchange['step']> {
    return (name, run) => this.#begun().step(name, run);
  }

  #begun(): Conversation {
    if (this.#conversation !== undefined) return this.#conversation;
    const conversation = new Conversation(this.#progress);
    this.#conversation = conversation;
    if (this.#end === undefined) this.#onBegin(conversation);
    else if (this.#end === 'over') conversation.end();
    else conversation.interrupt();
    return conversation;
  }
}
