import type { SurfaceChange } from '../../call/notifier.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { answeredId, cancelledId, isRequest } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../json-rpc/json-rpc-error.ts';
import { EraChannel } from './era-channel.ts';
import { eraOfMessage } from './era-of-message.ts';
import type { WireTransport } from './wire-transport.ts';

/** The server of one era on a connection. */
export interface EraServer {
  /** Takes any message of its era. */
  take(message: unknown, extra: unknown): void;
  notify(change: SurfaceChange): void;
  /** Ends what stands open, and says so. */
  close(): Promise<void>;
  /** The connection has ended. */
  end(): void;
}

/** Makes the server of an era; called for the first message of the era. */
export type OpenEra = (channel: EraChannel) => EraServer;

/**
 * One connection with a server for each protocol era, of which each gets the messages of its era. Clients speak
 * one era each, but a client finds out which one by asking in both, and a proxy may carry several clients.
 */
export class EraSwitch {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #wire: WireTransport;
  readonly #open: Readonly<Record<ProtocolEra, OpenEra>>;
  readonly #onError: (error: Error) => void;
  readonly #servers = new Map<ProtocolEra, EraServer>();
  readonly #channel: EraChannel;
  /** Which era answers which request. */
  readonly #running = new Map<unknown, ProtocolEra>();
  #isClosed = false;
  #resolveClosed: () => void = () => undefined;

  /** @param onError told of what the connection failed to carry */
  constructor(
    wire: WireTransport,
    open: Readonly<Record<ProtocolEra, OpenEra>>,
    onError: (error: Error) => void,
  ) {
    this.#wire = wire;
    this.#open = open;
    this.#onError = onError;
    this.#channel = new EraChannel(wire, (message) => {
      this.#running.delete(answeredId(message));
    });
    const { onmessage, onerror, onclose } = wire;
    // Whoever made the transport may listen as well, as with servers of the SDK.
    wire.onmessage = (message, extra) => {
      onmessage?.call(wire, message, extra);
      this.#receive(message, extra);
    };
    wire.onerror = (error) => {
      onerror?.call(wire, error);
      onError(error);
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
    for (const server of this.#servers.values()) server.notify(change);
  }

  /** Lets the servers end what is open, and then ends the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await Promise.all([...this.#servers.values()].map((server) => server.close()));
      this.#answerRemaining();
    } finally {
      await this.#wire.close().finally(() => {
        this.#end();
      });
    }
  }

  /** What still runs will have no answer of its own any more. */
  #answerRemaining(): void {
    this.#channel.close();
    for (const id of [...this.#running.keys()]) {
      this.#refuse(id, { code: jsonRpcCodes.serverError, message: 'The server is shutting down' });
    }
  }

  /** Has ended also when its transport fails to say so. */
  #end(): void {
    this.#isClosed = true;
    this.#channel.close();
    for (const server of this.#servers.values()) server.end();
    this.#resolveClosed();
  }

  #receive(message: unknown, extra: unknown): void {
    if (this.#isClosed) return;
    const cancelled = cancelledId(message);
    const era = this.#running.get(cancelled) ?? eraOfMessage(message);
    if (cancelled !== undefined) this.#running.delete(cancelled);
    if (isRequest(message)) this.#running.set(message.id, era);
    try {
      this.#serverOf(era).take(message, extra);
    } catch (error) {
      // Nobody hears what is thrown where a message arrives.
      this.#onError(error as Error);
      if (!isRequest(message)) return;
      this.#refuse(message.id, {
        code: jsonRpcCodes.internalError,
        message: 'The request could not be read',
      });
    }
  }

  #serverOf(era: ProtocolEra): EraServer {
    const known = this.#servers.get(era);
    if (known !== undefined) return known;
    const server = this.#open[era](this.#channel);
    this.#servers.set(era, server);
    return server;
  }

  #refuse(id: unknown, error: JsonRpcFailure): void {
    this.#running.delete(id);
    this.#wire.send({ jsonrpc: '2.0', id, error }).catch(this.#onError);
  }
}
