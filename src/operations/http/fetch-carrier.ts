import { Breaker } from '../../call/breaker.ts';
import { ToolError } from '../../index.ts';
import { readBody } from '../../shared/read-body.ts';
import { pause } from '../../shared/platform.ts';
import { isBelow, joinUrl } from './base-url.ts';
import type { Carrier, CarryOptions, HttpAnswer, HttpRequest } from '../operation.ts';

/** Answers a request: `fetch` of the platform, or that of an application, such as `app.fetch` of Hono. */
export type FetchFunction = (request: Request) => Response | Promise<Response>;

/** Where requests go, and how long for. */
export interface UpstreamOptions {
  /** What every path stands behind. Nothing is sent to another origin, or beside its path. */
  readonly baseUrl: string;
  readonly fetch: FetchFunction;
  /** Milliseconds to the headers, and between the parts of a body. */
  readonly timeout: number;
  /** How often a request that may be repeated is sent again. */
  readonly retries: number;
  /** The header, in lower case, that makes any request one that may be repeated. */
  readonly keyHeader?: string | undefined;
}

const IN_PROCESS = 'http://in.process';
const MAX_REDIRECTS = 3;
const MAX_RUNNING = 10;
/** After a longer time the client may try again itself. */
const MAX_RETRY_AFTER = 10_000;
const FIRST_DELAY = 250;
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'QUERY']);
const READS = new Set(['GET', 'HEAD', 'QUERY']);

/** Sends requests to an application of this process that answers as `fetch` does, such as `app.fetch` of Hono. */
export function fetchCarrier(fetch: FetchFunction): Carrier {
  const options = { baseUrl: IN_PROCESS, fetch, timeout: Number.POSITIVE_INFINITY };
  return (request, carry) => send(request, options, carry);
}

/** Sends requests to an API elsewhere: with time limits, repeats of what may be repeated, and few at once. */
export function upstreamCarrier(options: UpstreamOptions): Carrier {
  const breaker = new Breaker(new URL(options.baseUrl).host, { isFailure: isDown });
  const running = new Running(MAX_RUNNING);
  return (request, carry) =>
    running.run(carry.signal, () => breaker.run(() => sendRepeatedly(request, options, carry)));
}

async function sendRepeatedly(
  request: HttpRequest,
  options: UpstreamOptions,
  carry: CarryOptions,
): Promise<HttpAnswer> {
  const { keyHeader } = options;
  const hasKey = keyHeader !== undefined && request.headers[keyHeader] !== undefined;
  const mayRepeat = REPEATABLE.has(request.method) || hasKey;
  const repeats = mayRepeat ? options.retries : 0;
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt === repeats;
    try {
      const answer = await send(request, options, carry);
      const delay = delayAfter(answer, attempt);
      if (isLast || delay === undefined) return answer;
      await pause(delay, carry.signal);
    } catch (error) {
      if (isLast || carry.signal.aborted || !isDown(error)) throw error;
      await pause(jitter(attempt), carry.signal);
    }
  }
}

/** Milliseconds until an answer may be better; undefined where it will not be, or only later than callers wait. */
function delayAfter({ status, headers }: HttpAnswer, attempt: number): number | undefined {
  if (status !== 429 && (status < 502 || status > 504)) return undefined;
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after) && headers['retry-after'] !== undefined)
    return after * 1000 <= MAX_RETRY_AFTER ? after * 1000 : undefined;
  return status === 429 ? undefined : jitter(attempt);
}

function jitter(attempt: number): number {
  return Math.random() * FIRST_DELAY * 2 ** attempt;
}

/** Sends one request, and follows reads below the base. */
async function send(
  request: HttpRequest,
  options: Pick<UpstreamOptions, 'baseUrl' | 'fetch' | 'timeout'>,
  carry: CarryOptions,
): Promise<HttpAnswer> {
  const base = new URL(options.baseUrl);
  let url = urlBelow(base, request.path);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await sendOnce(url, request, options, carry);
    const next = redirects < MAX_REDIRECTS ? redirectBelow(base, url, request, answer) : undefined;
    if (next === undefined) return answer;
    url = next;
  }
}

/** Whatever happened before: nothing is sent beside the base. */
function urlBelow(base: URL, path: string): URL {
  const url = joinUrl(base, path);
  if (!isBelow(base, url)) throw new ToolError('VALIDATION_FAILED', 'the values lead to another place');
  return url;
}

function redirectBelow(
  base: URL,
  from: URL,
  { method }: HttpRequest,
  { status, headers }: HttpAnswer,
): URL | undefined {
  const place = headers['location'];
  if (status < 300 || status >= 400 || typeof place !== 'string') return undefined;
  if (!['GET', 'HEAD'].includes(method) || !URL.canParse(place, from.href)) return undefined;
  const next = new URL(place, from);
  return isBelow(base, next) ? next : undefined;
}

async function sendOnce(
  url: URL,
  request: HttpRequest,
  { fetch, timeout }: Pick<UpstreamOptions, 'fetch' | 'timeout'>,
  { signal, maxAnswerBytes }: CarryOptions,
): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const late = new Late(timeout);
  const ended = AbortSignal.any([signal, late.signal]);
  let isAnswered = false;
  try {
    const sent = createRequest(url, request, ended);
    const response = await orEnd(fetch(sent), ended);
    isAnswered = true;
    late.renew();
    const bytes = await readWhole(response, maxAnswerBytes, late, ended);
    return { status: response.status, headers: readHeaders(response), body: bytes };
  } catch (cause) {
    signal.throwIfAborted();
    const isOurs = ToolError.is(cause) || cause instanceof UnsendableError;
    throw isOurs ? cause : failed(request.method, cause, isAnswered);
  } finally {
    late.end();
  }
}

/** The API has not seen it, so it says nothing about the API. What the platform says of it has the header, and so a secret. */
class UnsendableError extends TypeError {}

function createRequest(url: URL, { method, headers, body }: HttpRequest, signal: AbortSignal): Request {
  try {
    return new Request(url, {
      method,
      headers: { accept: ACCEPT, 'user-agent': 'toolwright', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal,
    });
  } catch {
    throw new UnsendableError(`A ${method} request has a header or a method that cannot be sent`);
  }
}

const ACCEPT = 'application/json, text/*;q=0.9, */*;q=0.8';

/** An application in the process may not look at the signal. */
function orEnd<Value>(answer: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
    Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end));
  });
}

async function readWhole(
  response: Response,
  limit: number,
  late: Late,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const renewing = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      late.renew();
      controller.enqueue(part);
    },
  });
  const body = response.body?.pipeThrough(renewing, { signal }) ?? null;
  const bytes = await readBody(body, limit);
  if (bytes !== undefined) return bytes;
  throw new ToolError('UPSTREAM_ANSWER', `the answer has more than ${String(limit)} bytes`, {
    suggestion: 'ask for less: a smaller page, or fewer fields',
  });
}

function readHeaders({ headers }: Response): HttpAnswer['headers'] {
  return Object.fromEntries(headers);
}

/** Fires when nothing came for so long. */
class Late {
  readonly #controller = new AbortController();
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.#timeout = timeout;
    this.renew();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  renew(): void {
    clearTimeout(this.#timer);
    if (this.#timeout === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Error(`nothing came for ${String(this.#timeout)} ms`));
    }, this.#timeout);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Before a connection was there, nothing can have been done. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
]);

function failed(method: string, cause: unknown, isAnswered: boolean): ToolError {
  const code = (cause as { readonly cause?: { readonly code?: string } } | undefined)?.cause?.code ?? '';
  if (READS.has(method) || NOT_CONNECTED.has(code)) {
    const what = isAnswered ? 'the connection ended before the answer did' : 'the API cannot be reached';
    return new ToolError('UPSTREAM_UNAVAILABLE', what, { cause });
  }
  const what = 'the connection ended before the answer did: it may have been done';
  return new ToolError('OUTCOME_UNKNOWN', what, { cause });
}

function isDown(error: unknown): boolean {
  return ToolError.is(error) && ['UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(error.code);
}

/** Few at once: what is more waits its turn. */
class Running {
  readonly #max: number;
  #count = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    if (this.#count >= this.#max) await this.#turn(signal);
    else this.#count += 1;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#count -= 1;
      else next();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(begin);
    });
  }
}
