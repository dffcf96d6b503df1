import { signal } from '@preact/signals';
import { samplingRejected } from '../../../client/client-connection.ts';
import type { JsonObject } from '../../contract.ts';
import { addSpan, endSpan } from './traffic/timeline.ts';

/** What the server wants to know of the person, or of a model. */
export interface Question {
  readonly id: number;
  readonly kind: 'form' | 'url' | 'sampling';
  readonly params: JsonObject;
  readonly answer: (result: JsonObject) => void;
  /** The person does not want to answer, which has a result of its own for forms and is an error for a model. */
  readonly dismiss: () => void;
}

/** The first one is shown; the others wait. */
export const questions = signal<readonly Question[]>([]);

export function ask(method: string, params: JsonObject): Promise<JsonObject> {
  const { message } = params;
  const kind = method === 'sampling/createMessage' ? 'sampling' : params['mode'] === 'url' ? 'url' : 'form';
  const subject = typeof message === 'string' ? message : '';
  const messages = [{ at: Date.now(), direction: 'received', message: { method, params } }] as const;
  const id = addSpan({ kind: 'question', method, subject, at: Date.now(), state: 'running', messages });
  return new Promise((resolve, reject) => {
    const close = (state: 'done' | 'cancelled'): void => {
      questions.value = questions.value.filter((question) => question.id !== id);
      endSpan(id, state);
    };
    const answer = (result: JsonObject): void => {
      close('done');
      resolve(result);
    };
    const dismiss = (): void => {
      close('cancelled');
      if (kind === 'sampling') reject(samplingRejected());
      else resolve({ action: 'cancel' });
    };
    questions.value = [...questions.value, { id, kind, params, answer, dismiss }];
  });
}

/** Nobody waits for the answers any more. */
export function dropQuestions(): void {
  for (const { dismiss } of questions.value) dismiss();
}
