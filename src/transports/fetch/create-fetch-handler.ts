import { Cancellation } from '../../call/call-context.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import type { ServedApplication } from '../../engine/served-application.ts';
import { ByteCollector } from '../../shared/byte-collector.ts';
import { checkHandlerOptions } from '../http/check-http-options.ts';
import type { CheckedHead } from '../http/guards/check-head.ts';
import type { ClientAddresses } from '../http/guards/client-address.ts';
import { shareWithOrigin, withoutStoring } from '../http/guards/share-with-origin.ts';
import { isStopping, toResponse, type HttpAnswer } from '../http/http-answer.ts';
import type { BodyBytes, HttpExchange } from '../http/http-exchange.ts';
import { HttpHandler } from '../http/http-handler.ts';
import { httpSettings, type HttpHandlerOptions, type HttpSettings } from '../http/http-options.ts';
import { MountedExchange, type MountedRequest } from '../http/mounted-request.ts';
import type { InFlight } from '../../runtime/service.ts';

/**
 * The endpoint of an HTTP server as a function. It does not know its address, so it checks the Host header only if
 * `allowedHosts` is given.
 */
export function createFetchHandler(
  application: ServedApplication,
  options: HttpHandlerOptions = {},
): FetchHandler {
  checkHandlerOptions(options);
  application.service.settings.auth?.placeAt('', false);
  return new FetchHandler(application, httpSettings(options, undefined));
}

/** Serves requests that a fetch runtime or another HTTP framework accepted. */
export class FetchHandler extends HttpHandler {
  readonly #failures: Logger;

  constructor(application: ServedApplication, settings: HttpSettings) {
    super(application, settings);
    this.#failures = new DedupingLogger(application.logger);
  }

  /** Always resolves to a response. */
  fetch(request: Request): Promise<Response> {
    const exchange = new FetchExchange(request);
    this.handle(exchange);
    return exchange.response;
  }

  /** Resolves when the response is sent, or its client is gone. */
  node(request: MountedRequest): Promise<void> {
    const exchange = new MountedExchange(request, { failures: this.#failures, backlog: this.backlog });
    this.handle(exchange);
    return exchange.isSent;
  }
}

/** Refuses a request that comes after shutdown began. */
export function refuseFetch(): Response {
  return toResponse(isStopping().toAnswer());
}

/** One request of a fetch runtime, and the response to it. */
class FetchExchange implements HttpExchange {
  checked: CheckedHead | undefined;
  surface: string | undefined;
  allowedOrigin: string | undefined;
  authInfo: AuthInfo | undefined;
  addresses: ClientAddresses | undefined;
  readonly peer = undefined;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly gone = new Cancellation();
  readonly sentHost = null;
  readonly transferEncoding = null;
  readonly isDecoded = false;
  readonly response: Promise<Response>;
  readonly #request: Request;
  #inFlight: InFlight | undefined;
  #resolve: ((response: Response) => void) | undefined;

  constructor(request: Request) {
    const { method, url, headers, signal } = request;
    this.method = method;
    this.url = new URL(url);
    this.headers = headers;
    this.#request = request;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const leave = (): void => {
      this.gone.cancel(signal.reason);
      // Nobody reads the body; the sender must not wait forever.
      this.answer(isStopping().toAnswer());
    };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
  }

  get target(): string {
    return this.url.href;
  }
  get path(): string {
    return this.url.pathname;
  }
  get host(): string | null {
    return this.headers.get('host') ?? this.url.host;
  }
  get origin(): string | null {
    return this.headers.get('origin');
  }
  get accept(): string | null {
    return this.headers.get('accept');
  }
  get contentType(): string | null {
    return this.headers.get('content-type');
  }
  get contentEncoding(): string | null {
    return this.headers.get('content-encoding');
  }
  get contentLength(): string | null {
    return this.headers.get('content-length');
  }
  get revision(): string | null {
    return this.headers.get('mcp-protocol-version');
  }
  get sessionId(): string | null {
    return this.headers.get('mcp-session-id');
  }

  sentHeader(name: string): string | null {
    return this.headers.get(name);
  }

  get address(): string | undefined {
    return this.addresses?.of(this);
  }

  headerRecord(): Record<string, string> {
    return Object.fromEntries(this.headers);
  }

  checkForm(): void {
    // The runtime has read it.
  }

  readBody(limit: number, take: (bytes: BodyBytes, exchange: HttpExchange) => void): void {
    void readBody(this.#request, limit).then((bytes) => {
      take(bytes, this);
    });
  }

  countIn(inFlight: InFlight): void {
    if (this.#resolve === undefined) return;
    this.#inFlight = inFlight;
    inFlight.begin();
  }

  answer(given: HttpAnswer): void {
    const resolve = this.#resolve;
    if (resolve === undefined) {
      if ('body' in given) given.body?.cancel().catch(() => undefined);
      return;
    }
    const shared = this.allowedOrigin === undefined ? given : shareWithOrigin(given, this.allowedOrigin);
    const answer = this.authInfo === undefined ? shared : withoutStoring(shared);
    // Made before it counts as answered: a header that cannot be sent throws, and the refusal for that comes here again
    const response = toResponse(answer);
    this.#resolve = undefined;
    resolve(response);
    if (!('body' in answer)) this.streamEnded();
  }

  streamEnded(): void {
    this.#inFlight?.end();
    this.#inFlight = undefined;
  }
}

async function readBody(request: Request, limit: number): Promise<BodyBytes> {
  if (request.bodyUsed) return 'read-before';
  const collector = new ByteCollector(limit);
  if (request.body === null) return collector.take();
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>) {
      if (!collector.add(chunk)) return 'too-large';
    }
  } catch {
    return 'aborted';
  }
  return collector.take();
}
