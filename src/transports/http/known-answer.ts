import type { AnsweredCall } from '../../engine/revision.ts';
import { KnownReply, knownText, replyBytes, replyText } from '../../engine/json-rpc/message.ts';
import { jsonAnswer, jsonHeaders, type PlainAnswer } from './http-answer.ts';

/** The response to a request whose answer is there already. */
export function answerOf(
  { id, reply, status }: AnsweredCall,
  report: (error: Error) => void,
  headers?: PlainAnswer['headers'],
): PlainAnswer {
  if (reply instanceof KnownReply) return new KnownAnswer(reply, id, headers);
  return jsonAnswer(replyText(reply, id, report), status, headers);
}

/** The answer to a request whose reply was written before. It is copied for those only who need a text. */
class KnownAnswer implements PlainAnswer {
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
