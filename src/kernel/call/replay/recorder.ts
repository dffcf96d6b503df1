import { nextTurn } from '../../../shared/platform.ts';
import type { QuestionOptions } from '../../../call/request-context.ts';
import { Suspension } from '../../../call/step.ts';
import { ToolwrightError } from '../../../errors/toolwright-error.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { diverged, RecordedEntries } from './recorded-entries.ts';
import {
  type Answered,
  type AskedQuestion,
  type CallProgress,
  type DoneStep,
  type JournalEntry,
  type Question,
  readQuestion,
  type ReadQuestion,
} from './journal.ts';

/** How often a question is repeated when its answer is refused; the handler gets the next answer as it is. */
const MOST_REFUSALS = 3;

/** The call whose handler is recorded. */
interface Suspendable {
  /** Whether the handler's run is still wanted. */
  readonly isRunning: boolean;
  /** Ends the run, because a question has no answer. */
  suspend(): void;
}

/**
 * Records the questions and steps of one run of a handler. It replays the answers and steps of earlier runs; the first
 * question without an answer suspends the run.
 */
export class Recorder {
  readonly #call: Suspendable;
  readonly #recorded: RecordedEntries;
  readonly #offered: PlainObject;
  readonly #known: ReadonlySet<JournalEntry>;
  readonly #journal: JournalEntry[];
  readonly #asked = new Map<string, AskedQuestion>();
  /** Unnamed questions that no earlier run asked. */
  readonly #unnamed: ReadQuestion[] = [];
  readonly #questionNames = new Set<string>();
  readonly #stepNames = new Set<string>();
  readonly #work = new Set<Promise<unknown>>();
  #suspending: Promise<never> | undefined;
  #isSuspended = false;
  #isRestSkipped = false;
  #divergence: ToolwrightError | undefined;

  constructor(progress: CallProgress, call: Suspendable) {
    this.#call = call;
    this.#recorded = new RecordedEntries(progress);
    this.#offered = progress.offered ?? {};
    this.#known = new Set(progress.journal);
    this.#journal = [...progress.journal];
  }

  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }

  /** The steps that were done in this run. */
  get newSteps(): readonly DoneStep[] {
    return this.#journal.filter((entry) => entry.kind === 'step' && !this.#known.has(entry)) as DoneStep[];
  }

  /** The questions of this run that have no answer yet. */
  get asked(): readonly AskedQuestion[] {
    return [...this.#asked.values()];
  }

  /** Recorded entries that this run has not used. */
  get unused(): readonly JournalEntry[] {
    return this.#isRestSkipped ? [] : this.#recorded.rest;
  }

  /** This run ends with a stored outcome, and does not repeat what earlier ones did. */
  skipRest(): void {
    this.#isRestSkipped = true;
  }

  get divergence(): ToolwrightError | undefined {
    return this.#divergence;
  }

  /** Whether the run has ended with a question, or diverged from the earlier one. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Waits for running steps, whose values belong to the journal. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  /** Answers a question, or suspends the run. */
  async request(
    method: string,
    params: PlainObject,
    { name, mayBeOffered, accepts }: QuestionOptions = {},
  ): Promise<unknown> {
    const read = readQuestion(method, params);
    const key = name === undefined ? undefined : this.#freeName(this.#questionNames, name);
    const known = this.#recall(read, key, mayBeOffered === true);
    if (this.#divergence !== undefined) throw new Suspension();
    const asked = { question: this.#questionOf(read, key, known), method, params };
    if (known === undefined || !('value' in known)) return this.#ask(asked);
    if (known.failure !== undefined) throw known.failure.thrown;
    if (await this.#track(this.#isAccepted(known, accepts))) return structuredClone(known.value);
    return this.#ask({ ...asked, question: { ...asked.question, refusals: known.refusals + 1 } });
  }

  /** Returns the recorded value of a step, or runs it. */
  async step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const key = this.#freeName(this.#stepNames, name);
    const done = this.#recorded.takeStep(key);
    return done === undefined ? this.#track(this.#do(key, run)) : (structuredClone(done.value) as T);
  }

  async #do<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const value = await run();
    // A copy, because the handler may change it
    this.#journal.push({ kind: 'step', name, value: structuredClone(value) });
    return value;
  }

  async #isAccepted(answer: Answered, accepts: QuestionOptions['accepts']): Promise<boolean> {
    if (answer.isAccepted) return true;
    const isGood = accepts === undefined || (await accepts(structuredClone(answer.value) as PlainObject));
    const isAccepted = isGood || answer.refusals >= MOST_REFUSALS;
    const place = this.#journal.indexOf(answer);
    this.#journal.splice(place, 1, ...(isAccepted ? [{ ...answer, isAccepted }] : []));
    return isAccepted;
  }

  #questionOf(read: ReadQuestion, key: string | undefined, known: Question | undefined): Question {
    const name = key ?? known?.name ?? this.#numbered(read.kind);
    this.#questionNames.add(name);
    const isNamed = key !== undefined;
    if (known === undefined && !isNamed) this.#unnamed.push(read);
    return { ...read, name, isNamed, refusals: known?.refusals ?? 0 };
  }

  /** Ends the run in the next turn of the event loop: what runs at the same time asks until then as well. */
  #ask(asked: AskedQuestion): Promise<never> {
    this.#asked.set(asked.question.name, asked);
    this.#suspending ??= nextTurn().then(() => {
      if (this.#call.isRunning && !this.#isSuspended) this.#suspend();
      throw new Suspension();
    });
    return this.#suspending;
  }

  /** Only now: a branch that runs at the same time might still have asked the question that an unused answer is for. */
  #suspend(): void {
    this.#end();
    for (const asked of this.#unnamed) {
      const missed = this.#recorded.missedBy(asked);
      if (missed !== undefined) this.#diverge(diverged(missed, { ...asked, name: undefined }));
    }
  }

  #diverge(error: ToolwrightError): void {
    this.#divergence ??= error;
    this.#end();
  }

  #end(): void {
    this.#isSuspended = true;
    this.#call.suspend();
  }

  #recall(
    asked: ReadQuestion,
    name: string | undefined,
    mayBeOffered: boolean,
  ): Answered | Question | undefined {
    try {
      const known = this.#recorded.takeQuestion(asked, name);
      return known ?? (mayBeOffered ? this.#takeOffered(asked, name) : undefined);
    } catch (error) {
      if (!ToolwrightError.is(error)) throw error;
      this.#diverge(error);
      return undefined;
    }
  }

  /** Such a question may be answered by the first call, by a client that knows its name. */
  #takeOffered(read: ReadQuestion, name: string | undefined): Answered | undefined {
    if (name === undefined || !Object.hasOwn(this.#offered, name)) return undefined;
    const value = this.#offered[name];
    if (!isPlainObject(value)) return undefined;
    const answer = { ...read, name, isNamed: true, refusals: 0, value, isAccepted: false };
    this.#journal.push(answer);
    return answer;
  }

  /** The name, or with a number from 2 on when the handler gave it before. */
  #freeName(given: Set<string>, name: string): string {
    let free = name;
    for (let number = 2; given.has(free); number += 1) free = `${name}-${String(number)}`;
    given.add(free);
    return free;
  }

  #numbered(kind: string): string {
    let number = 1;
    const name = (): string => `${kind}-${String(number)}`;
    while (this.#recorded.knows(name()) || this.#questionNames.has(name())) number += 1;
    return name();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
    const forget = (): void => {
      this.#work.delete(work);
    };
    work.then(forget, forget);
    return work;
  }
}
