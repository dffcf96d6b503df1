import type { UnreadEvents } from '../http/unread-events.ts';

export type RequestId = string | number;

/** The requests of one POST, until each of them is answered or cancelled. */
export class PostedRequests {
  readonly unread: UnreadEvents;
  /** Those that the client cancelled; they get no answer. */
  readonly cancelled: RequestId[] = [];
  readonly answers: unknown[] = [];
  /** Resolves to the response when nothing else will end it. */
  readonly ended: Promise<Response>;
  readonly end: (response: Response) => void;
  #open: number;

  constructor(count: number, unread: UnreadEvents) {
    this.#open = count;
    this.unread = unread;
    let end: (response: Response) => void = () => undefined;
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.end = end;
  }

  /** @returns whether it was the last one */
  settle(): boolean {
    this.#open -= 1;
    return this.#open === 0;
  }

  /** The answers as plain JSON; without any there is nothing to say. */
  toResponse(): Response {
    if (this.answers.length === 0) return new Response(null, { status: 202 });
    return new Response(JSON.stringify(this.answers), { headers: { 'content-type': 'application/json' } });
  }
}
