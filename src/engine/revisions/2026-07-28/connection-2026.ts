import { Cancellation } from '../../../call/call-context.ts';
import type { SurfaceChange } from '../../../call/notifier.ts';
import { CLIENT_2026 } from '../../../runtime/service-request.ts';
import type { RunnableCall, StandingCall } from '../../dispatched-call.ts';
import type { RequestPeer } from '../../request-peer.ts';
import type { Dispatcher } from '../../dispatcher.ts';
import type { RpcRequest } from '../../rpc-request.ts';
import { type Reply, cancelledId, isRequest, reasonOf } from '../../json-rpc/message.ts';
import type { Subscription } from './subscription.ts';
import { jsonRpcCodes } from '../../json-rpc/json-rpc-error.ts';
import { dispatcherOf, type ServerSurface } from '../../server-surface.ts';
import type { ConnectionWire, MessageOrigin } from '../2025/connection-2025.ts';

/** A client that listens to more than that is one that forgets to end it. */
const MAXIMUM_SUBSCRIPTIONS = 1000;

/**
 * Serves the messages of 2026-07-28 of one connection: every request says who asks, and nothing is remembered of a
 * client but what it listens to.
 */
export class Connection2026 {
  readonly #surface: ServerSurface;
  readonly #wire: ConnectionWire;
  readonly #sessionId: string | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #running = new Map<unknown, Cancellation>();
  readonly #subscriptions = new Map<unknown, Subscription>();

  constructor(surface: ServerSurface, wire: ConnectionWire, sessionId: string | undefined) {
    this.#surface = surface;
    this.#wire = wire;
    this.#sessionId = sessionId;
    this.#dispatcher = dispatcherOf(surface);
  }

  /** Takes any message of the protocol; what expects no answer and cancels nothing means nothing here. */
  receive(message: unknown, origin: MessageOrigin = {}): void {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#cancel(cancelled, reasonOf(message));
    if (isRequest(message)) this.#answer(message, origin);
  }

  /** Tells the client, if it listens. */
  notify(change: SurfaceChange): void {
    const { resources } = this.#surface.service;
    // What was switched off since the client subscribed is hidden from it altogether.
    if (change.kind === 'resource' && resources?.knows(change.uri) === false) return;
    for (const subscription of this.#subscriptions.values()) {
      const notice = subscription.noticeOf(change);
      if (notice !== undefined) this.#send(notice).catch(this.#report);
    }
  }

  /** Ends what stands open, and says so. */
  async close(): Promise<void> {
    const ended = [...this.#subscriptions].map(([id, { end }]) =>
      this.#wire.reply({ result: end }, id as string | number).catch(this.#report),
    );
    this.#subscriptions.clear();
    await Promise.all(ended);
  }

  /** Aborts what runs; there is nobody to answer any more. */
  end(): void {
    for (const cancellation of this.#running.values()) cancellation.cancel();
    this.#running.clear();
    this.#subscriptions.clear();
  }

  #answer(request: RpcRequest, origin: MessageOrigin): void {
    const { id } = request;
    const call = this.#dispatcher.find2026(request, undefined);
    if (call?.kind === 'runnable') this.#run(call, origin);
    else if (call?.kind === 'standing') this.#listen(call);
    else if (call?.kind === 'answered') this.#reply(call.reply, id);
  }

  #run(call: RunnableCall, { authInfo }: MessageOrigin): void {
    const { id } = call;
    const cancellation = new Cancellation();
    this.#running.set(id, cancellation);
    call.run(this.#peerOf(cancellation, authInfo), (reply) => {
      if (this.#running.get(id) === cancellation) this.#running.delete(id);
      // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
      if (!cancellation.isCancelled) this.#reply(reply, id);
    });
  }

  #peerOf(cancellation: Cancellation, authInfo: MessageOrigin['authInfo']): RequestPeer {
    return {
      authInfo,
      cancellation,
      service: this.#surface.service,
      client: CLIENT_2026,
      sessionId: this.#sessionId,
      http: undefined,
      releaseStream: undefined,
      canLog: true,
      notify: this.#send,
      ask: nobody,
    };
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
    this.#send(subscription.acknowledgement).catch(this.#report);
    if (subscription.isEmpty) this.#reply({ result: subscription.end }, id);
    else this.#subscriptions.set(id, subscription);
  }

  #refuse(id: string | number, code: number, message: string): void {
    this.#reply({ error: { code, message } }, id);
  }

  #reply(reply: Reply, id: string | number): void {
    this.#wire.reply(reply, id).catch(this.#report);
  }

  #cancel(id: unknown, reason: unknown): void {
    const cancellation = this.#running.get(id);
    this.#subscriptions.delete(id);
    this.#running.delete(id);
    cancellation?.cancel(reason);
  }

  readonly #send = (message: object): Promise<void> => this.#wire.send(message);

  readonly #report = (cause: Error): void => {
    this.#surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
}

function nobody(): Promise<never> {
  return Promise.reject(new Error('Nobody can be asked while a request runs'));
}
