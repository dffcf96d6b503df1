import type { IncomingMessage, ServerResponse } from 'node:http';
import { Cancellation } from '../direct/cancellation.ts';
import type { InFlight } from '../in-flight.ts';
import type { HeaderReader } from './header-reader.ts';
import { BodyCollector, type BodyBytes, type HttpRequest } from './http-request.ts';
import { NodeHeaders, targetOf } from './node-request.ts';
import { UnreadEvents } from './unread-events.ts';

/** A request of which the head is known to be good. Most of it is only made for those who ask. */
export class LaneRequest implements HttpRequest {
  readonly method = 'POST';
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly headers: HeaderReader;
  readonly gone = new Cancellation();
  readonly unread = new UnreadEvents();
  /** Told when stopping has to wait for the response to a request that was handed over. */
  onAdmit: (() => void) | undefined;
  readonly #onRead: (request: LaneRequest) => void;
  readonly #body = new BodyCollector(Infinity);
  #counts: readonly InFlight[] = [];

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, onRead: (request: LaneRequest) => void) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.headers = new NodeHeaders(incoming.headers);
    this.#onRead = onRead;
  }

  get url(): URL {
    return new URL(targetOf(this.incoming).url);
  }
  get host(): string | null {
    return targetOf(this.incoming).host;
  }
  get bytes(): BodyBytes {
    return this.#body.bytes();
  }

  start(): void {
    this.incoming.on('data', (chunk: Uint8Array) => this.#body.add(chunk));
    this.incoming.on('end', () => {
      this.#onRead(this);
    });
    // An upload that breaks off is told by `close`; unheard, its error would end the process.
    this.incoming.on('error', ignore);
    this.outgoing.on('close', () => {
      for (const count of this.#counts) count.end();
      if (!this.outgoing.writableFinished) this.gone.cancel();
    });
  }

  /** Counts it for as long as its connection is busy with it. */
  countIn(...counts: readonly InFlight[]): void {
    for (const count of counts) count.begin();
    this.#counts = counts;
  }

  readBody(): Promise<BodyBytes> {
    return Promise.resolve(this.bytes);
  }
}

function ignore(): void {
  // Its `close` says all that counts.
}
