import type { InputRequest } from '../../call/results.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Answered, AskedQuestion, Question } from './journal.ts';

/** Questions as they stand in a result. */
export function requestsOf(asked: readonly AskedQuestion[]): Readonly<Record<string, InputRequest>> {
  return Object.fromEntries(asked.map(({ question, method, params }) => [question.name, { method, params }]));
}

/** The answers to open questions among what a client sent; what nobody asked for is ignored. */
export function answersOf(open: readonly Question[], responses: PlainObject): readonly Answered[] {
  return open.flatMap((question) => {
    const value = Object.hasOwn(responses, question.name) ? responses[question.name] : undefined;
    return isPlainObject(value) ? [{ ...question, value, isAccepted: false }] : [];
  });
}

/** The questions that got no answer. */
export function unanswered(open: readonly Question[], answers: readonly Answered[]): readonly Question[] {
  const names = new Set(answers.map(({ name }) => name));
  return open.filter(({ name }) => !names.has(name));
}
