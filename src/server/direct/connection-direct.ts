import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { AuthInfo } from '../../call/call-exchange.ts';
import { Cancellation } from '../../call/cancellation.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import type { EraChannel } from '../era/era-channel.ts';
import { cancelledId, isRequest, reasonOf } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import { isProtocolMessage } from '../json-rpc/protocol-message.ts';
import type { DirectDoor } from '../server-surface.ts';
import type { DirectCall, RunnableCall, StandingCall } from './direct-call.ts';
import type { DirectPeer } from './direct-peer.ts';
import type { Subscription } from './subscription.ts';

/** What a connection knows of each of its requests. */
export type PeerOf = (
  id: string | number,
  given: Pick<DirectPeer, 'authInfo' | 'cancellation' | 'sessionId'>,
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

/** A client that listens to more than that is one that forgets to end it. */
const MAXIMUM_SUBSCRIPTIONS = 1000;

/** Answers requests of one connection without the SDK, which goes on to serve all others of the earlier era. */
export class ConnectionDirect {
  readonly #options: ConnectionDirectOptions;
  readonly #running = new Map<unknown, Cancellation>();
  readonly #subscriptions = new Map<unknown, Subscription>();

  constructor(options: ConnectionDirectOptions) {
    this.#options = options;
  }

  /** False for what is not served here: it is no message, expects no answer, or has to go to the SDK. */
  take(message: unknown, extra: unknown): boolean {
    const { era, isOpen } = this.#options;
    // A transport of somebody else checks nothing.
    if (!isProtocolMessage(message)) return false;
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) return this.#cancel(cancelled, reasonOf(message));
    if (!isRequest(message) || !isOpen()) return false;
    if (era === 'legacy' && !isPlainExtra(extra)) return false;
    if (this.#running.has(message.id) || this.#subscriptions.has(message.id)) {
      return era === 'modern' && this.#refuseTwin(message.id);
    }
    const call = this.#find(message);
    if (call !== undefined) this.#answer(call, extra as MessageExtra);
    return call !== undefined;
  }

  /** Tells the client, if it listens. */
  notify(change: SurfaceChange): void {
    for (const subscription of this.#subscriptions.values()) {
      const notice = subscription.noticeOf(change);
      if (notice !== undefined) this.#send(notice);
    }
  }

  /** Ends what stands open, and says so. */
  async close(): Promise<void> {
    const ends = [...this.#subscriptions.values()].map(({ end }) => this.#options.channel.send(end));
    this.#subscriptions.clear();
    await Promise.all(ends.map((sent) => sent.catch(this.#options.report)));
  }

  /** Aborts what runs; there is nobody to answer any more. */
  end(): void {
    for (const cancellation of this.#running.values()) cancellation.cancel();
    this.#running.clear();
    this.#subscriptions.clear();
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

  #answer(call: DirectCall, extra: MessageExtra): void {
    const { channel, report } = this.#options;
    if (call.kind === 'runnable') this.#run(call, extra);
    else if (call.kind === 'standing') this.#listen(call);
    else channel.reply(call.reply, call.id, report).catch(report);
  }

  #run(call: RunnableCall, extra: MessageExtra): void {
    const { channel, peerOf, report } = this.#options;
    const { id } = call.request;
    const cancellation = new Cancellation();
    this.#running.set(id, cancellation);
    const { sessionId } = channel;
    const peer = peerOf(id, { authInfo: extra?.authInfo, cancellation, sessionId });
    call.run(peer, (reply) => {
      if (this.#running.get(id) === cancellation) this.#running.delete(id);
      // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
      if (!cancellation.isCancelled) channel.reply(reply, id, report).catch(report);
    });
  }

  #listen({ id, subscription }: StandingCall): void {
    if (this.#subscriptions.size >= MAXIMUM_SUBSCRIPTIONS) {
      const limit = String(MAXIMUM_SUBSCRIPTIONS);
      this.#refuse(
        id,
        jsonRpcCodes.serverError,
        `This connection has reached its limit of ${limit} subscriptions`,
      );
      return;
    }
    this.#send(subscription.acknowledgement);
    if (subscription.isEmpty) this.#send(subscription.end);
    else this.#subscriptions.set(id, subscription);
  }

  /** Two answers with one id would be no answers at all. */
  #refuseTwin(id: string | number): true {
    this.#refuse(id, jsonRpcCodes.invalidRequest, 'Invalid request: a request with this id is still running');
    return true;
  }

  #refuse(id: string | number, code: number, message: string): void {
    const { channel, report } = this.#options;
    channel.reply({ error: { code, message } }, id, report).catch(report);
  }

  #send(message: object): void {
    const { channel, report } = this.#options;
    channel.send(message).catch(report);
  }

  #cancel(id: unknown, reason: unknown): boolean {
    if (this.#subscriptions.delete(id)) return true;
    const cancellation = this.#running.get(id);
    if (cancellation === undefined) return false;
    this.#running.delete(id);
    cancellation.cancel(reason);
    return true;
  }
}

type MessageExtra = { readonly authInfo?: AuthInfo } | undefined;

/** A transport of somebody else may say more of a message, which is for the SDK to pass on. */
function isPlainExtra(extra: unknown): extra is MessageExtra {
  return extra === undefined || Object.keys(extra as object).every((name) => name === 'authInfo');
}
