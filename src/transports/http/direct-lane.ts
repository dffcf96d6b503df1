import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { InFlight } from '../../runtime/admission.ts';
import { Roster } from '../roster.ts';
import { readPost } from './http-body.ts';
import { type HttpAnswer, HttpRefusal } from './http-answer.ts';
import type { HttpHandler } from './http-handler.ts';
import { LaneRequest, type LaneReader } from './lane-request.ts';
import { hasRepeated } from './node-request.ts';
import { decisiveOf, isSame, isStrange, type DecisiveHeaders } from './decisive-headers.ts';
import type { Backlog } from './streams/unread-events.ts';
import type { StatelessRequests } from './stateless-requests.ts';
import type { AnsweredCall, RpcRequest } from '../../engine/revision.ts';
import { METHODS_2025 } from '../../engine/protocol.ts';
import { isRequest } from '../../engine/json-rpc/message.ts';

/** All that the guards look at in the head of a request, as it was when they let one pass. */
interface KnownHead {
  readonly url: string | undefined;
  readonly decisive: DecisiveHeaders;
  readonly era: ProtocolEra;
}

const MOST_HEADS = 16;

/** Sends an answer, or hands a request over to whoever serves all others. */
export interface LaneExits {
  send(answer: HttpAnswer, request: LaneRequest): void;
  /** Answers a request that is not read to its end. */
  refuse(request: LaneRequest): void;
  handOver(request: LaneRequest): void;
}

/**
 * A short way for requests of which the heads were let pass before: what the guards say depends on nothing else. Their
 * bodies are read and checked as all others; what needs more is handed over with its body.
 */
export class DirectLane implements LaneReader {
  readonly bodyLimit: number;
  readonly backlog: Backlog;
  readonly reading = new Roster<LaneRequest>();
  readonly #handler: HttpHandler;
  readonly #unsent: InFlight;
  readonly #exits: LaneExits;
  readonly #heads: KnownHead[] = [];

  constructor(handler: HttpHandler, unsent: InFlight, exits: LaneExits) {
    this.#handler = handler;
    this.bodyLimit = handler.settings.bodyLimit;
    this.backlog = handler.backlog;
    this.#unsent = unsent;
    this.#exits = exits;
    handler.onStop(() => {
      for (const request of this.reading.all()) {
        this.reading.delete(request);
        exits.refuse(request);
      }
    });
  }

  /** Takes a request if it knows its head. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const era = this.#eraOf(incoming);
    const { isStopping } = this.#handler;
    if (era === undefined || isStopping) return false;
    if (Number(incoming.headers['content-length'] ?? Infinity) > this.bodyLimit) return false;
    if (hasRepeated(incoming.rawHeaders)) return false;
    new LaneRequest(incoming, outgoing, era, this).start();
    return true;
  }

  /** Remembers a head that the guards let pass. */
  learn({ method, url, headers }: IncomingMessage, era: ProtocolEra): void {
    const { authenticate } = this.#handler.settings;
    if (authenticate !== undefined || method !== 'POST' || headers['content-length'] === undefined) return;
    if (this.#heads.some((head) => head.url === url && isSame(head.decisive, headers))) return;
    if (isStrange(headers)) return;
    if (this.#heads.length >= MOST_HEADS) this.#heads.shift();
    this.#heads.push({ url, decisive: decisiveOf(headers), era });
  }

  #eraOf({ method, url, headers }: IncomingMessage): ProtocolEra | undefined {
    if (method !== 'POST') return undefined;
    for (const head of this.#heads) {
      if (head.url === url && isSame(head.decisive, headers))
        return isStrange(headers) ? undefined : head.era;
    }
    return undefined;
  }

  onRead(request: LaneRequest): void {
    const direct = this.#handler.direct(request.era);
    const call = direct && this.#find(direct, request);
    if (direct === undefined || call === undefined) {
      this.#exits.handOver(request);
      return;
    }
    request.countIn(this.#handler.inFlight, this.#unsent);
    direct.answer(call, request);
  }

  send(answer: HttpAnswer, request: LaneRequest): void {
    this.#exits.send(answer, request);
  }

  #find(direct: StatelessRequests, request: LaneRequest): AnsweredCall | RpcRequest | undefined {
    try {
      const { body, era } = readPost(request.bytes, this.bodyLimit, request.headers);
      // The head of a request that opens a session is judged in another way.
      const opensSession = isRequest(body) && METHODS_2025.get(body.method)?.opensSession === true;
      const call = era === request.era && !opensSession ? direct.find(body, request) : undefined;
      return call !== undefined && 'kind' in call && call.kind === 'standing' ? undefined : call;
    } catch (error) {
      // Whoever it is handed over to comes upon the same, and says so; a fault may be one of this way alone.
      if (!(error instanceof HttpRefusal)) direct.report(error as Error);
      return undefined;
    }
  }
}
