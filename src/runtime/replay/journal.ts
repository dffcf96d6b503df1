import { type PlainObject, isPlainObject } from '../../shared/json.ts';
import { cutText } from '../../call/issue.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/canonical-json.ts';

type QuestionKind = 'elicitation' | 'sampling' | 'roots';

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

const KINDS: ReadonlyMap<string, QuestionKind> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** What of a request to the client tells it from others. */
export interface ReadQuestion {
  readonly kind: QuestionKind;
  readonly print: string;
  readonly label: string;
}

export function readQuestion(method: string, params: PlainObject): ReadQuestion {
  const kind = KINDS.get(method);
  if (kind === undefined) throw new TypeError(`${method} is no question to a client`);
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
