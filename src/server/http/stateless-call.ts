import type { AuthInfo } from '../../call/call-exchange.ts';
import type { Connection } from '../../runtime/attach/connection.ts';
import type { CallCount } from '../call-count.ts';
import { Cancellation } from '../direct/cancellation.ts';
import type { DirectCall } from '../direct/direct-dispatcher.ts';
import type { DirectPeer } from '../direct/direct-peer.ts';
import { writeMessage } from '../json-rpc/write-message.ts';
import { Channels, type OpenChannel } from './channels.ts';
import { DirectAnswer } from './direct-answer.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import { isStopping } from './http-refusal.ts';
import { UnreadEvents } from './unread-events.ts';

/** What is known of the request that carries a call. */
export interface StatelessGiven {
  readonly request: HttpRequest;
  readonly authInfo: AuthInfo | undefined;
  /** Undefined where nobody counts yet. */
  readonly unread: UnreadEvents | undefined;
}

/** What all such calls have in common. */
export interface StatelessDoor {
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly report: (error: Error) => void;
}

/** Nobody can be asked, and nothing is known of the client but what its request says. */
const ALONE: Connection = { target: { setRequestHandler: () => undefined }, canAsk: false };

/** One call that stands for itself. */
export class StatelessCall implements DirectPeer {
  readonly connection = ALONE;
  readonly counts: readonly CallCount[];
  readonly cancellation = new Cancellation();
  readonly sessionId = undefined;
  readonly releaseStream = undefined;
  readonly #door: StatelessDoor;
  readonly #call: DirectCall;
  readonly #given: StatelessGiven;
  readonly #answer: DirectAnswer;

  constructor(
    door: StatelessDoor,
    counts: readonly CallCount[],
    call: DirectCall,
    given: StatelessGiven,
    begin: (answer: HttpAnswer) => void,
  ) {
    this.#door = door;
    this.counts = counts;
    this.#call = call;
    this.#given = given;
    this.#answer = new DirectAnswer({ open: door.settings.json ? undefined : this.#open }, begin);
  }

  get authInfo(): AuthInfo | undefined {
    return this.#given.authInfo;
  }
  get http(): HttpRequest {
    return this.#given.request;
  }
  get canLog(): boolean {
    return !this.#door.settings.json;
  }

  /** @param onEnd runs before the answer is sent */
  async run(onEnd: () => void): Promise<void> {
    const { gone } = this.#given.request;
    gone.onCancel(this.end);
    const reply = await this.#call.run(this);
    gone.offCancel(this.end);
    onEnd();
    this.#answer.finish(reply, this.#call.request.id, this.#door.report);
  }

  /** Nobody waits for it any more, or may. */
  readonly end = (): void => {
    this.cancellation.cancel();
    this.#answer.abandon(isStopping(this.#call.request.id).toAnswer());
  };

  /** Goes on as a stream. */
  readonly goOn = (): void => {
    this.#answer.stream();
  };

  async notify(notification: object): Promise<void> {
    await this.#answer.send(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#door.report));
  }

  ask(): Promise<never> {
    return Promise.reject(new Error('Nobody can be asked'));
  }

  readonly #open = (): OpenChannel =>
    new Channels({
      events: undefined,
      retryInterval: 0,
      keepAlive: this.#door.settings.keepAlive,
      headers: () => ({}),
      onDrop: () => {
        this.#door.report(new Error('A client does not read its stream, so notifications were dropped'));
      },
      onFailure: () => undefined,
    }).openPosted(this.#given.unread ?? new UnreadEvents(), false);
}
