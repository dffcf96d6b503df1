import type { AuthInfo } from '../../call/request-context.ts';
import type { Cancellation } from '../../call/call-context.ts';
import { isRequest, replyText, writeMessage, type Reply, idOf } from '../../engine/json-rpc/message.ts';
import { METHODS_2025 } from '../../engine/protocol.ts';
import { ServedMessage, type StandingReply } from '../../engine/request.ts';
import type { Revision, RpcRequest, EngineReply } from '../../engine/revision.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { McpService } from '../../runtime/service.ts';
import {
  EncodedAnswer,
  errorAnswer,
  type HttpRefusal,
  type PlainAnswer,
  answerOf,
  isStopping,
  JSON_HEADERS,
  type HttpAnswer,
} from './http-answer.ts';
import type { Endpoint, HttpExchange, HttpEndpoint, OtherMessages } from './http-exchange.ts';
import type { Channel, ChannelMessage } from './streams/channel.ts';
import { StreamUpgradeTimer, type UpgradableAnswer } from './streams/stream-upgrade-timer.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import { revisionsOf, type Revisions } from '../../engine/served-application.ts';
import { noSession, type SessionState } from '../../engine/revisions/2025/handshake.ts';
import { EncodedResult, type Challenge } from '../../kernel/call/outcome.ts';
import { NO_CLIENT } from '../../runtime/clients/served-clients.ts';
import type { ServedClient } from '../../kernel/call/service-request.ts';
import { offersTasks, taskPortOf } from '../../runtime/tasks/task-port.ts';
import type { ProtocolEra } from '../../shared/protocol.ts';
import { checkInitialize } from './guards/check-post.ts';
import { Channels } from './streams/channels.ts';
import { markOf } from './streams/lost-call.ts';
import { StreamedAnswer } from './streams/streamed-answer.ts';

/** The dependencies that the calls of an endpoint share. */
export interface CallEndpoint {
  readonly context: Endpoint;
  /** The calls that were not answered synchronously. */
  readonly upgrades: StreamUpgradeTimer<PostedMessage>;
}

/** A single request in a POST. Its answer is plain JSON, unless a notification precedes it or it takes long. */
export abstract class PostedMessage extends ServedMessage implements UpgradableAnswer {
  since: number | undefined;
  readonly http: HttpExchange;
  protected isOver = false;
  readonly #endpoint: CallEndpoint;
  #channel: Channel | undefined;
  #isHeld = false;

  constructor(
    endpoint: CallEndpoint,
    http: HttpExchange,
    message: RpcRequest,
    revision: Revision,
    cancellation: Cancellation,
  ) {
    super(revision, message, cancellation);
    this.http = http;
    this.#endpoint = endpoint;
  }

  /** Of an answer in JSON. */
  protected abstract readonly jsonHeaders: PlainAnswer['headers'];
  protected abstract openChannel(): Channel;

  get authInfo(): AuthInfo | undefined {
    return this.http.authInfo;
  }

  serve(service: McpService): void {
    this.run(service);
    if (!this.isOver) this.#endpoint.upgrades.watch(this);
  }

  override get canChallenge(): boolean {
    return this.#channel === undefined;
  }

  holdStatus(until: Promise<unknown>): void {
    this.#isHeld = true;
    void Promise.allSettled([until]).then(() => (this.#isHeld = false));
  }

  deliver(reply: Reply, challenge?: Challenge): void {
    this.#forget();
    if (this.isOver) return;
    const { id, method } = this.message;
    if (this.#channel === undefined) {
      const headers = this.jsonHeaders;
      const text =
        reply instanceof EncodedResult ? reply.json : replyText(reply, id, this.#endpoint.context.report);
      if (challenge !== undefined || this.isPlain(text)) {
        this.isOver = true;
        if (reply instanceof EncodedResult) this.http.answer(new EncodedAnswer(reply, id, headers));
        else if (!('error' in reply)) this.http.answer({ status: 200, headers, text });
        else
          this.http.answer(
            errorAnswer(reply, { method, headers, text, challenge, checked: this.http.checked }),
          );
        return;
      }
    }
    this.isOver = true;
    this.#channel?.finish(reply, id);
  }

  /** Switches to a stream, because its client has waited for long. */
  upgrade(): void {
    if (this.#isHeld) this.#endpoint.upgrades.watch(this);
    else this.stream();
  }

  send(notification: object): Promise<void> {
    return this.post(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#endpoint.context.report));
  }

  /** @throws Error for a question that cannot reach the client */
  async post(given: ChannelMessage): Promise<void> {
    if (this.isOver) return;
    const channel = this.stream();
    if (channel !== undefined) await channel.send(given);
    else if (isRequest(given.message)) throw new Error('Plain JSON carries no requests to the client');
  }

  /** Ends a cancelled request without an answer. */
  settle(): void {
    this.#forget();
    if (this.isOver) return;
    const channel = this.stream();
    this.isOver = true;
    if (channel === undefined) this.http.answer({ status: 202, headers: {}, text: '' });
    else channel.end();
  }

  /** Somebody else answers it, unless it is answered. */
  protected handOver(answer: () => void): void {
    this.#forget();
    if (this.isOver) return;
    this.isOver = true;
    answer();
  }

  /** Answers immediately, whatever is still running. */
  protected refuse(refusal: HttpRefusal): void {
    this.handOver(() => {
      const instead = refusal.toAnswer();
      if (this.#channel === undefined) this.http.answer(instead);
      else this.#channel.closeWith(instead.text);
    });
  }

  /** Whether the answer may be plain JSON if nothing was sent before it. */
  protected isPlain(_text: string): boolean {
    return true;
  }

  /** Switches to a stream, where the client accepts one. */
  protected stream(): Channel | undefined {
    if (!this.isOver && !this.#endpoint.context.settings.json) this.#channel ??= this.openChannel();
    return this.#channel;
  }

  #forget(): void {
    if (this.since !== undefined) this.#endpoint.upgrades.forget(this);
  }
}

// Milliseconds after which a waiting 2025 client gets a stream, whose comments keep the connection open
const UPGRADE_AFTER = 1000;

/** Answers requests outside of sessions: all of 2026-07-28, and those of 2025 with `sessions: false`. */
export class StatelessRequests implements HttpEndpoint, CallEndpoint {
  readonly context: Endpoint;
  readonly upgrades: StreamUpgradeTimer<StatelessMessage>;
  readonly #era: ProtocolEra;
  readonly #others: OtherMessages;
  readonly #revisions: Revisions;
  readonly #noSession: SessionState;
  /** The client of a 2025 task request without a session: the task belongs to everybody who knows its id. */
  readonly #taskClient: ServedClient;
  #isClosed = false;

  constructor(era: ProtocolEra, context: Endpoint, others: OtherMessages) {
    this.context = context;
    this.upgrades = new StreamUpgradeTimer(era === '2025' ? UPGRADE_AFTER : Infinity);
    this.#era = era;
    this.#others = others;
    this.#revisions = revisionsOf(context.application);
    this.#noSession = noSession(!context.settings.json);
    this.#taskClient = { ...NO_CLIENT, tasks: taskPortOf('2025') };
  }

  get revision(): Revision {
    return this.#era === '2026' ? this.#revisions.revision2026 : this.#revisions.revision2025;
  }

  serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> | undefined {
    if (this.#isClosed) throw isStopping(idOf(body));
    if (!isRequest(body)) return this.#others.serve(exchange, body);
    const own =
      this.#era === '2026'
        ? this.#revisions.revision2026.answerOwn(body, exchange, this.#noSession.canLog)
        : this.#answer2025(body, exchange);
    if (own instanceof Promise) return own.then((found) => this.#answer(body, exchange, found));
    return this.#answer(body, exchange, own);
  }

  #answer(request: RpcRequest, exchange: HttpExchange, own: EngineReply | undefined): undefined {
    if (this.#isClosed) throw isStopping(request.id);
    if (own !== undefined) exchange.answer(answerOf(own, this.context.report));
    else new StatelessMessage(this, request, exchange).serve(this.context.application.service);
  }

  /** Notifies subscribers only; other clients are gone once they have their answers. */
  notify(change: ChangeNotice): void {
    this.#others.notify(change);
  }

  release(): void {
    this.#others.release();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const unanswered = this.upgrades.all();
    this.upgrades.close();
    for (const call of unanswered) call.end();
    await this.#others.close();
  }

  clientOf({ method, params }: RpcRequest): ServedClient {
    const { client } = this.#others;
    if (this.#era === '2026') return client;
    if (params?.['task'] === undefined && !method.startsWith('tasks/')) return client;
    return offersTasks(this.context.application.service) ? this.#taskClient : client;
  }

  listen(request: StandingReply, exchange: HttpExchange): void {
    this.#others.listen(request, exchange);
  }

  #answer2025(request: RpcRequest, exchange: HttpExchange): MaybePromise<EngineReply> | undefined {
    const isInitialize = request.method === 'initialize';
    if (isInitialize) checkInitialize(request);
    const { checked } = exchange;
    if (checked?.acceptFault !== undefined) throw checked.acceptFault;
    if (checked?.revisionFault !== undefined && !isInitialize) throw checked.revisionFault;
    return METHODS_2025.has(request.method)
      ? this.#revisions.revision2025.answerOwn(request, this.#noSession, exchange)
      : undefined;
  }
}

/** One call outside of a session: disconnecting cancels it, because the answer cannot be resumed. */
class StatelessMessage extends PostedMessage {
  readonly served: ServedClient;
  readonly session = undefined;
  readonly sessionId = undefined;
  readonly releaseStream = undefined;
  protected readonly jsonHeaders = JSON_HEADERS;
  readonly #requests: StatelessRequests;

  constructor(requests: StatelessRequests, message: RpcRequest, exchange: HttpExchange) {
    super(requests, exchange, message, requests.revision, exchange.gone);
    this.served = requests.clientOf(message);
    this.#requests = requests;
  }

  get canLog(): boolean {
    return !this.#requests.context.settings.json;
  }

  /** Nobody may wait for it any more. */
  end(): void {
    this.refuse(isStopping(this.message.id));
    this.cancellation.cancel();
  }

  ask(): Promise<never> {
    return Promise.reject(new Error('Nobody can be asked'));
  }

  override stand(request: StandingReply): void {
    this.handOver(() => {
      this.#requests.listen(request, this.http);
    });
  }

  protected openChannel(): Channel {
    const { settings, backlog, report } = this.#requests.context;
    return new Channels({
      events: undefined,
      retryInterval: 0,
      keepAlive: settings.keepAlive,
      headers: {},
      mark: markOf(this.message.id),
      report,
      onCancel: () => {
        this.end();
      },
    }).openPosted(new StreamedAnswer(this.http, backlog), false, [this.message.id]);
  }
}
