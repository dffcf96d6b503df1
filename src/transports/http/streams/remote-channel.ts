import { Buffer } from 'node:buffer';
import type { RemoteState, SessionLink } from '../../../engine/revisions/2025/session-link.ts';
import {
  wireId,
  type Cursor,
  type MissedEvent,
  type SessionEvents,
} from '../../event-store/session-events.ts';
import type { RequestId } from '../guards/check-post.ts';
import { questionsIn, type Resumption } from './channel.ts';
import type { EventStream } from './event-stream.ts';
import { isId, lostCall } from './lost-call.ts';

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
    const { events } = this.#options;
    if (cursor.channel.endsWith(LOST)) return 'finished';
    let missed = await events.after(cursor);
    const call = hasAnswer(missed) ? 'over' : await this.#callAt(cursor, missed);
    // It may have been answered before it was asked about
    if (call === 'over' && !hasAnswer(missed)) missed = await events.after(cursor);
    // As long as more will come, the rest is worth more than nothing
    if (missed === 'foreign' || (missed === 'unknown' && call === 'over')) return 'unknown';
    const known = missed === 'unknown' ? [] : missed;
    for (const { id, message } of known) response.write({ id, data: JSON.stringify(message) });
    if (call !== 'over') this.#sendBack(cursor, known, response);
    else if (!hasAnswer(known)) giveUp(cursor, response);
    response.end();
    return 'resumed';
  }

  #sendBack({ channel, event }: Cursor, missed: readonly MissedEvent[], response: EventStream): void {
    const { retryInterval: retry } = this.#options;
    // The official clients forget their place when a stream ends that has no id
    response.write(missed.length > 0 ? { retry } : { id: wireId(channel, event), retry, data: '' });
  }

  #callAt({ channel }: Cursor, missed: readonly MissedEvent[] | 'unknown' | 'foreign'): Promise<RemoteState> {
    const [instance = ''] = channel.split('.');
    const replayed = typeof missed === 'string' ? [] : questionsIn(missed);
    return this.#options.link.callOf(instance, channel, replayed);
  }
}

/** Ends the name of a channel in the ids of errors that nobody has stored, with which clients may come back. */
const LOST = '!';

function giveUp({ channel, event }: Cursor, response: EventStream): void {
  const id = wireId(`${channel}${LOST}`, event);
  for (const request of idsOf(channel)) response.write({ id, data: lostCall(request, GONE) });
}

function hasAnswer(missed: readonly MissedEvent[] | 'unknown' | 'foreign'): boolean {
  return typeof missed !== 'string' && missed.some(({ message }) => !('method' in message));
}

const GONE = 'The server instance that ran the request is gone, and left no answer; its outcome is unknown';

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
