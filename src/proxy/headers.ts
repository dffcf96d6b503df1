import type { Call } from '../kernel/call/call.ts';
import type { ProxyAuth, ProxyOptions } from './options.ts';

type Headers = Readonly<Record<string, string>>;

/** By these a request is followed through servers; nobody is known by them. */
const PASSED = ['traceparent', 'x-request-id'] as const;
/** The client of the proxied server writes them. */
const OWN = /^(mcp-.*|host|connection|content-.*|accept|transfer-encoding|keep-alive|upgrade|te|trailer)$/i;
const MAX_PASSED_LENGTH = 256;
const PASSABLE = /^[\x21-\x7e]+$/;

/** The headers of requests to one server. Of what a caller sends, only {@link PASSED} goes on. */
export class ProxyHeaders {
  /** Headers for all callers alike, and for requests that belong to no caller. */
  readonly fixed: Headers;
  readonly #auth: ProxyAuth | undefined;

  constructor(auth: ProxyOptions['auth'] = {}) {
    this.#auth = typeof auth === 'function' ? auth : undefined;
    this.fixed = Object.freeze(typeof auth === 'function' ? {} : withoutOwn(auth));
  }

  /** Whether callers may be different ones to the server. */
  get isPerCaller(): boolean {
    return this.#auth !== undefined;
  }

  /** @param target what the call names at the server; undefined for a list */
  async forCall(call: Call, target: string | undefined): Promise<Headers> {
    const { origin, authInfo, signal } = call;
    const made = await this.#auth?.(authInfo, { method: origin.method, target, signal });
    return { ...followed(call), ...(made === undefined ? this.fixed : withoutOwn(checked(made))) };
  }
}

function followed(call: Call): Headers {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = call.header(name);
      const isPassed = value !== undefined && value.length <= MAX_PASSED_LENGTH && PASSABLE.test(value);
      return isPassed ? [[name, value] as const] : [];
    }),
  );
}

/**
 * What cannot be sent is the fault of one caller's headers, and must not count as one of the server.
 * @throws TypeError for a name or value that no header has
 */
function checked(headers: Headers): Headers {
  return Object.fromEntries(new globalThis.Headers(headers));
}

function withoutOwn(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OWN.test(name))
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
}
