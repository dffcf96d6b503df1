import type { SurfaceChange } from '../../call/notifier.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { answeredId, cancelledId, isRequest } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../json-rpc/json-rpc-error.ts';
import { EraChannel } from './era-channel.ts';
import { eraOfMessage } from './era-of-message.ts';
import type { WireTransport } from './wire-transport.ts';

/** The server of one era on a connection. */
export interface EraServer {
  /** Answers a message without the SDK; false for what has to go to it. */
  take?(message: unknown, extra: unknown): boolean;
  /** The connection has ended. */
  end?(): void;
  notify(change: SurfaceChange): void;
  close(): Promise<void>;
}

/** Connects a server to a channel; called for the first message of an era, and again as long as it fails. */
export type OpenEra = (channel: EraChannel) => Promise<EraServer>;

/** Told of what nobody else hears of. */
export interface EraReports {
  /** The connection failed to carry something. */
  readonly onError: (error: Error) => void;
  /** The server of an era could not be made. */
  readonly onFailure: (era: ProtocolEra, cause: unknown) => void;
}

/**
 * One connection with a server for each protocol era, of which each gets the messages of its era. Clients speak
 * one era each, but a client finds out which one by asking in both, and a proxy may carry several clients.
 */
export class EraSwitch {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #wire: WireTransport;
  readonly #open: Readonly<Record<ProtocolEra, OpenEra>>;
  readonly #reports: EraReports;
  readonly #channels = new Map<ProtocolEra, EraChannel>();
  readonly #servers = new Map<ProtocolEra, Promise<EraServer | undefined>>();
  /** Those that are open. */
  readonly #ready = new Map<ProtocolEra, EraServer>();
  /** Which era answers which request. */
  readonly #running = new Map<unknown, ProtocolEra>();
  #isClosed = false;
  #resolveClosed: () => void = () => undefined;

  constructor(wire: WireTransport, open: Readonly<Record<ProtocolEra, OpenEra>>, reports: EraReports) {
    this.#wire = wire;
    this.#open = open;
    this.#reports = reports;
    const { onmessage, onerror, onclose } = wire;
    // Whoever made the transport may listen as well, as with the SDK's own servers.
    wire.onmessage = (message, extra) => {
      onmessage?.call(wire, message, extra);
      this.#receive(message, extra);
    };
    wire.onerror = (error) => {
      onerror?.call(wire, error);
      reports.onError(error);
    };
    this.closed = new Promise((resolve) => {
      wire.onclose = () => {
        onclose?.call(wire);
        this.#end();
      };
      this.#resolveClosed = resolve;
    });
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  notify(change: SurfaceChange): void {
    for (const server of this.#ready.values()) server.notify(change);
  }

  /** Resolves when no server is being made for a message that has come. */
  async opened(): Promise<void> {
    await Promise.all(this.#servers.values());
  }

  /** Lets the servers end what is open, and then ends the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      const servers = await Promise.all(this.#servers.values());
      await Promise.all(servers.map(async (server) => server?.close()));
      this.#answerRemaining();
    } finally {
      await this.#wire.close().finally(() => {
        this.#end();
      });
    }
  }

  /** What still runs will have no answer of its own any more. */
  #answerRemaining(): void {
    const error = { code: jsonRpcCodes.serverError, message: 'The server is shutting down' };
    for (const id of this.#running.keys()) {
      this.#wire.send({ jsonrpc: '2.0', id, error }).catch(this.#reports.onError);
    }
    this.#running.clear();
  }

  /** Has ended also when its transport fails to say so. */
  #end(): void {
    this.#isClosed = true;
    for (const server of this.#ready.values()) server.end?.();
    for (const channel of this.#channels.values()) void channel.close();
    this.#resolveClosed();
  }

  #receive(message: unknown, extra: unknown): void {
    if (this.#isClosed) return;
    const cancelled = cancelledId(message);
    const era = this.#running.get(cancelled) ?? eraOfMessage(message);
    if (cancelled !== undefined) this.#running.delete(cancelled);
    if (isRequest(message)) this.#running.set(message.id, era);
    if (this.#ready.get(era)?.take?.(message, extra) !== true) this.#channelOf(era).deliver(message, extra);
  }

  #channelOf(era: ProtocolEra): EraChannel {
    const known = this.#channels.get(era);
    if (known !== undefined) return known;
    const channel = new EraChannel(this.#wire, (message) => {
      this.#running.delete(answeredId(message));
    });
    this.#channels.set(era, channel);
    this.#servers.set(era, this.#connect(era, channel));
    return channel;
  }

  async #connect(era: ProtocolEra, channel: EraChannel): Promise<EraServer | undefined> {
    try {
      const server = await this.#open[era](channel);
      this.#ready.set(era, server);
      channel.release();
      return server;
    } catch (cause) {
      this.#reports.onFailure(era, cause);
      // Whatever comes next tries again; left here, the dead channel would swallow it.
      this.#channels.delete(era);
      this.#servers.delete(era);
      const failure = { code: jsonRpcCodes.internalError, message: 'The server could not be started' };
      for (const message of channel.abandon()) this.#refuse(message, failure);
      return undefined;
    }
  }

  #refuse(message: unknown, error: JsonRpcFailure): void {
    if (!isRequest(message)) return;
    this.#running.delete(message.id);
    this.#wire.send({ jsonrpc: '2.0', id: message.id, error }).catch(this.#reports.onError);
  }
}
