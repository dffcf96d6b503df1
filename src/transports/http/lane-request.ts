import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { ByteCollector } from '../../shared/byte-collector.ts';
import { Cancellation } from '../../call/call-context.ts';
import type { InFlight } from '../../runtime/admission.ts';
import type { HeaderReader } from '../../engine/revision.ts';
import type { BodyBytes, HttpRequest } from './http-request.ts';
import { NodeHeaders, targetOf } from './node-request.ts';
import type { Roster, Rostered } from '../roster.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { StatelessGiven } from './stateless-call.ts';
import { UnreadEvents, type Backlog } from './streams/unread-events.ts';

/** What reads the requests of a lane. */
export interface LaneReader {
  /** In bytes. */
  readonly bodyLimit: number;
  /** What clients have not read yet. */
  readonly backlog: Backlog;
  /** Those that have not come to their end. */
  readonly reading: Roster<LaneRequest>;
  onRead(request: LaneRequest): void;
  send(answer: HttpAnswer, request: LaneRequest): void;
}

/** A request of which the head is known to be good. Most of it is only made for those who ask. */
export class LaneRequest implements HttpRequest, StatelessGiven, Rostered {
  place: number | undefined;
  readonly method = 'POST';
  /** The lane takes no request whose sender has to be asked for. */
  readonly authInfo = undefined;
  /** What requests with its head were before; its body may say otherwise. */
  readonly era: ProtocolEra;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly gone = new Cancellation();
  /** Told when stopping has to wait for the response to a request that was handed over. */
  onAdmit: (() => void) | undefined;
  readonly #reader: LaneReader;
  readonly #body: ByteCollector;
  #bytes: BodyBytes | undefined;
  #counts: readonly InFlight[] = [];
  #headers: HeaderReader | undefined;
  #unread: UnreadEvents | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, era: ProtocolEra, reader: LaneReader) {
    this.era = era;
    this.#reader = reader;
    this.#body = new ByteCollector(reader.bodyLimit);
    this.incoming = incoming;
    this.outgoing = outgoing;
  }

  get request(): HttpRequest {
    return this;
  }
  get path(): string {
    return targetOf(this.incoming).path;
  }
  get url(): URL {
    return new URL(targetOf(this.incoming).url);
  }
  get host(): string | null {
    return targetOf(this.incoming).host;
  }
  get headers(): HeaderReader {
    return (this.#headers ??= new NodeHeaders(this.incoming.headers));
  }
  get unread(): UnreadEvents {
    return (this.#unread ??= new UnreadEvents(this.#reader.backlog));
  }
  get bytes(): BodyBytes {
    return (this.#bytes ??= this.#body.isTooLarge ? 'too-large' : this.#body.take());
  }

  start(): void {
    const { reading } = this.#reader;
    reading.add(this);
    this.incoming.on('data', (chunk: Uint8Array) => this.#body.add(chunk));
    this.incoming.on('end', () => {
      // One that was refused meanwhile has its answer.
      if (reading.delete(this)) this.#reader.onRead(this);
    });
    // An upload that breaks off is told by `close`; its error, Node tells only who listens to that.
    this.outgoing.once('close', () => {
      reading.delete(this);
      for (const count of this.#counts) count.end();
      if (!this.outgoing.writableFinished) this.gone.cancel();
    });
  }

  /** Counts it for as long as its connection is busy with it. */
  countIn(...counts: readonly InFlight[]): void {
    for (const count of counts) count.begin();
    this.#counts = counts;
  }

  begin(answer: HttpAnswer): void {
    this.#reader.send(answer, this);
  }

  readBody(): Promise<BodyBytes> {
    return Promise.resolve(this.bytes);
  }
}
