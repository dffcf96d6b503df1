import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { Channel, type ChannelOptions } from './channel.ts';
import { readCursor } from '../../event-store/session-events.ts';
import { EventStream, streamResponse } from './event-stream.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { UnreadEvents } from './unread-events.ts';

export interface ChannelsOptions extends ChannelOptions {
  /** Milliseconds between two comments on an open stream. */
  readonly keepAlive: number | undefined;
  /** What every response of the session says. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Told of an event store that could not be read. */
  readonly onFailure: (cause: unknown) => void;
  /** Told when a client stops reading the stream of a request, for whom cannot come back for the rest. */
  readonly onCancel?: () => void;
}

/** The channel of what belongs to no request; those of requests are counted from 1. */
const STANDALONE = '0';

/** A channel and the response that carries it. */
export interface OpenChannel {
  readonly channel: Channel;
  readonly response: Response;
}

/** The channels of one session: the standalone one, and one for each POST until its requests are answered. */
export class Channels {
  readonly standalone: Channel;
  readonly #options: ChannelsOptions;
  readonly #running = new Map<string, Channel>();
  /** Of channels that have ended, the responses that bring what is stored of them. */
  readonly #replays = new Map<string, EventStream>();
  #count = 0;
  #isClosed = false;

  constructor(options: ChannelsOptions) {
    this.#options = options;
    this.standalone = this.#add(STANDALONE);
  }

  /** @param isPrimed whether the client can read an event without a message */
  openPosted(unread: UnreadEvents, isPrimed: boolean): OpenChannel {
    this.#count += 1;
    const channel = this.#add(String(this.#count));
    return { channel, response: this.#carry(channel, unread, isPrimed) };
  }

  /** @throws HttpRefusal when the session has its standalone stream already */
  openStandalone(unread: UnreadEvents, isPrimed: boolean): Response {
    if (!this.standalone.isConnected) return this.#carry(this.standalone, unread, isPrimed);
    throw new HttpRefusal(409, 'Conflict: this session has its standalone stream already');
  }

  /** @throws HttpRefusal when the event is not known, or the store fails */
  async resume(lastEventId: string, unread: UnreadEvents): Promise<Response> {
    const cursor = readCursor(lastEventId);
    if (cursor === undefined) throw unknownEvent();
    const channel = this.#running.get(cursor.channel) ?? this.#ended(cursor.channel);
    const stream = new EventStream({ keepAlive: this.#options.keepAlive, unread });
    const resumption = await channel.resume(cursor, stream).catch((cause: unknown) => {
      this.#options.onFailure(cause);
      return 'failed' as const;
    });
    if (resumption === 'resumed' && !this.#isClosed) {
      if (!this.#running.has(cursor.channel)) this.#replaceReplay(cursor.channel, stream);
      return this.#respond(stream);
    }
    stream.end();
    if (resumption === 'failed') throw failedReplay();
    // HTML standard, 9.2.1: so a client is told that there is nothing to come back for.
    if (resumption === 'finished')
      return new Response(null, { status: 204, headers: this.#options.headers() });
    throw unknownEvent();
  }

  close(): void {
    this.#isClosed = true;
    for (const channel of this.#running.values()) channel.close();
  }

  #carry(channel: Channel, unread: UnreadEvents, isPrimed: boolean): Response {
    const { keepAlive, onCancel } = this.#options;
    const stream = new EventStream({ keepAlive, unread, onCancel });
    channel.connect(stream);
    if (isPrimed) channel.prime();
    return this.#respond(stream);
  }

  #respond({ body }: EventStream): Response {
    return streamResponse(body, this.#options.headers());
  }

  #add(id: string): Channel {
    const channel = new Channel(id, this.#options, () => this.#running.delete(id));
    this.#running.set(id, channel);
    return channel;
  }

  /** Who comes back for what ended does not read the response before any more. */
  #replaceReplay(id: string, stream: EventStream): void {
    this.#replays.get(id)?.giveUp();
    for (const [other, { isOver }] of this.#replays) if (isOver) this.#replays.delete(other);
    this.#replays.set(id, stream);
  }

  /** Of what ended there is only what is stored. */
  #ended(id: string): Channel {
    const channel = new Channel(id, this.#options);
    channel.close();
    return channel;
  }
}

/** Whether a Last-Event-ID belongs to the stream of a request, which ends when the request is answered. */
export function namesCall(lastEventId: string | null): boolean {
  const cursor = readCursor(lastEventId ?? '');
  return cursor !== undefined && cursor.channel !== STANDALONE;
}

function unknownEvent(): HttpRefusal {
  return new HttpRefusal(400, 'Last-Event-ID names no event that this session still has');
}

function failedReplay(): HttpRefusal {
  return new HttpRefusal(500, 'The missed events could not be read; try again', {
    code: jsonRpcCodes.internalError,
  });
}
