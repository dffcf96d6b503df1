import { cutText } from '../../call/issue.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { digestOf } from './digest.ts';
import type { QuestionKind } from './journal.ts';

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
