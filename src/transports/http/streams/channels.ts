import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { Channel, type ChannelMessage, type ChannelOptions } from './channel.ts';
import { RemoteChannel, channelName } from './remote-channel.ts';
import { readCursor } from '../../event-store/session-events.ts';
import type { SessionLink, SharedSession } from '../../../engine/revisions/2025/session-link.ts';
import type { RequestId } from '../guards/check-post.ts';
import { EventStream } from './event-stream.ts';
import { HttpRefusal, type PlainAnswer } from '../http-answer.ts';
import type { StreamedAnswer } from './streamed-answer.ts';

export interface ChannelsOptions extends ChannelOptions {
  /** Milliseconds between two comments on an open stream. */
  readonly keepAlive: number | undefined;
  /** What every response of the session says. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where no other instance serves the session. */
  readonly link?: SessionLink | undefined;
  /** Told of an event store that could not be read. */
  readonly onFailure?: (cause: unknown) => void;
  /** Told when a client stops reading the stream of a request that it cannot resume. */
  readonly onCancel?: () => void;
}

/** The channel of what belongs to no request; every instance of an application has the same. */
const STANDALONE = '0';

/** The channels of one session: the standalone one, and one for each POST until its requests are answered. */
export class Channels {
  readonly standalone: Channel;
  readonly #options: ChannelsOptions;
  readonly #running = new Map<string, Channel>();
  /** Of channels that have ended, the responses that bring what is stored of them. */
  readonly #replays = new Map<string, EventStream>();
  /** Begins the names of the channels of requests: other objects may stand for the same session. */
  readonly #prefix: string;
  #count = 0;
  #isClosed = false;

  constructor(options: ChannelsOptions) {
    this.#options = options;
    const { instance } = options.link ?? {};
    this.#prefix = `${instance === undefined ? '' : `${instance}.`}${crypto.randomUUID().slice(0, 8)}`;
    this.standalone = this.#add(STANDALONE);
  }

  /**
   * Opens the channel of a POST, on the answer to it.
   * @param isPrimed whether the client can read an event without a message
   * @param ids of the requests
   */
  openPosted(answer: StreamedAnswer, isPrimed: boolean, ids: readonly RequestId[]): Channel {
    this.#count += 1;
    const name = `${this.#prefix}.${String(this.#count)}`;
    const channel = this.#add(this.#options.link === undefined ? name : channelName(name, ids), ids);
    this.#carry(channel, answer, isPrimed);
    return channel;
  }

  /** Whether the call runs whose channel has the name, and which its client goes on reading at another instance. */
  runs(name: string, replayed: readonly unknown[] = []): boolean {
    this.#running.get(name)?.continuesElsewhere(replayed);
    return this.#running.has(name);
  }

  /** @throws HttpRefusal when the session has its standalone stream already */
  async openStandalone(answer: StreamedAnswer, isPrimed: boolean, session: SharedSession): Promise<void> {
    const { link } = this.#options;
    const isFree = link === undefined || (await link.takeStream(session, false));
    if (!isFree || this.standalone.isConnected) throw hasStream();
    this.#carry(this.standalone, answer, isPrimed);
  }

  /**
   * Goes on with what a client lost, also at another instance.
   * @returns the answer where nothing is left of it
   * @throws HttpRefusal when the event is not known, or the store fails
   */
  async resume(
    lastEventId: string,
    answer: StreamedAnswer,
    session: SharedSession,
  ): Promise<PlainAnswer | undefined> {
    const cursor = readCursor(lastEventId);
    if (cursor === undefined) throw unknownEvent();
    const { headers, link } = this.#options;
    if (cursor.channel === STANDALONE && (await link?.takeStream(session, true)) === false) throw hasStream();
    const channel = this.#running.get(cursor.channel) ?? this.#ended(cursor.channel);
    const stream = new EventStream({ keepAlive: this.#options.keepAlive, unread: answer.unread });
    const resumption = await channel.resume(cursor, stream).catch((cause: unknown) => {
      this.#options.onFailure?.(cause);
      return 'failed' as const;
    });
    if (resumption === 'resumed' && !this.#isClosed) {
      if (channel instanceof Channel) this.#endWith(channel, answer);
      if (!this.#running.has(cursor.channel)) this.#replaceReplay(cursor.channel, stream);
      answer.begin(stream.body, headers);
      return undefined;
    }
    stream.end();
    if (resumption === 'failed') throw failedReplay();
    // HTML standard, 9.2.1: so the client knows not to reconnect.
    if (resumption === 'finished') return { status: 204, headers, text: '' };
    throw unknownEvent();
  }

  /** Sends what belongs to no request, by the instance that has the stream for it. */
  async sendStandalone(given: ChannelMessage, session: SharedSession): Promise<void> {
    const { link } = this.#options;
    if (link !== undefined && !this.standalone.isConnected) {
      // Instances without a part in the session do not hear where its stream goes
      await session.reload();
      const way = await link.forward(session.record, given.message);
      if (way === 'sent') return;
      if (way === 'lost') this.standalone.expectReturn();
    }
    await this.standalone.send(given);
  }

  close(): void {
    this.#isClosed = true;
    for (const channel of this.#running.values()) channel.close();
  }

  #carry(channel: Channel, answer: StreamedAnswer, isPrimed: boolean): void {
    this.#endWith(channel, answer);
    const { keepAlive, onCancel, headers } = this.#options;
    const stream = new EventStream({ keepAlive, unread: answer.unread, onCancel });
    channel.connect(stream);
    const begin = (): void => {
      answer.begin(stream.body, headers);
    };
    // A stream that breaks before its first id is one that its client waits for without an end
    if (isPrimed) void channel.prime().then(begin, begin);
    else begin();
  }

  /** What was read to its end is not needed for long. */
  #endWith(channel: Channel, answer: StreamedAnswer): void {
    const { events } = this.#options;
    if (events === undefined) return;
    answer.atEnd(() => {
      if (answer.wasRead && channel.isEnded) void events.read(channel.id);
    });
  }

  #add(id: string, requests?: readonly RequestId[]): Channel {
    const use = { ...(requests && { requests }), onEnd: () => this.#running.delete(id) };
    const channel = new Channel(id, this.#options, use);
    this.#running.set(id, channel);
    return channel;
  }

  /** Who comes back for what ended does not read the response before any more. */
  #replaceReplay(id: string, stream: EventStream): void {
    this.#replays.get(id)?.giveUp();
    for (const [other, { isOver }] of this.#replays) if (isOver) this.#replays.delete(other);
    this.#replays.set(id, stream);
  }

  /** Of what ended, and of what another instance runs, there is only what is stored. */
  #ended(id: string): Pick<Channel, 'resume'> {
    const { events, link, retryInterval } = this.#options;
    if (link !== undefined && events !== undefined && !id.startsWith(this.#prefix)) {
      return new RemoteChannel({ events, link, retryInterval });
    }
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

function hasStream(): HttpRefusal {
  return new HttpRefusal(409, 'Conflict: this session has its standalone stream already');
}

function unknownEvent(): HttpRefusal {
  return new HttpRefusal(400, 'Last-Event-ID names no event that this session still has');
}

function failedReplay(): HttpRefusal {
  return new HttpRefusal(500, 'The missed events could not be read; try again', {
    code: jsonRpcCodes.internalError,
  });
}
