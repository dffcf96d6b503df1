import { Buffer } from 'node:buffer';
import { ToolError } from '../index.ts';
import type { FetchFunction } from '../operations/http/fetch-carrier.ts';
import { isPlainObject, parseJson, type PlainObject } from '../shared/json.ts';
import { reachesLoopback } from '../shared/loopback.ts';
import { readBody } from '../shared/read-body.ts';

/** Where tokens come from, and how they are asked for. */
export interface TokenSource {
  readonly url: string;
  readonly scopes: readonly string[];
  readonly fetch: FetchFunction;
  /** Milliseconds until an answer has to be there. */
  readonly timeout: number;
}

/**
 * Where tokens are asked for. A document does not say where a secret goes: another origin than that of the API is its user's to
 * name.
 * @returns undefined where that is not known, or not safe
 */
export function findTokenUrl(
  named: string | undefined,
  { flows }: PlainObject,
  baseUrl: string | undefined,
): string | undefined {
  const flow = isPlainObject(flows) ? flows['clientCredentials'] : undefined;
  const told = isPlainObject(flow) ? flow['tokenUrl'] : undefined;
  const given = named ?? told;
  if (typeof given !== 'string' || !URL.canParse(given, baseUrl)) return undefined;
  const url = new URL(given, baseUrl);
  const isOwn = baseUrl !== undefined && url.origin === new URL(baseUrl).origin;
  if (named === undefined && !isOwn) return undefined;
  const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && reachesLoopback(url));
  return isPrivate ? url.href : undefined;
}

interface HeldToken {
  readonly token: Promise<string>;
  /** Milliseconds since 1970; none while it is asked for. */
  renewAt: number;
}

const MAX_TOKEN_BYTES = 64 * 1024;
const MAX_HELD_COUNT = 1000;
/** Seconds before its end, when a token is asked for again, and its life where nothing says it. */
const RENEWED_BEFORE = 60;
const USUAL_LIFE = 300;

/** Tokens of the grant `client_credentials` (RFC 6749, 4.4), one for each client, and one request for it at a time. */
export class ClientTokens {
  readonly #source: TokenSource;
  readonly #held = new Map<string, HeldToken>();

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** @param client its id and its secret: `id:secret` */
  get(client: string): Promise<string> {
    const known = this.#held.get(client);
    if (known !== undefined && Date.now() < known.renewAt) return known.token;
    const held: HeldToken = {
      renewAt: Number.POSITIVE_INFINITY,
      token: this.#ask(client).then(({ token, life }) => {
        held.renewAt = Date.now() + 1000 * Math.max(life - RENEWED_BEFORE, life / 2);
        return token;
      }),
    };
    held.token.catch(() => {
      if (this.#held.get(client) === held) this.#held.delete(client);
    });
    this.#held.delete(client);
    this.#held.set(client, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MAX_HELD_COUNT && oldest !== undefined) this.#held.delete(oldest);
    return held.token;
  }

  async #ask(client: string): Promise<{ readonly token: string; readonly life: number }> {
    const { url, scopes, fetch, timeout } = this.#source;
    const [id = '', secret = ''] = client.split(/:(.*)/s);
    // Form-encoded first (RFC 6749, 2.3.1)
    const pair = [id, secret].map((text) => encodeURIComponent(text)).join(':');
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    const answer = await this.#send(
      new Request(url, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        },
        body: form,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      }),
      fetch,
    );
    if (answer.status >= 500) throw unavailable(String(answer.status));
    const { access_token: token, expires_in: life = USUAL_LIFE } = answer.value;
    if (answer.status !== 200 || typeof token !== 'string' || token === '')
      throw new ToolError('UPSTREAM_REFUSED', `the API gave no token (${String(answer.status)})`);
    const seconds = Number(life);
    return { token, life: Number.isFinite(seconds) && seconds > 0 ? seconds : USUAL_LIFE };
  }

  async #send(
    request: Request,
    fetch: FetchFunction,
  ): Promise<{ readonly status: number; readonly value: Readonly<Record<string, unknown>> }> {
    try {
      const response = await fetch(request);
      const bytes = await readBody(response.body, MAX_TOKEN_BYTES);
      const value = bytes === undefined ? undefined : parseJson(Buffer.from(bytes).toString());
      return { status: response.status, value: isPlainObject(value) ? value : {} };
    } catch (cause) {
      throw unavailable('no answer', cause);
    }
  }
}

function unavailable(what: string, cause?: unknown): ToolError {
  return new ToolError('UPSTREAM_UNAVAILABLE', `the API gave no token: ${what}`, { cause });
}
