import type {
  ClientMessage,
  ClientTransport,
  Receiver,
  SendOptions,
} from '../../../../client/client-transport.ts';
import { isPlainObject, membersOf } from '../../../../shared/json.ts';
import type { HttpHeads } from './http-heads.ts';
import { addSpan, changeSpan, endSpan, keepMessage } from './timeline.ts';
import type { Passed } from './span.ts';

/** Called with every message that belongs to one call. */
type Observer = (passed: Passed) => void;

const observers = new Map<symbol, Observer>();

/** Passes the messages of a call to a function while it runs. @param partOf what its requests are part of */
export async function observed<Value>(
  partOf: symbol,
  observer: Observer,
  run: () => Promise<Value>,
): Promise<Value> {
  observers.set(partOf, observer);
  try {
    return await run();
  } finally {
    observers.delete(partOf);
  }
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Shows what passes, and changes nothing. Requests that belong to no call have a span of their own. */
export class ObservedTransport implements ClientTransport {
  readonly #inner: ClientTransport;
  readonly place: string;
  readonly hasResponses: boolean;
  /** Who takes the messages, by id of the request and by id of the task. */
  readonly #takers = new Map<unknown, Observer>();
  readonly #heads: Pick<HttpHeads, 'take'>;

  constructor(inner: ClientTransport, heads: Pick<HttpHeads, 'take'>) {
    this.#inner = inner;
    this.#heads = heads;
    this.place = inner.place;
    this.hasResponses = inner.hasResponses;
  }

  start(receiver: Receiver): Promise<void> {
    return this.#inner.start({
      ...receiver,
      message: (message) => {
        this.#received(membersOf(message));
        receiver.message(message);
      },
    });
  }

  async send(message: ClientMessage, options?: SendOptions): Promise<void> {
    this.#sent(message, options);
    try {
      await this.#inner.send(message, options);
    } catch (error) {
      // The server may have answered with a status alone
      const http = this.#heads.take(message.id);
      const passed = { at: Date.now(), direction: 'received', message: undefined } as const;
      if (http !== undefined) this.#takers.get(message.id)?.({ ...passed, http });
      throw error;
    }
  }

  openSession(revision: string): Promise<void> {
    return this.#inner.openSession?.(revision) ?? Promise.resolve();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #sent(message: ClientMessage, { partOf, signal }: SendOptions = {}): void {
    const { id, method, params = {} } = message;
    const passed = { at: Date.now(), direction: 'sent', message } as const;
    // The answer to a question of the server
    if (method === undefined) return this.#takers.get(questionOf(id))?.(passed);
    const observer = partOf === undefined ? undefined : observers.get(partOf);
    if (observer === undefined) return this.#alone(message, passed, signal);
    this.#takers.set(id, observer);
    const { taskId } = params;
    if (typeof taskId === 'string') this.#takers.set(taskId, observer);
    observer(passed);
  }

  /** A request or notification that belongs to no call. */
  #alone({ id, method = '', params = {} }: ClientMessage, passed: Passed, signal?: AbortSignal): void {
    const isRequest = id !== undefined;
    const span = addSpan({
      kind: isRequest ? 'request' : 'notification',
      method,
      subject: subjectOf(params),
      at: passed.at,
      state: isRequest ? 'running' : 'done',
      ...(isRequest ? {} : { duration: 0 }),
      messages: [passed],
    });
    if (!isRequest) return;
    signal?.addEventListener('abort', () => endSpan(span, 'cancelled'), { once: true });
    this.#takers.set(id, (answer) => {
      keepMessage(span, answer);
      if (isAnswer(answer.message)) {
        const isFailed = 'error' in membersOf(answer.message);
        changeSpan(span, ({ duration }) =>
          duration === undefined ? { duration: answer.at - passed.at } : {},
        );
        changeSpan(span, ({ state }) => (state === 'running' ? { state: isFailed ? 'failed' : 'done' } : {}));
      }
    });
  }

  #answered({ id, result }: Readonly<Record<string, unknown>>, passed: Passed): void {
    const taker = this.#takers.get(id);
    const http = this.#heads.take(id);
    this.#takers.delete(id);
    if (taker === undefined) return;
    const { task, taskId = membersOf(task)['taskId'] } = membersOf(result);
    if (typeof taskId === 'string') this.#takers.set(taskId, taker);
    taker({ ...passed, ...(http === undefined ? {} : { http }) });
  }

  #received(message: Readonly<Record<string, unknown>>): void {
    const passed = { at: Date.now(), direction: 'received', message } as const;
    const { id, method, params } = message;
    const { progressToken, _meta: meta } = membersOf(params);
    const { taskId } = membersOf(membersOf(meta)[RELATED_TASK]);
    if (typeof method !== 'string') return this.#answered(message, passed);
    const isQuestion = id !== undefined;
    if (!isQuestion && method !== 'notifications/progress' && taskId === undefined) return;
    // A question of a session says of a task only which call it belongs to
    const known = this.#takers.get(taskId) ?? this.#takers.get(progressToken);
    const takers = known === undefined && isQuestion ? [...observers.values()] : [known];
    const tell: Observer = (told) => takers.forEach((taker) => taker?.(told));
    if (isQuestion) this.#takers.set(questionOf(id), tell);
    tell(passed);
  }
}

function questionOf(id: unknown): string {
  return `question ${String(id)}`;
}

function isAnswer(message: unknown): boolean {
  return isPlainObject(message) && message['method'] === undefined;
}

function subjectOf({ name, uri, ref, taskId }: Readonly<Record<string, unknown>>): string {
  const { name: prompt, uri: template } = membersOf(ref);
  const found = [name, uri, prompt, template, taskId].find((each) => typeof each === 'string');
  return found ?? '';
}
