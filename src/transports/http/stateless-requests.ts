import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { CLIENT_2026, NO_CLIENT, type ServedClient } from '../../runtime/service-request.ts';
import { offersTasks, taskPortOf } from '../../runtime/tasks/task-port.ts';
import type { McpService } from '../../runtime/service.ts';
import type { AnsweredCall, OwnAnswer, Revision, RpcRequest } from '../../engine/revision.ts';
import { noSession, type SessionState } from '../../engine/revisions/2025/handshake.ts';
import { isRequest } from '../../engine/json-rpc/message.ts';
import { dispatcherOf, type Dispatcher, type ServerSurface } from '../../engine/dispatcher.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import { answerOf } from './known-answer.ts';
import { Patience } from './patience.ts';
import { StatelessCall, type StatelessDoor, type StatelessGiven } from './stateless-call.ts';

/** Milliseconds after which a client that waits gets a stream, whose comments keep the connection open. */
const PATIENCE = 1000;

/** Answers requests that stand for themselves. */
export class StatelessRequests implements StatelessDoor {
  readonly era: ProtocolEra;
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly service: McpService;
  readonly revision: Revision;
  readonly #dispatcher: Dispatcher;
  readonly #surface: ServerSurface;
  readonly #running: Patience<StatelessCall>;
  readonly #session: SessionState;
  /** The client of a request of 2025 that is about a task, which everybody finds who knows its id. */
  readonly #taskClient: ServedClient;

  constructor(era: ProtocolEra, surface: ServerSurface, settings: HttpSettings) {
    this.era = era;
    this.settings = settings;
    this.#running = new Patience(era === '2025' ? PATIENCE : Infinity);
    this.#dispatcher = dispatcherOf(surface);
    this.revision = era === '2026' ? this.#dispatcher.revision2026 : this.#dispatcher.revision2025;
    this.#surface = surface;
    this.#session = noSession(!settings.json);
    this.#taskClient = { ...NO_CLIENT, tasks: taskPortOf('2025') };
    this.service = surface.service;
  }

  /**
   * Begins to answer a request whose headers were found good.
   * @param isUsual whether others with the same headers would be found good, too
   */
  begin(
    call: AnsweredCall | RpcRequest,
    { request, authInfo, unread }: AdmittedRequest,
    isUsual = true,
  ): Promise<HttpAnswer> {
    if (isUsual) request.onDirect?.(this.era);
    return new Promise((begin) => {
      this.answer(call, { request, authInfo, unread, begin });
    });
  }

  /** What is answered at once, or the request that has to be worked out; undefined for what is no request. */
  find(body: unknown, request: HttpRequest): OwnAnswer | RpcRequest | undefined {
    if (!isRequest(body)) return undefined;
    const { revision2025, revision2026 } = this.#dispatcher;
    return this.era === '2026'
      ? (revision2026.find(body, request, !this.settings.json) ?? body)
      : (revision2025.find(body, this.#session) ?? body);
  }

  clientOf({ method, params }: RpcRequest): ServedClient {
    if (this.era === '2026') return CLIENT_2026;
    const isOfTask = params?.['task'] !== undefined || method.startsWith('tasks/');
    return isOfTask && offersTasks(this.service) ? this.#taskClient : NO_CLIENT;
  }

  answer(call: AnsweredCall | RpcRequest, given: StatelessGiven): void {
    if ('kind' in call) {
      given.begin(answerOf(call, this.report));
      return;
    }
    const running = new StatelessCall(this, call, given);
    this.#running.watch(running);
    running.start();
  }

  /** Told before an answer is sent. */
  settle(call: StatelessCall): void {
    this.#running.forget(call);
  }

  /** Aborts what runs. */
  close(): void {
    const running = this.#running.all();
    this.#running.close();
    for (const call of running) call.end();
  }

  readonly report = (cause: Error): void => {
    this.#surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
}
