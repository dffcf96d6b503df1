import type { KnownReply } from '../direct/known-reply.ts';
import { knownText, replyBytes } from '../direct/reply.ts';
import { jsonHeaders, type PlainAnswer } from './http-answer.ts';

/** The answer to a request whose reply was written before. It is copied for those only who need a text. */
export class KnownAnswer implements PlainAnswer {
  readonly status = 200;
  readonly headers: PlainAnswer['headers'];
  readonly #reply: KnownReply;
  readonly #id: string | number;

  constructor(reply: KnownReply, id: string | number, headers?: PlainAnswer['headers']) {
    this.headers = jsonHeaders(headers);
    this.#reply = reply;
    this.#id = id;
  }

  get text(): string {
    return knownText(this.#reply, this.#id);
  }

  get bytes(): readonly Uint8Array[] {
    return replyBytes(this.#reply, this.#id);
  }
}
