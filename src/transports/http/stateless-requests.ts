import type { AuthInfo } from '../../call/call-exchange.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { dispatcherOf, type Dispatcher } from '../../engine/dispatcher.ts';
import { idOf, isRequest, replyText, writeMessage, type Reply } from '../../engine/json-rpc/message.ts';
import { RunningRequest } from '../../engine/request.ts';
import type { AnsweredCall, OwnAnswer, Revision, RpcRequest, StandingCall } from '../../engine/revision.ts';
import { noSession, type SessionState } from '../../engine/revisions/2025/handshake.ts';
import { CLIENT_2026, NO_CLIENT, type ServedClient } from '../../runtime/service-request.ts';
import { offersTasks, taskPortOf } from '../../runtime/tasks/task-port.ts';
import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { answerOf, isStopping, JSON_HEADERS, statusOf, type HttpAnswer } from './http-answer.ts';
import type { EndpointContext, HttpEndpoint, HttpExchange } from './http-exchange.ts';
import { checkInitialize } from './sessions/check-post.ts';
import type { Channel } from './streams/channel.ts';
import { Channels } from './streams/channels.ts';
import { StreamUpgradeTimer, type UpgradableAnswer } from './streams/stream-upgrade-timer.ts';
import { StreamedAnswer } from './streams/streamed-answer.ts';

/** What an era has beside requests that stand for themselves and are answered soon. */
export interface OtherMessages extends HttpEndpoint {
  /** A request that stays open. */
  listen(call: StandingCall, exchange: HttpExchange): void;
}

/** Milliseconds after which a client of 2025 that waits gets a stream, whose comments keep the connection open. */
const UPGRADE_AFTER = 1000;

/** Answers requests that stand for themselves: all of 2026-07-28, and those of 2025 where there are no sessions. */
export class StatelessRequests implements HttpEndpoint {
  readonly context: EndpointContext;
  readonly revision: Revision;
  /** Those that were not answered at once. */
  readonly waiting: StreamUpgradeTimer<StatelessCall>;
  readonly #era: ProtocolEra;
  readonly #others: OtherMessages;
  readonly #dispatcher: Dispatcher;
  readonly #canLog: boolean;
  readonly #noSession: SessionState;
  /** The client of a request of 2025 that is about a task, which everybody finds who knows its id. */
  readonly #taskClient: ServedClient;
  #isClosed = false;

  constructor(era: ProtocolEra, context: EndpointContext, others: OtherMessages) {
    this.context = context;
    this.waiting = new StreamUpgradeTimer(era === '2025' ? UPGRADE_AFTER : Infinity);
    this.#era = era;
    this.#others = others;
    this.#dispatcher = dispatcherOf(context.surface);
    this.revision = era === '2026' ? this.#dispatcher.revision2026 : this.#dispatcher.revision2025;
    this.#canLog = !context.settings.json;
    this.#noSession = noSession(this.#canLog);
    this.#taskClient = { ...NO_CLIENT, tasks: taskPortOf('2025') };
  }

  serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> | undefined {
    if (this.#isClosed) throw isStopping(idOf(body));
    if (!isRequest(body)) return this.#others.serve(exchange, body);
    const own = this.#era === '2026' ? this.#find2026(body, exchange) : this.#find2025(body, exchange);
    if (own === undefined) new StatelessCall(this, body, exchange).start();
    else if (own.kind === 'answered') exchange.answer(answerOf(own, this.report));
    else this.#others.listen(own, exchange);
    return undefined;
  }

  /** Reaches who listens: others are gone as soon as they have their answers. */
  notify(change: SurfaceChange): void {
    this.#others.notify(change);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = this.waiting.all();
    this.waiting.close();
    for (const call of waiting) call.end();
    await this.#others.close();
  }

  clientOf({ method, params }: RpcRequest): ServedClient {
    if (this.#era === '2026') return CLIENT_2026;
    const isOfTask = params?.['task'] !== undefined || method.startsWith('tasks/');
    return isOfTask && offersTasks(this.context.surface.service) ? this.#taskClient : NO_CLIENT;
  }

  readonly report = (cause: Error): void => {
    const { logger } = this.context.surface;
    logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };

  #find2026(request: RpcRequest, exchange: HttpExchange): OwnAnswer | undefined {
    return this.#dispatcher.revision2026.find(request, exchange, this.#canLog);
  }

  #find2025(request: RpcRequest, { checked }: HttpExchange): AnsweredCall | undefined {
    const isInitialize = request.method === 'initialize';
    if (isInitialize) checkInitialize(request);
    const own = this.#dispatcher.revision2025.find(request, this.#noSession);
    if (checked?.acceptFault !== undefined) throw checked.acceptFault;
    if (checked?.revisionFault !== undefined && !isInitialize) throw checked.revisionFault;
    return own;
  }
}

/** One call that stands for itself: its client cancels it by going away, because nobody can come back for the answer. */
class StatelessCall extends RunningRequest implements UpgradableAnswer {
  since: number | undefined;
  readonly session = undefined;
  readonly sessionId = undefined;
  readonly releaseStream = undefined;
  readonly http: HttpExchange;
  readonly #requests: StatelessRequests;
  #channel: Channel | undefined;
  #isOver = false;

  constructor(requests: StatelessRequests, message: RpcRequest, exchange: HttpExchange) {
    super(requests.revision, message, exchange.gone);
    this.http = exchange;
    this.#requests = requests;
  }

  get served(): ServedClient {
    return this.#requests.clientOf(this.message);
  }
  get authInfo(): AuthInfo | undefined {
    return this.http.authInfo;
  }
  get canLog(): boolean {
    return !this.#requests.context.settings.json;
  }

  start(): void {
    const { context, waiting } = this.#requests;
    this.run(context.surface.service);
    if (!this.#isOver) waiting.watch(this);
  }

  /** Nobody may wait for it any more. */
  end(): void {
    const isOver = this.#isOver;
    this.#isOver = true;
    this.cancellation.cancel();
    if (isOver) return;
    const instead = isStopping(this.message.id).toAnswer();
    if (this.#channel === undefined) this.http.answer(instead);
    else this.#channel.closeWith(instead.text);
  }

  /** Its client has waited for long. */
  upgrade(): void {
    this.#stream();
  }

  async send(notification: object): Promise<void> {
    const channel = this.#stream();
    if (this.#isOver || channel === undefined) return;
    await channel.send(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#requests.report));
  }

  ask(): Promise<never> {
    return Promise.reject(new Error('Nobody can be asked'));
  }

  deliver(reply: Reply): void {
    if (this.since !== undefined) this.#requests.waiting.forget(this);
    if (this.#isOver) return;
    this.#isOver = true;
    const { id } = this.message;
    const { report } = this.#requests;
    if (this.#channel !== undefined) {
      this.#channel.finish(reply, id, report);
      return;
    }
    const status = 'error' in reply ? statusOf(reply) : 200;
    this.http.answer({ status, headers: JSON_HEADERS, text: replyText(reply, id, report) });
  }

  /** Goes on as a stream, where the answer may be one. */
  #stream(): Channel | undefined {
    const { settings, backlog } = this.#requests.context;
    if (this.#channel !== undefined || this.#isOver || settings.json) return this.#channel;
    this.#channel = new Channels({
      events: undefined,
      retryInterval: 0,
      keepAlive: settings.keepAlive,
      headers: {},
      onDrop: () => {
        this.#requests.report(new Error('A client does not read its stream, so notifications were dropped'));
      },
      onFailure: () => undefined,
      onCancel: () => {
        this.end();
      },
    }).openPosted(new StreamedAnswer(this.http, backlog), false);
    return this.#channel;
  }
}
