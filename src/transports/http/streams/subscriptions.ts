import type { Cancellation } from '../../../call/call-context.ts';
import type { ChangeNotice } from '../../../call/notifier.ts';
import type { AuthInfo } from '../../../call/request-context.ts';
import { ownerOf } from '../../../call/subject.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { replyMessage } from '../../../engine/json-rpc/message.ts';
import type { StandingReply } from '../../../engine/request.ts';
import { notificationFault } from '../../../engine/revisions/2026-07-28/revision-2026.ts';
import { Changes } from '../../../runtime/clients/changes.ts';
import { clientOf2026 } from '../../../runtime/clients/served-clients.ts';
import type { ServedClient } from '../../../kernel/call/service-request.ts';
import { OwnerShares } from '../../../shared/owners/owner-shares.ts';
import { ACCEPTED, HttpRefusal, type PlainAnswer } from '../http-answer.ts';
import type { Endpoint, HttpExchange, OtherMessages } from '../http-exchange.ts';

import { EventStream } from './event-stream.ts';
import { StreamedAnswer } from './streamed-answer.ts';

/** Writing an event costs far more than making it, and all that are made in one turn are written in it. */
const AT_ONCE = 100;

/** A request that stays open. */
interface Listening {
  readonly request: StandingReply;
  readonly close: () => void;
}

/** What 2026-07-28 has beside short requests: notifications, and subscriptions, each on the response to its request. */
export class Subscriptions implements OtherMessages {
  readonly #context: Endpoint;
  readonly client: ServedClient;
  readonly #changes: Changes;
  readonly #listening = new Map<EventStream, Listening>();
  /** Of the number of subscriptions, each by what ends it. */
  readonly #shares = new OwnerShares<Cancellation>();
  readonly #open = new Map<Cancellation, () => void>();

  constructor(context: Endpoint) {
    this.#context = context;
    const { service, logger } = context.application;
    this.#changes = new Changes(service, logger, AT_ONCE);
    this.client = clientOf2026(this.#changes);
  }

  /** What expects no answer is welcome, if it says truly what it is. */
  async serve({ headers }: HttpExchange, body: unknown): Promise<PlainAnswer> {
    if (Array.isArray(body)) {
      throw new HttpRefusal(400, 'Invalid request: batches ended before 2026-07-28', {
        code: jsonRpcCodes.invalidRequest,
      });
    }
    const fault = notificationFault(body, headers);
    if (fault === undefined) return ACCEPTED;
    const { message, ...others } = fault;
    throw new HttpRefusal(400, message, others);
  }

  listen(request: StandingReply, exchange: HttpExchange): void {
    const { authInfo } = exchange;
    // Before anything is kept: it is a function of the application, and may throw
    const owner = authInfo && this.#context.settings.sessionOwner(authInfo);
    const answer = new StreamedAnswer(exchange, this.#context.backlog, true);
    const stream: EventStream = new EventStream({
      keepAlive: this.#context.settings.keepAlive,
      unread: answer.unread,
      onCancel: () => {
        this.#forget(stream);
      },
    });
    const close = request.open((notification) => {
      write(stream, notification);
      // A client whose subscription ended knows that it missed something.
      if (stream.isFull) this.#end(stream);
    });
    if (close === undefined) {
      // One for nothing ends at once, and nobody has to give way to it.
      write(stream, endOf(request));
      stream.end();
    } else {
      this.#listening.set(stream, { request, close: this.#register(stream, { request, close }, authInfo) });
      const refusal = this.#takeShare(request.id, owner, answer);
      if (refusal !== undefined) {
        this.#end(stream);
        exchange.answer(refusal.toAnswer());
        return;
      }
      exchange.gone.onCancel(() => {
        this.#end(stream);
      });
    }
    answer.begin(stream.body);
  }

  notify(change: ChangeNotice): void {
    this.#changes.tell(change);
  }

  release(): void {
    for (const [stream, { request }] of this.#listening) {
      write(stream, endOf(request));
      this.#end(stream);
    }
  }

  async close(): Promise<void> {
    this.release();
  }

  /** @returns what closes it */
  #register(stream: EventStream, { request, close }: Listening, authInfo: AuthInfo | undefined): () => void {
    if (authInfo === undefined) return close;
    const leave = this.#context.application.service.settings.open.add(ownerOf(authInfo), () => {
      write(stream, endOf(request));
      this.#end(stream);
    });
    return () => {
      leave();
      close();
    };
  }

  #end(stream: EventStream): void {
    if (this.#forget(stream)) stream.end();
  }

  #forget(stream: EventStream): boolean {
    this.#listening.get(stream)?.close();
    return this.#listening.delete(stream);
  }

  #takeShare(
    id: string | number,
    owner: string | undefined,
    answer: StreamedAnswer,
  ): HttpRefusal | undefined {
    const { maxSubscriptions: total } = this.#context.settings;
    const { ending } = answer;
    // Where nobody is asked who calls, all are one owner.
    const bounds = {
      total,
      perOwner: owner === undefined ? total : Math.ceil(total / 2),
    };
    const leave = (): void => {
      if (!this.#open.delete(ending)) return;
      this.#shares.withdraw(owner, ending);
      this.#shares.remove(owner, 1);
    };
    const hasRoom = this.#shares.makeRoom(owner, 1, bounds, (given) => {
      this.#open.get(given)?.();
      given.cancel();
    });
    if (!hasRoom) {
      const text = `The server has reached its limit of ${String(total)} subscriptions; try again later`;
      return new HttpRefusal(503, text, { id });
    }
    this.#shares.add(owner, 1);
    // It is in use, so that only who has more than another gives it up.
    this.#shares.offer(owner, ending, 1);
    this.#open.set(ending, leave);
    answer.atEnd(leave);
    return undefined;
  }
}

function endOf({ id, end }: StandingReply): object {
  return replyMessage(end, id);
}

function write(stream: EventStream, message: object): void {
  stream.write({ data: JSON.stringify(message) });
}
