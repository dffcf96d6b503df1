import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QuestionOptions } from '../../call/call-exchange.ts';
import { Suspension } from '../../call/suspension.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { diverged } from './divergence.ts';
import type { Answered, AskedQuestion, CallProgress, DoneStep, JournalEntry, Question } from './journal.ts';
import { Past } from './past.ts';
import { readQuestion, type ReadQuestion } from './read-question.ts';

/** How often a question is asked again because its answer is refused; one more is left to the handler. */
const MOST_REFUSALS = 3;
/** How often a run that is over may ask on before nobody waits for it any more. */
const MOST_LATE_CALLS = 100;

/**
 * The questions and steps of one run of a handler. What earlier runs heard and did is given to it again; the first
 * question without an answer ends it.
 */
export class Conversation {
  readonly #past: Past;
  readonly #offered: PlainObject;
  readonly #known: ReadonlySet<JournalEntry>;
  readonly #journal: JournalEntry[];
  readonly #asked = new Map<string, AskedQuestion>();
  /** Those that no earlier run asked. */
  readonly #unnamed: ReadQuestion[] = [];
  readonly #questionNames = new Set<string>();
  readonly #stepNames = new Set<string>();
  readonly #work = new Set<Promise<unknown>>();
  #suspending: Promise<never> | undefined;
  #state: 'running' | 'suspended' | 'diverged' | 'over' | 'interrupted' = 'running';
  #divergence: ToolwrightError | undefined;
  #lateCalls = 0;
  #abandon: () => void = () => undefined;
  /** Resolves when a run goes on and on although it is over. */
  readonly abandoned: Promise<'abandoned'>;

  constructor(progress: CallProgress) {
    this.#past = new Past(progress);
    this.#offered = progress.offered ?? {};
    this.#known = new Set(progress.journal);
    this.#journal = [...progress.journal];
    this.abandoned = new Promise((resolve) => {
      this.#abandon = () => {
        resolve('abandoned');
      };
    });
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

  /** What earlier runs did and heard, and this one did not ask for. */
  get unused(): readonly JournalEntry[] {
    return this.#past.rest;
  }

  get divergence(): ToolwrightError | undefined {
    return this.#divergence;
  }

  /** Ends the run. True when it ended because a question has no answer. */
  end(): boolean {
    const isSuspended = this.#state === 'suspended';
    if (this.#state === 'running') this.#state = 'over';
    return isSuspended;
  }

  /** Ends the run for good: it may be played again, so what goes on of this one must not do anything. */
  interrupt(): void {
    this.#state = 'interrupted';
  }

  /** Waits for the steps that are being done; what they give belongs to the journal. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  /** Answers a question, or ends the run with it. */
  readonly request = async (
    method: string,
    params: PlainObject,
    { name, mayBeOffered, accepts }: QuestionOptions = {},
  ): Promise<unknown> => {
    if (this.#state === 'over') throw isAnswered(method);
    if (this.#state !== 'running') return this.#refuseLate();
    const read = readQuestion(method, params);
    const key = name === undefined ? undefined : this.#freeName(this.#questionNames, name);
    const known = this.#recall(read, key, mayBeOffered === true);
    if (this.#divergence !== undefined) throw new Suspension();
    const asked = { question: this.#questionOf(read, key, known), method, params };
    if (known === undefined || !('value' in known)) return this.#ask(asked);
    if (known.failure !== undefined) throw known.failure.thrown;
    if (await this.#track(this.#isAccepted(known, accepts))) return structuredClone(known.value);
    return this.#ask({ ...asked, question: { ...asked.question, refusals: known.refusals + 1 } });
  };

  /** Gives what a step gave before, or does it. */
  readonly step = async <T>(name: string, run: () => T | Promise<T>): Promise<T> => {
    // What goes on after its call was answered, as tasks do, has its effects as it comes to them
    if (this.#state !== 'running' && this.#state !== 'over') return this.#refuseLate();
    const key = this.#freeName(this.#stepNames, name);
    const done = this.#past.takeStep(key);
    return done === undefined ? this.#track(this.#do(key, run)) : (structuredClone(done.value) as T);
  };

  async #do<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const value = await run();
    // The handler may change what it gets
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
      if (this.#state === 'running') this.#suspend();
      throw new Suspension();
    });
    return this.#suspending;
  }

  /** Not earlier: until now, what runs at the same time may have come to the question that an answer is for. */
  #suspend(): void {
    this.#state = 'suspended';
    for (const asked of this.#unnamed) {
      const missed = this.#past.missedBy(asked);
      if (missed !== undefined) this.#diverge(diverged(missed, { ...asked, name: undefined }));
    }
  }

  #diverge(error: ToolwrightError): void {
    this.#divergence ??= error;
    this.#state = 'diverged';
  }

  #recall(
    asked: ReadQuestion,
    name: string | undefined,
    mayBeOffered: boolean,
  ): Answered | Question | undefined {
    try {
      const known = this.#past.takeQuestion(asked, name);
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

  /** Whoever catches what ends a run and tries again must neither do anything nor keep the process busy for ever. */
  #refuseLate(): Promise<never> {
    this.#lateCalls += 1;
    const error = this.#state === 'interrupted' ? isInterrupted() : new Suspension();
    if (this.#lateCalls <= MOST_LATE_CALLS) return Promise.reject(error);
    this.#abandon();
    return new Promise<never>(() => undefined);
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
    while (this.#past.knows(name()) || this.#questionNames.has(name())) number += 1;
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

function isInterrupted(): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled');
}

function isAnswered(method: string): ToolError {
  return new ToolError(
    'CLIENT_UNREACHABLE',
    `The client cannot be asked any more (${method}), because the call is answered`,
    { suggestion: 'wait for every question before the handler comes to its end' },
  );
}
