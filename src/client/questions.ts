import type { PlainObject } from '../shared/json.ts';
import { unknownMethod } from './client-connection.ts';

/** A place that the server may work in (spec: client/roots). */
export interface ClientRoot {
  /** Begins with `file://`. */
  readonly uri: string;
  readonly name?: string;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Answers what a server asks; the client declares the capabilities of those that are given, and no others. */
export interface QuestionHandlers {
  /** Answers forms and URLs with `{ action, content? }` (spec: client/elicitation). */
  readonly onElicitation?: (params: PlainObject) => MaybePromise<PlainObject>;
  /** Answers with what a model says (spec: client/sampling). */
  readonly onSampling?: (params: PlainObject) => MaybePromise<PlainObject>;
  readonly roots?: readonly ClientRoot[];
}

export function capabilitiesOf({ onElicitation, onSampling, roots }: QuestionHandlers): PlainObject {
  return {
    ...(onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** @throws ProtocolError for what the client did not declare */
export async function answerQuestion(
  { onElicitation, onSampling, roots }: QuestionHandlers,
  method: string,
  params: PlainObject,
): Promise<PlainObject> {
  if (method === 'ping') return {};
  if (method === 'elicitation/create' && onElicitation !== undefined) return onElicitation(params);
  if (method === 'sampling/createMessage' && onSampling !== undefined) return onSampling(params);
  if (method === 'roots/list' && roots !== undefined) return { roots };
  throw unknownMethod(method);
}
