import { type PlainObject, isPlainObject } from '../../../shared/json.ts';
import { cutText } from '../../../call/issue.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../shared/canonical-json.ts';

type QuestionKind = 'elicitation' | 'sampling' | 'roots';

/** A question, as a later run recognizes it. */
export interface Question {
  readonly kind: QuestionKind;
  /** Its key among the questions of the call; a step may have the same name. */
  readonly name: string;
  /** Whether the handler gave the name. */
  readonly isNamed: boolean;
  /** The digest of the question: an answer is only valid for the exact question text. */
  readonly print: string;
  /** The beginning of what was asked, for logs. */
  readonly label: string;
  /** How many answers were refused. */
  readonly refusals: number;
}

/** A question that is answered. */
export interface Answered extends Question {
  readonly value: unknown;
  /** Whether the answer passed `accepts`, or is left to the handler after too many refusals. */
  readonly isAccepted: boolean;
  /** Present instead of the value where the client could not be asked; it never leaves the process. */
  readonly failure?: { readonly thrown: unknown };
}

/** A completed step; without `value`, it returned undefined. */
export interface DoneStep {
  readonly kind: 'step';
  readonly name: string;
  readonly value?: unknown;
}

export type JournalEntry = Answered | DoneStep;

/** The steps and answers of a call so far, and its open questions. */
export interface CallProgress {
  readonly journal: readonly JournalEntry[];
  readonly open: readonly Question[];
  /** Answers that the client sent with its first call, before any question. */
  readonly offered?: PlainObject;
}

/** A question of the current run, with its request to the client. */
export interface AskedQuestion {
  readonly question: Question;
  readonly method: string;
  readonly params: PlainObject;
}

const KINDS: ReadonlyMap<string, QuestionKind> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** The part of a request to the client that identifies the question. */
export interface ReadQuestion {
  readonly kind: QuestionKind;
  readonly print: string;
  readonly label: string;
}

export function readQuestion(method: string, params: PlainObject): ReadQuestion {
  const kind = KINDS.get(method);
  if (kind === undefined) throw new TypeError(`${method} is not a question to a client`);
  // The one part of a question that is different each time it is asked (spec 2025-11-25: client/elicitation).
  const { elicitationId: _id, ...words } = params;
  return { kind, print: digestOf(words), label: cutText(wordsOf(params)) };
}

function wordsOf({ message, messages }: PlainObject): string {
  if (typeof message === 'string') return message;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = isPlainObject(last) ? last['content'] : undefined;
  const text = isPlainObject(content) ? content['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

const BYTES = 16;

/** Equal for equal JSON values, and for no others that anybody could find. */
export function digestOf(value: unknown): string {
  const hash = createHash('sha256').update(canonicalJson(value)).digest();
  return hash.subarray(0, BYTES).toString('base64url');
}
