import type { SurfaceChange } from '../../../call/notifier.ts';
import { OwnerShares } from '../../../shared/owner-shares.ts';
import type { Cancellation } from '../../../call/call-context.ts';
import type { StandingCall } from '../../../engine/revision.ts';
import { replyMessage } from '../../../engine/json-rpc/message.ts';
import type { AdmittedRequest } from '../admitted-request.ts';
import { EventStream, streamResponse } from './event-stream.ts';
import type { HttpSettings } from '../http-options.ts';
import { HttpRefusal } from '../http-answer.ts';

/** Writing an event costs far more than making it, and all that are made in one turn are written in it. */
const AT_ONCE = 100;

/** The open subscriptions of an endpoint, each on the response to its request. */
export class SubscriptionStreams {
  readonly #settings: HttpSettings;
  readonly #listening = new Map<EventStream, StandingCall>();
  /** Of the number of subscriptions, each by what ends it. */
  readonly #shares = new OwnerShares<Cancellation>();
  readonly #open = new Map<Cancellation, () => void>();
  /** What they have not all been told. */
  readonly #changes: SurfaceChange[] = [];

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /** @throws HttpRefusal when there are too many */
  open(call: StandingCall, admitted: AdmittedRequest): Response {
    const { subscription } = call;
    // One for nothing ends at once, and nobody has to give way to it.
    if (!subscription.isEmpty) this.#takeShare(call.id, admitted);
    const { unread, request } = admitted;
    const stream: EventStream = new EventStream({
      keepAlive: this.#settings.keepAlive,
      unread,
      onCancel: () => this.#listening.delete(stream),
    });
    write(stream, subscription.acknowledgement);
    if (subscription.isEmpty) {
      write(stream, endOf(call));
      stream.end();
    } else {
      this.#listening.set(stream, call);
      request.gone.onCancel(() => {
        this.#end(stream);
      });
    }
    return streamResponse(stream.body);
  }

  /** In order; others have their turn between the parts of many. */
  notify(change: SurfaceChange): void {
    this.#changes.push(change);
    if (this.#changes.length === 1) void this.#tell();
  }

  close(): void {
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

  #takeShare(id: string | number, { authInfo, ending, atEnd }: AdmittedRequest): void {
    const { maximumSubscriptions: total, sessionOwner } = this.#settings;
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
    atEnd(leave);
  }
}

function endOf({ id, subscription }: StandingCall): object {
  return replyMessage({ result: subscription.end }, id);
}

function write(stream: EventStream, message: object): void {
  stream.write({ data: JSON.stringify(message) });
}
