import type { AuthInfo } from '../../call/call-exchange.ts';
import type { ServedClient } from '../../runtime/service-request.ts';
import type { McpService } from '../../runtime/service.ts';
import type { Cancellation } from '../../call/call-context.ts';
import type { RunnableCall } from '../../engine/dispatched-call.ts';
import type { RpcRequest } from '../../engine/rpc-request.ts';
import type { RequestPeer } from '../../engine/request-peer.ts';
import { writeMessage } from '../../engine/json-rpc/message.ts';
import { Channels, type OpenChannel } from './streams/channels.ts';
import { RequestAnswer, type AnswerTarget } from './request-answer.ts';
import { type HttpAnswer, isStopping } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import type { Waiting } from './patience.ts';
import type { UnreadEvents } from './streams/unread-events.ts';

/** The request that carries a call, and the way back. */
export interface StatelessGiven {
  readonly request: HttpRequest;
  readonly authInfo: AuthInfo | undefined;
  readonly unread: UnreadEvents;
  /** Gets the answer, or the stream that it will come on. */
  begin(answer: HttpAnswer): void;
}

/** What all such calls have in common. */
export interface StatelessDoor {
  readonly service: McpService;
  clientOf(request: RpcRequest): ServedClient;
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly report: (error: Error) => void;
  /** Told before an answer is sent. */
  settle(call: StatelessCall): void;
}

/** One call that stands for itself. */
export class StatelessCall implements RequestPeer, AnswerTarget, Waiting {
  place: number | undefined;
  since = 0;
  readonly sessionId = undefined;
  readonly releaseStream = undefined;
  readonly #door: StatelessDoor;
  readonly #call: RunnableCall;
  readonly #given: StatelessGiven;
  readonly #answer: RequestAnswer;

  constructor(door: StatelessDoor, call: RunnableCall, given: StatelessGiven) {
    this.#door = door;
    this.#call = call;
    this.#given = given;
    this.#answer = new RequestAnswer(this);
  }

  get client(): ServedClient {
    return this.#door.clientOf(this.#call.request);
  }
  get service(): McpService {
    return this.#door.service;
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
    this.cancellation.onCancel(() => {
      this.#answer.abandon(isStopping(this.#call.request.id).toAnswer());
    });
    this.#call.run(this, (reply) => {
      this.#door.settle(this);
      this.#answer.finish(reply, this.#call.request.id, this.#door.report);
    });
  }

  /** Nobody may wait for it any more. */
  end(): void {
    this.cancellation.cancel();
  }

  /** Goes on as a stream. */
  goOn(): void {
    this.#answer.stream();
  }

  async notify(notification: object): Promise<void> {
    await this.#answer.send(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#door.report));
  }

  ask(): Promise<never> {
    return Promise.reject(new Error('Nobody can be asked'));
  }

  begin(answer: HttpAnswer): void {
    this.#given.begin(answer);
  }

  open(): OpenChannel | undefined {
    const { settings, report } = this.#door;
    if (settings.json) return undefined;
    return new Channels({
      events: undefined,
      retryInterval: 0,
      keepAlive: settings.keepAlive,
      headers: () => ({}),
      onDrop: () => {
        report(new Error('A client does not read its stream, so notifications were dropped'));
      },
      onFailure: () => undefined,
      onCancel: () => {
        this.end();
      },
    }).openPosted(this.#given.unread, false);
  }
}
