import { compareText } from '../shared/canonical-json.ts';
import type { ErrorCode } from './catalogue.ts';
import { formatFacts, ToolwrightError, type ErrorFacts } from './toolwright-error.ts';

/** One of the mistakes found in an application. */
export interface Problem extends Omit<ErrorFacts, 'cause'> {
  /** The code of the problem; `docs/errors.md` explains each. */
  readonly code: ErrorCode;
}

/** Thrown once, with all mistakes of an application. */
export class ApplicationError extends ToolwrightError {
  readonly #problems: readonly Problem[];

  /** Sorts the problems by class, then member, and lists them in the message. */
  constructor(application: string, problems: readonly Problem[]) {
    const sorted = [...problems].sort(byPlace);
    super('TW_APPLICATION_INVALID', {
      where: application,
      what: `has ${String(sorted.length)} ${sorted.length === 1 ? 'problem' : 'problems'}:\n\n${sorted.map(list).join('\n\n')}\n`,
      fix: 'correct what is listed above',
    });
    this.name = 'ApplicationError';
    this.#problems = Object.freeze(sorted.map((problem) => Object.freeze({ ...problem })));
  }

  /** Every problem, sorted by class, then member. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  override toJSON(): Readonly<Record<string, unknown>> {
    return { ...super.toJSON(), problems: this.#problems };
  }
}

/** The problems of one class, member or call. */
export interface ProblemPlace<in Code extends ErrorCode = ErrorCode> {
  readonly where: string;
  readonly problems: ProblemList<Code>;
  add(code: Code, facts: Omit<ErrorFacts, 'cause' | 'where'>): void;
}

/** Collects the problems of a stage. Each problem is kept once. One of some codes takes no others. */
export class ProblemList<in Code extends ErrorCode = ErrorCode> {
  readonly #problems: Problem[] = [];

  /** Adds problems of one place. */
  at(where: string): ProblemPlace<Code> {
    return { where, problems: this, add: (code, facts) => this.add(code, { where, ...facts }) };
  }

  add(code: Code, facts: Omit<ErrorFacts, 'cause'>): void {
    const isKnown = this.#problems.some(
      (known) => known.code === code && known.where === facts.where && known.what === facts.what,
    );
    if (!isKnown) this.#problems.push({ code, ...facts });
  }

  /** Adds what a stage threw, or rethrows it when it is not a mistake of the application. */
  addThrown(this: ProblemList, thrown: unknown): void {
    if (!ToolwrightError.is(thrown)) throw thrown;
    const problems = thrown instanceof ApplicationError ? thrown.problems : [thrown];
    for (const { code, where, what, why, fix } of problems) this.add(code, { where, what, why, fix });
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Throws the first problem, for callers that build one thing at a time. */
  throwFirst(): void {
    const [first] = this.#problems;
    if (first !== undefined) throw new ToolwrightError(first.code, first);
  }

  /** Throws an {@link ApplicationError} when anything was added. */
  throwIfAny(application: string): void {
    if (this.#problems.length > 0) throw new ApplicationError(application, this.#problems);
  }
}

function list(problem: Problem): string {
  return formatFacts(problem.code, problem)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

// No localeCompare: the order must not depend on the machine's locale.
function byPlace(left: Problem, right: Problem): number {
  return (
    compareText(left.where, right.where) ||
    compareText(left.code, right.code) ||
    compareText(left.what, right.what)
  );
}
