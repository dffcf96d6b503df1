import { signal } from '@preact/signals';
import { ToolwrightError } from '../../../errors/toolwright-error.ts';
import type { Progress, RequestOptions } from '../../../client/client-connection.ts';
import type { McpClient } from '../../../client/mcp-client.ts';
import { membersOf } from '../../../shared/json.ts';
import type { JsonObject } from '../../contract.ts';
import { connect, disconnect } from './connection.ts';
import { observed } from './traffic/observed-transport.ts';
import { dropQuestions } from './questions.ts';
import { type Failure, failureOf } from './session.ts';
import { addSpan, changeSpan, endSpan, keepMessage, spans } from './traffic/timeline.ts';
import type { Passed } from './traffic/span.ts';

/** A request that a person made, with all that came of it. */
export interface Call {
  readonly span: number;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly startedAt: number;
  readonly args?: JsonObject;
  readonly duration?: number;
  readonly progress?: Progress;
  /** The status of its task. */
  readonly status?: string;
  readonly result?: JsonObject;
  readonly failure?: Failure;
  cancel(): void;
}

/** The last call of each action, prompt and resource, by its place. */
export const calls = signal<ReadonlyMap<string, Call>>(new Map());

function change(place: string, span: number, changes: Partial<Call>): void {
  const call = calls.value.get(place);
  if (call?.span === span) calls.value = new Map(calls.value).set(place, { ...call, ...changes });
}

export interface CallRequest {
  /** Whose result it is: `tool/tasks/create`. */
  readonly place: string;
  readonly method: string;
  readonly subject: string;
  /** The arguments, where a view of the result is to know them. */
  readonly args?: JsonObject;
  readonly send: (
    client: McpClient,
    options: RequestOptions,
    show: (status: string, message?: string) => void,
  ) => Promise<JsonObject>;
}

export async function call({ place, method, subject, args, send }: CallRequest): Promise<void> {
  const cancelled = new AbortController();
  const startedAt = Date.now();
  const span = addSpan({ kind: 'request', method, subject, at: startedAt, state: 'running', messages: [] });
  const cancel = (): void => {
    cancelled.abort(new Error('Cancelled by a person'));
    dropQuestions();
  };
  calls.value = new Map(calls.value).set(place, {
    ...{ span, state: 'running', startedAt, cancel },
    ...(args === undefined ? {} : { args }),
  });
  const started = performance.now();
  const end = (changes: Partial<Call> & Pick<Call, 'state'>): void => {
    const duration = performance.now() - started;
    endSpan(span, changes.state);
    changeSpan(span, () => ({ duration }));
    change(place, span, { ...changes, duration });
  };
  const partOf = Symbol(subject);
  const options: RequestOptions = {
    signal: cancelled.signal,
    partOf,
    // Asks for progress; what comes is taken from the messages
    onProgress: () => undefined,
  };
  const keep = (passed: Passed): void => {
    keepMessage(span, passed);
    const progress = progressOf(passed.message);
    if (progress !== undefined) change(place, span, { progress });
  };
  const show = (state: string, message?: string): void => {
    const status = message === undefined ? state : `${state}: ${message}`;
    changeSpan(span, () => ({ kind: 'task', status }));
    change(place, span, { status });
  };
  try {
    const result = await observed(partOf, keep, async () =>
      send(await connected(cancelled.signal), options, show),
    );
    end({ state: result['isError'] === true ? 'failed' : 'done', result });
  } catch (error) {
    if (cancelled.signal.aborted) end({ state: 'cancelled' });
    else {
      if (ToolwrightError.is(error)) disconnect();
      end({ state: 'failed', failure: failureOf(error) });
    }
  }
}

/** The client, unless the call is cancelled first: a connection may take as long as a server that does not answer. */
function connected(signal: AbortSignal): Promise<McpClient> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    connect().then(resolve, reject);
  });
}

/** A task reports progress after its request was answered. */
function progressOf(message: unknown): Progress | undefined {
  const { method, params } = membersOf(message);
  const { progress, total, message: text } = membersOf(params);
  if (method !== 'notifications/progress' || typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof text === 'string' ? { message: text } : {}),
  };
}

/** The messages of a call. */
export function messagesOf({ span }: Call): readonly Passed[] {
  return spans.value.find(({ id }) => id === span)?.messages ?? [];
}
