import type { PlainObject } from '../../shared/json.ts';

export type QuestionKind = 'elicitation' | 'sampling' | 'roots';

/** A question as it is known again in a later run. */
export interface Question {
  readonly kind: QuestionKind;
  /** Its key among the questions of the call; a step may have the same name. */
  readonly name: string;
  /** Whether the handler gave the name. */
  readonly isNamed: boolean;
  /** The digest of what was asked: an answer counts for these words and no others. */
  readonly print: string;
  /** The beginning of what was asked, for logs. */
  readonly label: string;
  /** How many answers were refused so far. */
  readonly refusals: number;
}

/** A question that is answered. */
export interface Answered extends Question {
  readonly value: unknown;
  /** Whether it was found good, or good enough to be refused by the handler itself. */
  readonly isAccepted: boolean;
  /** Present instead of the value where the client could not be asked; it never leaves the process. */
  readonly failure?: { readonly thrown: unknown };
}

/** A step that was done; one without a value gave undefined. */
export interface DoneStep {
  readonly kind: 'step';
  readonly name: string;
  readonly value?: unknown;
}

export type JournalEntry = Answered | DoneStep;

/** What a call did and heard so far, and what it waits for. */
export interface CallProgress {
  readonly journal: readonly JournalEntry[];
  readonly open: readonly Question[];
  /** What the client said in its first call, before anything was asked. */
  readonly offered?: PlainObject;
}

/** A question of the current run, with the request that asks it. */
export interface AskedQuestion {
  readonly question: Question;
  readonly method: string;
  readonly params: PlainObject;
}
