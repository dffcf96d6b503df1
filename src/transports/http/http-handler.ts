import { Cancellation } from '../../call/call-context.ts';
import { RepeatFilter } from '../../call/logger.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { jsonRpcCodes } from '../../engine/json-rpc/json-rpc-error.ts';
import type { ServerSurface } from '../../engine/dispatcher.ts';
import { isRevisionOf2026, type ProtocolEra } from '../../shared/protocol-era.ts';
import { InFlight } from '../../runtime/admission.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { authenticateRequest } from './guards/authenticate-request.ts';
import { callAt, trackBody } from './streams/track-body.ts';
import { namesCall } from './streams/channels.ts';
import type { GuardedHead } from './decisive-headers.ts';
import { Endpoint2025 } from './endpoint-2025.ts';
import { Endpoint2026 } from './endpoint-2026.ts';
import { isPlainAnswer, toResponse, type HttpAnswer, HttpRefusal, isStopping } from './http-answer.ts';
import {
  checkContentLength,
  checkContentType,
  READ_BEFORE,
  readPost,
  type PostedMessages,
} from './http-body.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import { guardSource, guardTarget } from './guards/request-guard.ts';
import { preflightResponse, shareWithOrigin } from './guards/share-with-origin.ts';
import type { StatelessRequests } from './stateless-requests.ts';
import { unlessCancelled } from './unless-cancelled.ts';
import { Backlog, UnreadEvents } from './streams/unread-events.ts';

/**
 * Streamable HTTP, free of any HTTP server: admits requests, and hands each to the endpoint of its protocol era.
 * GET and DELETE exist in the era of sessions only.
 */
export class HttpHandler {
  readonly #surface: ServerSurface;
  readonly #settings: HttpSettings;
  readonly #endpoint2025: Endpoint2025;
  readonly #endpoint2026: Endpoint2026;
  readonly #inFlight = new InFlight();
  readonly #failures: RepeatFilter;
  /** What clients have not read yet. */
  readonly backlog: Backlog;
  readonly #methods: readonly string[];
  readonly #stopping = new Cancellation();
  readonly #closing = new Cancellation();

  constructor(surface: ServerSurface, settings: HttpSettings) {
    this.#surface = { ...surface, service: surface.service.admittedBy(this.#inFlight) };
    this.#settings = settings;
    this.#endpoint2025 = new Endpoint2025(this.#surface, settings);
    this.#endpoint2026 = new Endpoint2026(this.#surface, settings);
    this.#failures = new RepeatFilter(surface.logger);
    this.backlog = new Backlog(settings.maximumUnread, () => {
      const message = 'Clients do not read their answers; the connection with the most unread bytes was cut.';
      this.#failures.log({ level: 'warning', event: 'http.unread', message });
    });
    this.#methods = settings.sessions === undefined ? ['POST'] : ['GET', 'POST', 'DELETE'];
  }

  /** Always resolves to an answer. */
  async handle(request: HttpRequest): Promise<HttpAnswer> {
    try {
      const origin = guardSource(request, this.#settings);
      const answer = await this.#respond(request, origin !== undefined);
      return origin === undefined ? answer : shareWithOrigin(toResponse(answer), origin);
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /** Refuses what is new from now on, and resolves when everything that runs is answered. */
  stop(): Promise<void> {
    this.#stopping.cancel();
    return this.#inFlight.whenIdle();
  }

  /** Ends every session and every subscription, and aborts what still runs. */
  async close(): Promise<void> {
    this.#stopping.cancel();
    this.#closing.cancel();
    await Promise.all([this.#endpoint2025.close(), this.#endpoint2026.close()]);
  }

  /** Answers requests that stand for themselves; undefined where all belong to sessions. */
  direct(era: ProtocolEra): StatelessRequests | undefined {
    return era === '2026' ? this.#endpoint2026.direct : this.#endpoint2025.direct;
  }

  get isStopping(): boolean {
    return this.#stopping.isCancelled;
  }

  /** Told once, when what is still being read has to be refused. */
  onStop(listener: () => void): void {
    this.#stopping.onCancel(listener);
  }

  get settings(): HttpSettings {
    return this.#settings;
  }

  /** Counts the requests that it waits for before it has stopped. */
  get inFlight(): InFlight {
    return this.#inFlight;
  }

  notify(change: SurfaceChange): void {
    this.#endpoint2025.notify(change);
    this.#endpoint2026.notify(change);
  }

  async #respond(request: HttpRequest, hasOrigin: boolean): Promise<HttpAnswer> {
    const ends: (() => void)[] = [];
    const end = (): void => {
      for (const each of ends.splice(0)) each();
    };
    try {
      const isPreflight = hasOrigin && request.method === 'OPTIONS';
      guardTarget(request, this.#settings.path, isPreflight ? ['OPTIONS'] : this.#methodsFor(request));
      if (isPreflight) return preflightResponse(this.#methods, request.headers);
      const [unread, ending] = [new UnreadEvents(this.backlog), new Cancellation()];
      const { posted, authInfo } = await this.#admit(request);
      const atEnd = (each: () => void): void => void ends.push(each);
      const admitted: AdmittedRequest = { request, posted, authInfo, unread, ending, atEnd };
      if (this.#isAwaited(admitted)) admitted.atEnd(this.#inFlight.enter());
      const answer = await this.#serve(admitted);
      if (!isPlainAnswer(answer)) {
        // A token lets its bearer read as long as it is valid, and not as long as a stream is open.
        if (authInfo?.expiresAt !== undefined)
          atEnd(callAt(authInfo.expiresAt * 1000, () => ending.cancel()));
        return trackBody(answer, { unread, ending, done: end });
      }
      end();
      return answer;
    } catch (error) {
      end();
      return this.#refuse(error);
    }
  }

  /** Who speaks 2026-07-28 and names no session cannot mean one (spec: basic/transports/streamable-http). */
  #methodsFor({ headers }: GuardedHead): readonly string[] {
    const is2026 = isRevisionOf2026(headers.get('mcp-protocol-version') ?? '');
    return is2026 && !headers.has('mcp-session-id') ? ['POST'] : this.#methods;
  }

  /** Nothing waits for what has not been read: neither a client that is slow, nor whoever authenticates it. */
  async #admit(request: HttpRequest): Promise<Pick<AdmittedRequest, 'posted' | 'authInfo'>> {
    const stopping = this.#stopping;
    const isRefused = stopping.isCancelled && request.method === 'GET' && !this.#resumesCall(request);
    if (this.#closing.isCancelled || isRefused) throw isStopping();
    const refusing = stopping.isCancelled ? this.#closing : stopping;
    const read = await unlessCancelled(this.#read(request), [request.gone, refusing]);
    // What ends something that runs is welcome until the end: cancellations, answers, DELETE, coming back for it.
    if (read === undefined || (stopping.isCancelled && read.posted?.hasRequests === true)) throw isStopping();
    if (this.#isAwaited({ request, posted: read.posted })) request.onAdmit?.();
    return read;
  }

  async #read(request: HttpRequest): Promise<Pick<AdmittedRequest, 'posted' | 'authInfo'>> {
    const authInfo = await authenticateRequest(request, this.#settings.authenticate, this.#failures);
    return { authInfo, posted: request.method === 'POST' ? await this.#readPost(request) : undefined };
  }

  async #readPost(request: HttpRequest): Promise<PostedMessages> {
    const { bodyLimit } = this.#settings;
    checkContentType(request.headers, request.isDecoded === true);
    checkContentLength(request.headers, bodyLimit);
    const bytes = await request.readBody(bodyLimit);
    if (bytes === 'read-before') {
      this.#failures.log({ level: 'error', event: 'http.body-read', message: READ_BEFORE });
    }
    return readPost(bytes, bodyLimit, request.headers);
  }

  #serve(admitted: AdmittedRequest): Promise<HttpAnswer> {
    // Its body may have arrived after everything was closed; what it opened now, nobody would close.
    if (this.#closing.isCancelled) throw isStopping();
    return admitted.posted?.era === '2026'
      ? this.#endpoint2026.serve(admitted)
      : this.#endpoint2025.serve(admitted);
  }

  /** A standalone stream and a subscription never end by themselves, so stopping must not wait for them. */
  #isAwaited({ request, posted }: Pick<AdmittedRequest, 'request' | 'posted'>): boolean {
    return posted === undefined ? this.#resumesCall(request) : !posted.isStanding;
  }

  #resumesCall({ headers }: HttpRequest): boolean {
    return this.#settings.sessions?.resumption !== undefined && namesCall(headers.get('last-event-id'));
  }

  #refuse(error: unknown): HttpAnswer {
    if (error instanceof HttpRefusal) return error.toAnswer();
    const message = 'An HTTP request could not be served.';
    this.#failures.log({ level: 'error', event: 'http.failed', message, cause: error });
    return new HttpRefusal(500, 'Internal error', { code: jsonRpcCodes.internalError }).toAnswer();
  }
}
