import { andThen } from '../../call/eventual.ts';
import type { AuthInfo } from '../../call/call-exchange.ts';
import type { Connection } from '../../runtime/attach/connection.ts';
import type { CallCount } from '../call-count.ts';
import type { Cancellation } from '../direct/cancellation.ts';
import type { DirectCall } from '../direct/direct-dispatcher.ts';
import type { DirectPeer } from '../direct/direct-peer.ts';
import { writeMessage } from '../json-rpc/write-message.ts';
import { Channels, type OpenChannel } from './channels.ts';
import { DirectAnswer } from './direct-answer.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import { isStopping } from './http-refusal.ts';
import type { UnreadEvents } from './unread-events.ts';

/** What is known of the request that carries a call. */
export interface StatelessGiven {
  readonly request: HttpRequest;
  readonly authInfo: AuthInfo | undefined;
  readonly unread: UnreadEvents;
}

/** What all such calls have in common. */
export interface StatelessDoor {
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly report: (error: Error) => void;
  /** Told before an answer is sent. */
  settle(call: StatelessCall): void;
}

/** Nobody can be asked, and nothing is known of the client but what its request says. */
const ALONE: Connection = { target: { setRequestHandler: () => undefined }, canAsk: false };

/** One call that stands for itself. */
export class StatelessCall implements DirectPeer {
  readonly connection = ALONE;
  readonly counts: readonly CallCount[];
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
  /** That of its request: whoever goes away cancels it, because nobody can come back for the answer. */
  get cancellation(): Cancellation {
    return this.#given.request.gone;
  }
  get http(): HttpRequest {
    return this.#given.request;
  }
  get canLog(): boolean {
    return !this.#door.settings.json;
  }

  run(): void {
    this.cancellation.onCancel(this.#abandon);
    void andThen(this.#call.run(this), (reply) => {
      this.#door.settle(this);
      this.#answer.finish(reply, this.#call.request.id, this.#door.report);
    });
  }

  /** Nobody may wait for it any more. */
  end(): void {
    this.cancellation.cancel();
  }

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

  readonly #abandon = (): void => {
    this.#answer.abandon(isStopping(this.#call.request.id).toAnswer());
  };

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
      onCancel: () => {
        this.end();
      },
    }).openPosted(this.#given.unread, false);
}
