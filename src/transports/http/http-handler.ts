import type { AuthInfo } from '../../call/request-context.ts';
import { DedupingLogger } from '../../call/logger.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import { eraOfBody, eraOfMessage } from '../../engine/request.ts';
import { isProtocolMessage, isRequest, readMessage } from '../../engine/json-rpc/message.ts';
import { METHODS_2026 } from '../../engine/protocol.ts';
import { revisionsOf, type ServedApplication } from '../../engine/served-application.ts';
import { isRevisionOf2026, type ProtocolEra } from '../../shared/protocol.ts';
import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import type { SurfaceSettings } from '../../compile/surfaces/surface.ts';
import { InFlight } from '../../runtime/service.ts';
import { authenticateRequest, endpointPath, metadataAnswer } from './guards/authenticate-request.ts';
import { bodyFault, checkBatchForm, hasRequests, READ_BEFORE, tooLarge } from './guards/check-post.ts';
import {
  checkedHead,
  checkStreamAccept,
  guardSource,
  guardTarget,
  withoutSlash,
  type CheckedHead,
  type RequestHead,
} from './guards/check-head.ts';
import { splitSurface, surfaceInHeader, surfaceInQuery } from './guards/choose-surface.ts';
import { healthAnswer } from './guards/health.ts';
import { overloaded } from './guards/limit-requests.ts';
import { preflightAnswer } from './guards/share-with-origin.ts';
import { answerDoor } from './door-answer.ts';
import { answerOfError, HttpRefusal, isStopping, type HttpAnswer } from './http-answer.ts';
import type { BodyBytes, HttpEndpoint, HttpExchange } from './http-exchange.ts';
import type { HttpSettings } from './http-options.ts';
import { SessionRequests } from './sessions/session-requests.ts';
import { StatelessBatches } from './sessions/stateless-batches.ts';
import { StatelessRequests } from './posted-calls.ts';
import { namesCall } from './streams/channels.ts';
import { lostCallAnswer } from './streams/lost-call.ts';
import { Subscriptions } from './streams/subscriptions.ts';
import { Backlog } from './streams/backpressure-counter.ts';

/**
 * Streamable HTTP, independent of any HTTP server: runs the guards, and passes each request to the endpoint of its era.
 * GET and DELETE exist only with sessions.
 */
export class HttpHandler {
  /** Counts the requests that shutdown waits for. */
  readonly inFlight = new InFlight();
  /** The unread bytes of all clients. */
  readonly backlog: Backlog;
  readonly #application: ServedApplication;
  readonly #settings: HttpSettings;
  readonly #endpoint2025: HttpEndpoint;
  readonly #endpoint2026: HttpEndpoint;
  readonly #failures: DedupingLogger;
  readonly #methods: readonly string[];
  readonly #heads = new KnownHeads();
  /** Requests that shutdown does not wait for: slow uploads, and requests still being authenticated. */
  readonly #reading = new Set<HttpExchange>();
  #isStopping = false;
  #isClosed = false;

  constructor(application: ServedApplication, settings: HttpSettings) {
    this.#application = application;
    this.#settings = settings;
    this.#failures = new DedupingLogger(application.logger);
    this.backlog = new Backlog(settings.maxUnreadBytes, () => {
      const message = 'Clients do not read their answers; the connection with the most unread bytes was cut.';
      this.#failures.log({ level: 'warning', event: 'http.unread', message });
    });
    this.#methods = settings.sessions === undefined ? ['POST'] : ['GET', 'POST', 'DELETE'];
    const own = application.service.admittedBy(this.inFlight);
    const service = settings.watch?.(own) ?? own;
    const counted = { ...application, service, revisions: revisionsOf(application) };
    const report = (cause: Error): void => {
      application.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
    };
    const context = { application: counted, settings, backlog: this.backlog, report };
    this.#endpoint2025 =
      settings.sessions === undefined
        ? new StatelessRequests('2025', context, new StatelessBatches(context))
        : new SessionRequests(context, settings.sessions);
    this.#endpoint2026 = new StatelessRequests('2026', context, new Subscriptions(context));
  }

  /** Answers an exchange, in any case. */
  handle(exchange: HttpExchange): void {
    try {
      const known = this.#heads.find(exchange);
      if (known === undefined) this.#guard(exchange);
      else this.#admit(exchange, known);
    } catch (error) {
      this.#refuse(error, exchange);
    }
  }

  /** Refuses new requests from now on, ends what only listens, and resolves when all running ones are answered. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#refuseUnread();
    this.#endpoint2025.release();
    this.#endpoint2026.release();
    return this.inFlight.whenIdle();
  }

  /** Ends all sessions and subscriptions, and aborts running requests. */
  async close(): Promise<void> {
    this.#isStopping = this.#isClosed = true;
    this.#refuseUnread();
    await Promise.all([this.#endpoint2025.close(), this.#endpoint2026.close()]);
  }

  notify(change: ChangeNotice): void {
    this.#endpoint2025.notify(change);
    this.#endpoint2026.notify(change);
  }

  get #surfaces(): SurfaceSettings | undefined {
    return this.#application.service.settings.surfaces;
  }

  get #auth(): ResourceServer | undefined {
    return this.#settings.callerOf === undefined ? this.#application.service.settings.auth : undefined;
  }

  #guard(exchange: HttpExchange): void {
    const { method } = exchange;
    exchange.checkForm();
    const auth = this.#auth;
    const open =
      healthAnswer(exchange, this.#application.readiness) ?? metadataAnswer(exchange, auth, this.#surfaces);
    if (open !== undefined) {
      exchange.answer(open);
      return;
    }
    if (this.#opensDoor(exchange)) return;
    exchange.allowedOrigin = guardSource(exchange, this.#settings);
    const isPreflight = method === 'OPTIONS' && exchange.allowedOrigin !== undefined;
    // Where every path is the endpoint, none of them is it by its name
    const isNamed = auth?.tenants !== undefined || this.#settings.path !== undefined;
    const at = splitSurface(exchange.path, this.#surfaces, (path) => isNamed && this.#isEndpoint(path));
    const path = endpointPath(at, auth, this.#settings);
    guardTarget({ path: at.path, method }, path, isPreflight ? ['OPTIONS'] : this.#methodsFor(exchange));
    if (isPreflight) {
      exchange.answer(preflightAnswer(this.#methods, exchange.headers));
      return;
    }
    const checked = checkedHead(exchange, this.#settings, {
      place: at.path,
      surface: at.surface ?? surfaceInQuery(exchange.url, this.#surfaces),
      surfacePath: at.surface === undefined ? '' : `/${at.surface}`,
    });
    this.#heads.remember(checked);
    this.#admit(exchange, checked);
  }

  readonly #isEndpoint = (path: string): boolean => {
    const tenants = this.#auth?.tenants;
    if (tenants !== undefined) return tenants.at(path) !== undefined;
    return this.#settings.path === undefined || withoutSlash(path) === withoutSlash(this.#settings.path);
  };

  /** Passes a request on to what answers at its path, if anything does. */
  #opensDoor(exchange: HttpExchange): boolean {
    if (this.#settings.callerOf !== undefined) return false;
    const { doors } = this.#application.service.settings;
    const door = doors?.find((each) => each.serves(exchange.path, this.#isEndpoint));
    if (door === undefined) return false;
    if (this.#isClosed) throw isStopping();
    exchange.addresses = this.#settings.addresses;
    exchange.countIn(this.inFlight);
    // Its answers are complete, whatever their form
    void this.#answerWith(answerDoor(door, exchange), exchange).finally(() => {
      exchange.streamEnded();
    });
    return true;
  }

  /**
   * A request of 2026-07-28 without a session id does not belong to a session (spec: basic/transports/streamable-http).
   */
  #methodsFor(exchange: HttpExchange): readonly string[] {
    const { revision, sessionId } = exchange;
    if (lostCallAnswer(exchange) !== undefined) return ['GET'];
    return isRevisionOf2026(revision ?? '') && sessionId === null ? ['POST'] : this.#methods;
  }

  #admit(exchange: HttpExchange, checked: CheckedHead): void {
    exchange.checked = checked;
    this.#choose(exchange, checked);
    exchange.allowedOrigin = checked.allowedOrigin;
    exchange.addresses = this.#settings.addresses;
    this.#settings.requestLimits?.check(exchange);
    if (this.#isStopping && (this.#isClosed || (exchange.method === 'GET' && !this.#resumesCall(exchange)))) {
      throw isStopping();
    }
    this.#reading.add(exchange);
    const { callerOf, authenticate } = this.#settings;
    const authenticator = this.#auth?.at({ path: checked.place }) ?? authenticate;
    if (authenticator === undefined) {
      exchange.authInfo = callerOf?.(exchange);
      this.#read(exchange, checked);
      return;
    }
    const caller = authenticateRequest(exchange, authenticator, this.#failures);
    if (caller instanceof Promise) void this.#readLater(exchange, checked, caller);
    else this.#readFrom(exchange, checked, caller);
  }

  #choose(exchange: HttpExchange, { surface }: CheckedHead): void {
    const surfaces = this.#surfaces;
    if (surfaces !== undefined) exchange.surface = surface ?? surfaceInHeader(exchange.headers, surfaces);
  }

  async #readLater(
    exchange: HttpExchange,
    checked: CheckedHead,
    caller: Promise<AuthInfo | undefined>,
  ): Promise<void> {
    try {
      this.#readFrom(exchange, checked, await caller);
    } catch (error) {
      this.#refuse(error, exchange);
    }
  }

  #readFrom(exchange: HttpExchange, checked: CheckedHead, caller: AuthInfo | undefined): void {
    // A shutdown may have refused it in the meantime.
    if (!this.#reading.has(exchange)) return;
    exchange.authInfo = caller;
    this.#read(exchange, checked);
  }

  #read(exchange: HttpExchange, { contentFault }: CheckedHead): void {
    const { maxBodyBytes } = this.#settings;
    if (exchange.method !== 'POST') {
      this.#reading.delete(exchange);
      const instead = lostCallAnswer(exchange);
      if (instead !== undefined) {
        checkStreamAccept(exchange);
        exchange.answer(instead);
        return;
      }
      if (this.#resumesCall(exchange)) exchange.countIn(this.inFlight);
      this.#serve(exchange, this.#endpoint2025, undefined);
      return;
    }
    if (contentFault !== undefined) throw contentFault;
    // By the declared length already, before anything is read
    if (Number(exchange.contentLength ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
    exchange.readBody(maxBodyBytes, this.#take);
  }

  readonly #take = (bytes: BodyBytes, exchange: HttpExchange): void => {
    if (!this.#reading.delete(exchange)) return;
    try {
      const body = this.#parse(bytes);
      // During shutdown, messages that help running requests end still pass: cancellations, responses, DELETE,
      // resumption.
      if (this.#isStopping && hasRequests(body)) throw isStopping();
      if (this.inFlight.count >= this.#settings.maxRequests && hasRequests(body)) throw overloaded();
      const era = eraOf(body, exchange);
      if (!isStanding(body, era)) exchange.countIn(this.inFlight);
      this.#serve(exchange, era === '2026' ? this.#endpoint2026 : this.#endpoint2025, body);
    } catch (error) {
      this.#refuse(error, exchange);
    }
  };

  #parse(bytes: BodyBytes): unknown {
    if (typeof bytes === 'string') {
      if (bytes === 'read-before') {
        this.#failures.log({ level: 'error', event: 'http.body-read', message: READ_BEFORE });
      }
      throw bodyFault(bytes, this.#settings.maxBodyBytes);
    }
    const reading = readMessage(bytes);
    if (!reading.ok) throw new HttpRefusal(400, reading.failure.message, { code: reading.failure.code });
    if (!isProtocolMessage(reading.value)) checkBatchForm(reading.value);
    return reading.value;
  }

  #serve(exchange: HttpExchange, endpoint: HttpEndpoint, body: unknown): void {
    // Its body may have arrived after everything was closed; nobody would close what it opens now.
    if (this.#isClosed) throw isStopping();
    const answering = endpoint.serve(exchange, body);
    if (answering !== undefined) void this.#answerWith(answering, exchange);
  }

  async #answerWith(answering: Promise<HttpAnswer | undefined>, exchange: HttpExchange): Promise<void> {
    try {
      const answer = await answering;
      if (answer !== undefined) exchange.answer(answer);
    } catch (error) {
      this.#refuse(error, exchange);
    }
  }

  /** Standalone streams and subscriptions do not end on their own, so shutdown must not wait for them. */
  #resumesCall({ headers }: HttpExchange): boolean {
    return this.#settings.sessions?.resumption !== undefined && namesCall(headers.get('last-event-id'));
  }

  #refuseUnread(): void {
    for (const exchange of this.#reading) this.#refuse(isStopping(), exchange);
  }

  #refuse(error: unknown, exchange: HttpExchange): void {
    this.#reading.delete(exchange);
    // A guard may have refused it before
    exchange.addresses ??= this.#settings.addresses;
    exchange.answer(answerOfError(error, exchange, this.#application.service.settings, this.#failures));
  }
}

function eraOf(body: unknown, exchange: HttpExchange): ProtocolEra {
  return Array.isArray(body)
    ? eraOfBody(body, exchange.headers)
    : eraOfMessage(body, exchange.checked?.revisionOf2026);
}

/** True for a subscription, whose response ends with the server or the client only. */
function isStanding(body: unknown, era: ProtocolEra): boolean {
  return era === '2026' && isRequest(body) && METHODS_2026.get(body.method)?.isStanding === true;
}

const MAX_HEADS = 16;

/** Caches heads that have passed: most requests have the same head, and the guards would give the same result. */
export class KnownHeads {
  readonly #known: CheckedHead[] = [];

  find(given: RequestHead): CheckedHead | undefined {
    if (given.method !== 'POST') return undefined;
    for (const checked of this.#known) if (isSameHead(checked.head, given)) return checked;
    return undefined;
  }

  remember(checked: CheckedHead): void {
    if (checked.head.method !== 'POST' || checked.contentFault !== undefined) return;
    if (this.#known.length >= MAX_HEADS) this.#known.shift();
    this.#known.push(checked);
  }
}

/** Compared one by one without a loop, because engines optimize that best and every request needs it. */
function isSameHead(known: RequestHead, given: RequestHead): boolean {
  return (
    known.target === given.target &&
    known.host === given.host &&
    known.sentHost === given.sentHost &&
    known.origin === given.origin &&
    known.accept === given.accept &&
    known.contentType === given.contentType &&
    known.contentEncoding === given.contentEncoding &&
    known.transferEncoding === given.transferEncoding &&
    known.revision === given.revision &&
    known.isDecoded === given.isDecoded
  );
}
