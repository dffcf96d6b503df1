import type { Cancellation } from '../../../call/call-context.ts';
import type { ChangeNotice } from '../../../call/notifier.ts';
import type { StandingCall } from '../../../engine/revision.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { replyMessage } from '../../../engine/json-rpc/message.ts';
import { notificationFault } from '../../../engine/revisions/2026-07-28/revision-2026.ts';
import { OwnerShares } from '../../../shared/owner-shares.ts';
import { ACCEPTED, HttpRefusal, type PlainAnswer } from '../http-answer.ts';
import type { EndpointContext, HttpExchange } from '../http-exchange.ts';
import type { OtherMessages } from '../posted-requests.ts';
import { EventStream } from './event-stream.ts';
import { StreamedAnswer } from './streamed-answer.ts';

/** Writing an event costs far more than making it, and all that are made in one turn are written in it. */
const AT_ONCE = 100;

/** What 2026-07-28 has beside short requests: notifications, and subscriptions, each on the response to its request. */
export class Subscriptions implements OtherMessages {
  readonly #context: EndpointContext;
  readonly #listening = new Map<EventStream, StandingCall>();
  /** Of the number of subscriptions, each by what ends it. */
  readonly #shares = new OwnerShares<Cancellation>();
  readonly #open = new Map<Cancellation, () => void>();
  /** Changes that are not yet sent to all subscribers. */
  readonly #changes: ChangeNotice[] = [];

  constructor(context: EndpointContext) {
    this.#context = context;
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

  /** @throws HttpRefusal when there are too many */
  listen(call: StandingCall, exchange: HttpExchange): void {
    const { subscription } = call;
    const answer = new StreamedAnswer(exchange, this.#context.backlog);
    // One for nothing ends at once, and nobody has to give way to it.
    if (!subscription.isEmpty) this.#takeShare(call.id, exchange, answer);
    const stream: EventStream = new EventStream({
      keepAlive: this.#context.settings.keepAlive,
      unread: answer.unread,
      onCancel: () => this.#listening.delete(stream),
    });
    write(stream, subscription.acknowledgement);
    if (subscription.isEmpty) {
      write(stream, endOf(call));
      stream.end();
    } else {
      this.#listening.set(stream, call);
      exchange.gone.onCancel(() => {
        this.#end(stream);
      });
    }
    answer.begin(stream.body);
  }

  /** In order; others have their turn between the parts of many. */
  notify(change: ChangeNotice): void {
    const { resources } = this.#context.application.service;
    // What was switched off since a client subscribed is hidden from it altogether.
    if (change.kind === 'resource' && resources?.knows(change.uri) === false) return;
    this.#changes.push(change);
    if (this.#changes.length === 1) void this.#tell();
  }

  async close(): Promise<void> {
    for (const [stream, call] of this.#listening) {
      write(stream, endOf(call));
      this.#end(stream);
    }
  }

  async #tell(): Promise<void> {
    for (let [change] = this.#changes; change !== undefined; [change] = this.#changes) {
      let told = 0;
      for (const [stream, { subscription }] of this.#listening) {
        const notice = subscription.noticeOf(change);
        if (notice === undefined) continue;
        if (told > 0 && told % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
        told += 1;
        write(stream, notice);
        // A client whose subscription ended knows that it missed something.
        if (stream.isFull) this.#end(stream);
      }
      this.#changes.shift();
    }
  }

  #end(stream: EventStream): void {
    if (this.#listening.delete(stream)) stream.end();
  }

  #takeShare(id: string | number, { authInfo }: HttpExchange, answer: StreamedAnswer): void {
    const { maxSubscriptions: total, sessionOwner } = this.#context.settings;
    const { ending } = answer;
    const owner = authInfo && sessionOwner(authInfo);
    // Where nobody is asked who calls, all are one owner.
    const bounds = { total, perOwner: owner === undefined ? total : Math.ceil(total / 2) };
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
      throw new HttpRefusal(503, text, { id });
    }
    this.#shares.add(owner, 1);
    // It is in use, so that only who has more than another gives it up.
    this.#shares.offer(owner, ending, 1);
    this.#open.set(ending, leave);
    answer.atEnd(leave);
  }
}

function endOf({ id, subscription }: StandingCall): object {
  return replyMessage({ result: subscription.end }, id);
}

function write(stream: EventStream, message: object): void {
  stream.write({ data: JSON.stringify(message) });
}
