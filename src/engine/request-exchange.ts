import type { AuthInfo, CallExchange, ClientDescription, Retry } from '../call/call-exchange.ts';
import type { RequestPeer } from './request-peer.ts';
import type { RpcRequest } from './rpc-request.ts';

/** What belongs to a request and goes to its client meanwhile. */
export type FullExchange = Pick<CallExchange, 'raw' | 'notify' | 'request' | 'log'>;

type Params = Readonly<Record<string, unknown>>;

const NONE: Params = Object.freeze({});

/** How the exchange of one era differs from that of the other. */
export interface ExchangeForm {
  /** Of a request that answers no questions. */
  readonly retry: Retry | undefined;
  retryOf(request: RpcRequest): Retry | undefined;
  metaOf(request: RpcRequest): Params;
  clientOf(request: RpcRequest, peer: RequestPeer): ClientDescription;
  /** What few handlers use. */
  fullExchange(request: RpcRequest, peer: RequestPeer): FullExchange;
}

/**
 * The exchange of a request. Most handlers ask for little of it, so the rest is made
 * when it is used. It falls silent with the answer (spec: basic/utilities/progress, Behavior Requirements).
 */
export class RequestExchange implements CallExchange {
  readonly #era: ExchangeForm;
  readonly #request: RpcRequest;
  readonly #peer: RequestPeer;
  #full: FullExchange | undefined;
  #retry: Retry | undefined;
  #meta: Params | undefined;

  constructor(era: ExchangeForm, request: RpcRequest, peer: RequestPeer) {
    this.#era = era;
    this.#request = request;
    this.#peer = peer;
  }

  get requestId(): string | number {
    return this.#request.id;
  }
  get isCancelled(): boolean {
    return this.#peer.cancellation.isCancelled;
  }
  get signal(): AbortSignal {
    return this.#peer.cancellation.signal;
  }
  get sessionId(): string | undefined {
    return this.#peer.sessionId;
  }
  get meta(): Params {
    return (this.#meta ??=
      this.#request.params?.['_meta'] === undefined ? NONE : this.#era.metaOf(this.#request));
  }
  get authInfo(): AuthInfo | undefined {
    return this.#peer.authInfo;
  }
  get retry(): Retry | undefined {
    return (this.#retry ??= this.#era.retryOf(this.#request));
  }
  get raw(): unknown {
    return this.#whole.raw;
  }
  get releaseStream(): (() => void) | undefined {
    return this.#peer.releaseStream;
  }

  // Functions and not methods: whoever uses an exchange may take them off it. Few handlers use any.
  get client(): () => ClientDescription {
    return () => this.#era.clientOf(this.#request, this.#peer);
  }
  get header(): (name: string) => string | undefined {
    return (name) => this.#peer.http?.headers.get(name.toLowerCase()) ?? undefined;
  }
  get notify(): CallExchange['notify'] {
    return (method, params) => this.#whole.notify(method, params);
  }
  get request(): CallExchange['request'] {
    return (method, params, options) => this.#whole.request(method, params, options);
  }
  get log(): CallExchange['log'] {
    return (level, data, logger) => this.#whole.log(level, data, logger);
  }

  get #whole(): FullExchange {
    return (this.#full ??= this.#era.fullExchange(this.#request, this.#peer));
  }
}
