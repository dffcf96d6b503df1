import type { Answered, CallProgress, DoneStep, JournalEntry, Question, ReadQuestion } from './journal.ts';
import { ToolwrightError } from '../../../errors/toolwright-error.ts';

/** The steps and answers of a handler's earlier runs; each is used once. */
export class RecordedEntries {
  readonly #steps: Map<string, DoneStep>;
  readonly #answers: Map<string, Answered>;
  readonly #open: Map<string, Question>;
  readonly #names: ReadonlySet<string>;

  constructor({ journal, open }: CallProgress) {
    const answers = journal.filter((entry) => entry.kind !== 'step');
    this.#steps = new Map(journal.filter((entry) => entry.kind === 'step').map((step) => [step.name, step]));
    this.#answers = new Map(answers.map((answer) => [answer.name, answer]));
    this.#open = new Map(open.map((question) => [question.name, question]));
    this.#names = new Set([...answers, ...open].map(({ name }) => name));
  }

  /** Whether a question has the name, used or not. */
  knows(name: string): boolean {
    return this.#names.has(name);
  }

  takeStep(name: string): DoneStep | undefined {
    return take(this.#steps, name);
  }

  /**
   * The answer to a question, or the question if it was asked and not answered.
   * @throws ToolwrightError TW_REPLAY_DIVERGED when other words were answered.
   */
  takeQuestion(asked: ReadQuestion, name: string | undefined): Answered | Question | undefined {
    return name === undefined ? this.#takeUnnamed(asked) : this.#takeNamed(asked, name);
  }

  /** An answer that nobody used, to a question without a name of the same kind. */
  missedBy({ kind }: ReadQuestion): Answered | undefined {
    return [...this.#answers.values()].find((answer) => !answer.isNamed && answer.kind === kind);
  }

  /** What no run used. */
  get rest(): readonly JournalEntry[] {
    return [...this.#steps.values(), ...this.#answers.values()];
  }

  #takeNamed(asked: ReadQuestion, name: string): Answered | Question | undefined {
    const answer = this.#answers.get(name);
    if (answer === undefined) return isSame(this.#open.get(name), asked) ? take(this.#open, name) : undefined;
    if (!isSame(answer, asked)) throw diverged(answer, { ...asked, name });
    return take(this.#answers, name);
  }

  /** By its words: what runs at the same time may ask in another order each time. */
  #takeUnnamed(asked: ReadQuestion): Answered | Question | undefined {
    const isIt = (entry: Question): boolean => !entry.isNamed && isSame(entry, asked);
    const answer = [...this.#answers.values()].find(isIt);
    if (answer !== undefined) return take(this.#answers, answer.name);
    const open = [...this.#open.values()].find(isIt);
    return open && take(this.#open, open.name);
  }
}

function isSame(entry: Question | undefined, { kind, print }: ReadQuestion): boolean {
  return entry?.kind === kind && entry.print === print;
}

function take<Value>(from: Map<string, Value>, name: string): Value | undefined {
  const value = from.get(name);
  from.delete(name);
  return value;
}

/** A question as it came, named or not. */
interface CameQuestion extends ReadQuestion {
  readonly name: string | undefined;
}

/** The error of a question in the place of another one that is answered. */
export function diverged(expected: JournalEntry, came: CameQuestion): ToolwrightError {
  const name = came.name === undefined ? '' : ` "${came.name}"`;
  return divergence(
    `asked ${came.kind}${name} (${quoted(came.label)}) where it had asked ${describe(expected)}.`,
  );
}

/** The error of a handler that ended without repeating its earlier steps and questions. */
export function unused(rest: readonly JournalEntry[]): ToolwrightError {
  return divergence(`came to its end without ${rest.map(describe).join(', ')}, as in its earlier run.`);
}

/** The error of a handler that never stops asking. */
export function endless(rounds: number): ToolwrightError {
  return divergence(`asked something new in each of ${String(rounds)} runs.`);
}

function divergence(what: string): ToolwrightError {
  return new ToolwrightError('TW_REPLAY_DIVERGED', {
    where: 'the handler',
    what: `did something else when it ran again: it ${what}`,
    why: 'it runs from its start with each answer, and an answer belongs to the exact question that was asked.',
    fix: "read what may change in a step, ctx.step('name', () => …): times, random values, data that others write",
  });
}

function describe(entry: JournalEntry): string {
  if (entry.kind === 'step') return `the step "${entry.name}"`;
  return `${entry.kind} "${entry.name}" (${quoted(entry.label)})`;
}

function quoted(label: string): string {
  return JSON.stringify(label);
}
