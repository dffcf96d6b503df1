import type { AuthInfo } from '../../call/call-exchange.ts';
import { writeMessage, type Reply } from '../../engine/json-rpc/message.ts';
import { RunningRequest } from '../../engine/request.ts';
import type { Revision, RpcRequest } from '../../engine/revision.ts';
import type { ServedClient } from '../../runtime/service-request.ts';
import type { McpService } from '../../runtime/service.ts';
import { isStopping, type HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import type { Waiting } from './patience.ts';
import { RequestAnswer, type AnswerTarget } from './request-answer.ts';
import { Channels, type OpenChannel } from './streams/channels.ts';
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
  readonly revision: Revision;
  clientOf(request: RpcRequest): ServedClient;
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly report: (error: Error) => void;
  /** Told before an answer is sent. */
  settle(call: StatelessCall): void;
}

/** One call that stands for itself. Whoever goes away cancels it, because nobody can come back for the answer. */
export class StatelessCall extends RunningRequest implements AnswerTarget, Waiting {
  place: number | undefined;
  since = 0;
  readonly session = undefined;
  readonly sessionId = undefined;
  readonly releaseStream = undefined;
  readonly #door: StatelessDoor;
  readonly #given: StatelessGiven;
  readonly #answer: RequestAnswer;

  constructor(door: StatelessDoor, message: RpcRequest, given: StatelessGiven) {
    super(door.revision, message, given.request.gone);
    this.#door = door;
    this.#given = given;
    this.#answer = new RequestAnswer(this);
  }

  get served(): ServedClient {
    return this.#door.clientOf(this.message);
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

  start(): void {
    this.cancellation.onCancel(() => {
      this.#answer.abandon(isStopping(this.message.id).toAnswer());
    });
    this.run(this.#door.service);
  }

  deliver(reply: Reply): void {
    this.#door.settle(this);
    this.#answer.finish(reply, this.message.id, this.#door.report);
  }

  /** Nobody may wait for it any more. */
  end(): void {
    this.cancellation.cancel();
  }

  /** Goes on as a stream. */
  goOn(): void {
    this.#answer.stream();
  }

  async send(notification: object): Promise<void> {
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
