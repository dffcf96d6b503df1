import { Buffer } from 'node:buffer';
import { jsonRpcCodes, jsonRpcError } from '../../../engine/json-rpc/json-rpc-error.ts';
import type { RemoteCall, SessionLink } from '../../../engine/revisions/2025/session-link.ts';
import type { Cursor, MissedEvent, SessionEvents } from '../../event-store/session-events.ts';
import type { RequestId } from '../guards/check-post.ts';
import type { Resumption } from './channel.ts';
import type { EventStream } from './event-stream.ts';

interface RemoteChannelOptions {
  readonly events: SessionEvents;
  readonly link: SessionLink;
  readonly retryInterval: number;
}

/**
 * The stream of a call that another instance runs. It is not followed: its client gets what is stored of it, and comes
 * back until the answer is, or until the other instance does not run the call any more.
 */
export class RemoteChannel {
  readonly #options: RemoteChannelOptions;

  constructor(options: RemoteChannelOptions) {
    this.#options = options;
  }

  async resume(cursor: Cursor, response: EventStream): Promise<Resumption> {
    const { events, retryInterval: retry } = this.#options;
    let missed = await events.after(cursor);
    const call = hasAnswer(missed) ? 'over' : await this.#callAt(cursor);
    // It may have been answered before it was asked about
    if (call === 'over' && !hasAnswer(missed)) missed = await events.after(cursor);
    // As long as more will come, the rest is worth more than nothing
    if (missed === 'foreign' || (missed === 'unknown' && call === 'over')) return 'unknown';
    for (const { id, message } of missed === 'unknown' ? [] : missed) {
      response.write({ id, data: JSON.stringify(message) });
    }
    if (call !== 'over') response.write({ retry });
    else if (!hasAnswer(missed)) for (const id of idsOf(cursor.channel)) response.write({ data: lost(id) });
    response.end();
    return 'resumed';
  }

  #callAt({ channel }: Cursor): Promise<RemoteCall> {
    const [instance = ''] = channel.split('.');
    return this.#options.link.callOf(instance, channel);
  }
}

function hasAnswer(missed: readonly MissedEvent[] | 'unknown' | 'foreign'): boolean {
  return typeof missed !== 'string' && missed.some(({ message }) => !('method' in message));
}

function lost(id: RequestId): string {
  const code = 'OUTCOME_UNKNOWN';
  const message =
    'The server instance that ran the request is gone, and left no answer; its outcome is unknown';
  return jsonRpcError({ code: jsonRpcCodes.internalError, message, data: { code } }, id);
}

/** In characters. Each event names its channel, so an unusually long id is left out. */
const LONGEST_IDS = 256;

/** Names the requests as well, so that another instance can answer them in place of one that is gone. */
export function channelName(name: string, ids: readonly RequestId[]): string {
  const text = JSON.stringify(ids);
  return text.length > LONGEST_IDS ? name : `${name}.${Buffer.from(text).toString('hex')}`;
}

/** The client may have made the name up; then it only answers itself. */
function idsOf(channel: string): readonly RequestId[] {
  const [, , , hex = ''] = channel.split('.');
  try {
    const ids = JSON.parse(Buffer.from(hex, 'hex').toString()) as unknown;
    return Array.isArray(ids) ? ids.filter(isId) : [];
  } catch {
    return [];
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
