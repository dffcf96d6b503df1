import type { RequestPeer } from './request-peer.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { WireForm } from './wire-form.ts';
import { serveRequest } from './serve-request.ts';
import type { Reply } from './json-rpc/message.ts';
import type { Subscription } from './revisions/2026-07-28/subscription.ts';

/** How a request is answered. */
export type DispatchedCall = AnsweredCall | RunnableCall | StandingCall;

/** A request that has its answer, or gets one. */
export type ShortCall = AnsweredCall | RunnableCall;

/** A request whose answer is there already, be it that it is refused. */
export interface AnsweredCall {
  readonly kind: 'answered';
  readonly id: string | number;
  readonly reply: Reply;
  /** Of the HTTP response. */
  readonly status: number;
}

/** A request that stays open until the client or the server ends it. */
export interface StandingCall {
  readonly kind: 'standing';
  readonly id: string | number;
  readonly subscription: Subscription;
}

/** A request whose answer has to be worked out. */
export class RunnableCall {
  readonly kind = 'runnable';
  readonly request: RpcRequest;
  readonly #era: WireForm;

  constructor(request: RpcRequest, era: WireForm) {
    this.request = request;
    this.#era = era;
  }

  get id(): string | number {
    return this.request.id;
  }

  /** Answers it, with one reply whatever happens. */
  run(peer: RequestPeer, deliver: (reply: Reply) => void): void {
    serveRequest(this.#era, this.request, peer, deliver);
  }
}

export function answered(id: string | number, reply: Reply, status = 200): AnsweredCall {
  return { kind: 'answered', id, reply, status };
}
