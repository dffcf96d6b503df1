import { callAsTask } from '../../../../client/task-call.ts';
import { membersOf } from '../../../../shared/json.ts';
import type { JsonObject } from '../../../contract.ts';
import { REDACTED } from '../../../masking.ts';
import { call, calls } from '../calls.ts';
import { linkTo } from '../links.ts';
import { ask } from '../questions.ts';
import { actionsOf } from './masked-message.ts';
import { goTo } from '../route.ts';
import type { Span } from './span.ts';

/** The request of a span as it can be sent once more. */
export interface SentRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly isTask: boolean;
}

const REPLAYED: ReadonlySet<unknown> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/** Undefined where nothing of the span can be sent by itself. */
export function requestOf({ messages }: Span): SentRequest | undefined {
  for (const { direction, message } of messages) {
    const { method, params } = membersOf(message);
    if (direction !== 'sent' || typeof method !== 'string' || !REPLAYED.has(method)) continue;
    const { _meta, inputResponses: _answers, requestState: _state, task, ...given } = membersOf(params);
    return { method, params: given, isTask: task !== undefined || declaresTasks(_meta) };
  }
  return undefined;
}

function declaresTasks(meta: unknown): boolean {
  const capabilities = membersOf(meta)['io.modelcontextprotocol/clientCapabilities'];
  return 'io.modelcontextprotocol/tasks' in membersOf(membersOf(capabilities)['extensions']);
}

/** Why a request is not sent as it is; undefined where it is. */
export function faultOfReplay({ params }: SentRequest): string | undefined {
  return JSON.stringify(params).includes(REDACTED)
    ? 'It has masked values, so it cannot be sent as it was. Fill them in at the form.'
    : undefined;
}

/** Why a person is asked first; undefined where nobody is. */
export function dangerOf({ method, params }: SentRequest): string | undefined {
  if (method !== 'tools/call') return undefined;
  const actions = actionsOf(params);
  if (actions.length === 0) return 'What it calls is not offered to this caller.';
  return actions.some(({ isDestructive }) => isDestructive) ? 'It is destructive.' : undefined;
}

/** Sends the request of a span once more, as the chosen caller in the chosen era, and goes to its span. */
export function replay({ id, subject }: Span, { method, params, isTask }: SentRequest): void {
  const place = `replay/${String(id)}`;
  void call({
    place,
    method,
    subject,
    send: (client, options, show) => {
      const { name, arguments: args } = params;
      if (isTask)
        return callAsTask(client, { name: String(name), args: membersOf(args), options, ask, show });
      if (method === 'tools/call')
        return client.callTool(String(name), membersOf(args), options) as unknown as Promise<JsonObject>;
      return client.request(method, params, options);
    },
  });
  const span = calls.value.get(place)?.span;
  if (span !== undefined) goTo(linkTo('traffic', String(span)));
}
