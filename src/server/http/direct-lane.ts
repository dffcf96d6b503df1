import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { InFlight } from '../in-flight.ts';
import { readPost, type PostedMessages } from './http-body.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpHandler } from './http-handler.ts';
import { HttpRefusal } from './http-refusal.ts';
import { LaneRequest } from './lane-request.ts';

/** All that the guards look at in the head of a request, as it was when they let one pass. */
interface KnownHead {
  readonly url: string | undefined;
  readonly headers: readonly unknown[];
  readonly era: ProtocolEra;
}

/** Those that decide whether a request is served; one with any of the last three is never known. */
const DECISIVE = ['host', 'content-type', 'accept', 'mcp-protocol-version'] as const;
const STRANGE = ['origin', 'content-encoding', 'mcp-session-id'] as const;
const MOST_HEADS = 16;

/** Sends an answer, or hands a request over to whoever serves all others. */
export interface LaneExits {
  send(answer: HttpAnswer, request: LaneRequest): void;
  handOver(request: LaneRequest): void;
}

/**
 * A short way for requests of which the heads were let pass before: what the guards say depends on nothing else. Their
 * bodies are read and checked as all others; what needs an SDK is handed over with its body.
 */
export class DirectLane {
  readonly #handler: HttpHandler;
  readonly #unsent: InFlight;
  readonly #exits: LaneExits;
  readonly #heads: KnownHead[] = [];

  constructor(handler: HttpHandler, unsent: InFlight, exits: LaneExits) {
    this.#handler = handler;
    this.#unsent = unsent;
    this.#exits = exits;
  }

  /** Takes a request if it knows its head. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const era = this.#eraOf(incoming);
    const { settings, isStopping } = this.#handler;
    if (era === undefined || isStopping) return false;
    if (Number(incoming.headers['content-length'] ?? Infinity) > settings.bodyLimit) return false;
    const request = new LaneRequest(incoming, outgoing, (read) => {
      this.#serve(read, era);
    });
    request.start();
    return true;
  }

  /** Remembers a head that the guards let pass. */
  learn({ method, url, headers }: IncomingMessage, era: ProtocolEra): void {
    const { authenticate } = this.#handler.settings;
    if (authenticate !== undefined || method !== 'POST') return;
    if (STRANGE.some((name) => headers[name] !== undefined)) return;
    if (this.#heads.length >= MOST_HEADS) this.#heads.shift();
    this.#heads.push({ url, headers: DECISIVE.map((name) => headers[name]), era });
  }

  #eraOf({ method, url, headers }: IncomingMessage): ProtocolEra | undefined {
    if (method !== 'POST') return undefined;
    for (const head of this.#heads) {
      if (head.url !== url || !isSame(head, headers)) continue;
      return STRANGE.some((name) => headers[name] !== undefined) ? undefined : head.era;
    }
    return undefined;
  }

  #serve(request: LaneRequest, era: ProtocolEra): void {
    const posted = this.#read(request);
    const direct = posted?.era === era && !this.#handler.isStopping ? this.#handler.direct(era) : undefined;
    const call = direct?.find(posted?.body, request);
    if (direct === undefined || call === undefined) {
      this.#exits.handOver(request);
      return;
    }
    request.countIn(this.#handler.inFlight, this.#unsent);
    direct.answer(call, { request, authInfo: undefined, unread: request.unread }, (answer) => {
      this.#exits.send(answer, request);
    });
  }

  /** Undefined for what will be refused. */
  #read(request: LaneRequest): PostedMessages | undefined {
    const { bodyLimit } = this.#handler.settings;
    try {
      return readPost(request.bytes, bodyLimit, request.headers);
    } catch (error) {
      if (error instanceof HttpRefusal) return undefined;
      throw error;
    }
  }
}

function isSame(head: KnownHead, headers: IncomingMessage['headers']): boolean {
  for (let index = 0; index < DECISIVE.length; index += 1) {
    if (head.headers[index] !== headers[DECISIVE[index] as string]) return false;
  }
  return true;
}
