import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { AuthInfo } from '../../call/call-exchange.ts';
import type { EraChannel } from '../era/era-channel.ts';
import { cancelledId, isRequest, reasonOf } from '../json-rpc/check-messages.ts';
import { isProtocolMessage } from '../json-rpc/protocol-message.ts';
import type { DirectDoor } from '../server-surface.ts';
import { Cancellation } from './cancellation.ts';
import type { DirectCall, RunnableCall } from './direct-call.ts';
import type { DirectPeer } from './direct-peer.ts';

/** What a connection knows of each of its requests. */
export type PeerOf = (
  id: string | number,
  given: Pick<DirectPeer, 'authInfo' | 'cancellation' | 'counts' | 'sessionId'>,
) => DirectPeer;

export interface ConnectionDirectOptions {
  readonly era: ProtocolEra;
  readonly door: DirectDoor;
  readonly channel: EraChannel;
  readonly peerOf: PeerOf;
  /** False as long as the client has not said who it is. */
  readonly isOpen: () => boolean;
  readonly report: (error: Error) => void;
}

/** Answers requests of one connection without the SDK, which goes on to serve all others. */
export class ConnectionDirect {
  readonly #options: ConnectionDirectOptions;
  readonly #running = new Map<unknown, Cancellation>();

  constructor(options: ConnectionDirectOptions) {
    this.#options = options;
  }

  /** False for what has to go to the SDK. */
  take(message: unknown, extra: unknown): boolean {
    const { channel, isOpen, report } = this.#options;
    // A transport of somebody else checks nothing; the SDK ignores what is no message.
    if (!isProtocolMessage(message)) return false;
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) return this.#cancel(cancelled, reasonOf(message));
    if (!isRequest(message) || this.#running.has(message.id) || !isOpen() || !isPlainExtra(extra))
      return false;
    const call = this.#find(message);
    if (call === undefined) return false;
    if (call.known === undefined) this.#run(call, extra);
    else channel.reply(call.known, message.id, report).catch(report);
    return true;
  }

  /** Aborts what runs; there is nobody to answer any more. */
  end(): void {
    for (const cancellation of this.#running.values()) cancellation.cancel();
    this.#running.clear();
  }

  #find(message: unknown): DirectCall | undefined {
    const { era, door, report } = this.#options;
    try {
      return door.dispatcher.find(era, message, undefined);
    } catch (error) {
      // Nobody hears what is thrown where a message arrives.
      report(error as Error);
      return undefined;
    }
  }

  #run(call: RunnableCall, extra: { readonly authInfo?: AuthInfo } | undefined): void {
    const { door, channel, peerOf, report } = this.#options;
    const { id } = call.request;
    const cancellation = new Cancellation();
    this.#running.set(id, cancellation);
    const { sessionId } = channel;
    const peer = peerOf(id, { authInfo: extra?.authInfo, cancellation, counts: door.counts, sessionId });
    call.run(peer, (reply) => {
      if (this.#running.get(id) === cancellation) this.#running.delete(id);
      // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
      if (!cancellation.isCancelled) channel.reply(reply, id, report).catch(report);
    });
  }

  #cancel(id: unknown, reason: unknown): boolean {
    const cancellation = this.#running.get(id);
    if (cancellation === undefined) return false;
    this.#running.delete(id);
    cancellation.cancel(reason);
    return true;
  }
}

/** A transport of somebody else may say more of a message, which is for the SDK to pass on. */
function isPlainExtra(extra: unknown): extra is { readonly authInfo?: AuthInfo } | undefined {
  return extra === undefined || Object.keys(extra as object).every((name) => name === 'authInfo');
}
