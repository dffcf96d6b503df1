import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { reachesLoopback } from '../../shared/loopback.ts';
import { isPublicAddress } from '../../shared/public-address.ts';
import { parseJson } from '../../shared/json.ts';
import { readBody } from '../../shared/read-body.ts';

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body read as JSON; undefined for any other one. */
  readonly json: unknown;
}

/** An answer, or why there is none. */
export type Asked = Answer | { readonly failure: string };

export interface Question {
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The head is enough: an answer may be a stream without an end. */
  readonly headOnly?: boolean;
}

const MAX_BODY_BYTES = 256 * 1024;
const MAX_WAIT_SECONDS = 60;

/** Sends requests that are bounded in time and size, and follows no redirect. A document is fetched once. */
export class Asker {
  readonly #timeout: number;
  readonly #documents = new Map<string, Promise<Asked>>();

  /** @param timeout milliseconds for each request */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** A document, which is the same for all who ask. */
  document(url: string): Promise<Asked> {
    const known = this.#documents.get(url);
    if (known !== undefined) return known;
    const asked = this.ask(url, { headers: { accept: 'application/json' } });
    this.#documents.set(url, asked);
    // A server that was away may be there when a person tries again
    void asked.then((answer) => 'failure' in answer && this.#documents.delete(url));
    return asked;
  }

  /** Asks again where a server wants to be asked later, once. */
  async ask(url: string, question: Question = {}): Promise<Asked> {
    const asked = await this.#askOnce(url, question);
    if ('failure' in asked || asked.status !== 429) return asked;
    const seconds = Number(asked.headers.get('retry-after') ?? NaN);
    if (!(seconds >= 0 && seconds <= MAX_WAIT_SECONDS)) return asked;
    await wait(seconds * 1000);
    return this.#askOnce(url, question);
  }

  async #askOnce(url: string, { headOnly = false, ...question }: Question): Promise<Asked> {
    const signal = AbortSignal.timeout(this.#timeout);
    try {
      const { status, headers, body } = await fetch(url, { ...question, redirect: 'manual', signal });
      if (headOnly) {
        await body?.cancel();
        return { status, headers, json: undefined };
      }
      const bytes = await readBody(body, MAX_BODY_BYTES);
      if (bytes === undefined) return { failure: `an answer of more than ${String(MAX_BODY_BYTES)} bytes` };
      return { status, headers, json: parseJson(new TextDecoder().decode(bytes)) };
    } catch (error) {
      return { failure: signal.aborted ? `no answer within ${String(this.#timeout)} ms` : sayCause(error) };
    }
  }
}

/** The code of the system where there is one: what fetch says itself is always the same. */
function sayCause(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: string };
    readonly message: string;
  };
  return cause?.code ?? message;
}

/**
 * Why a URL that a server names cannot be asked; undefined where it can. A server elsewhere has no business on this machine, and
 * tokens do not travel in the clear.
 */
export function faultOfUrl(url: unknown, typed: string): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return 'is not a URL';
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'has a user name in it';
  if (protocol !== 'https:' && protocol !== 'http:') return 'is not an https URL';
  if (isInside(url) && !isInside(typed)) return 'is in the network of the machine that asks';
  if (isHere(url)) return isHere(typed) ? undefined : 'is on the machine that asks';
  return protocol === 'https:' ? undefined : 'is not an https URL';
}

/** Whether a URL names an address that is not for everybody. */
function isInside(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return isHere(url) || (isIP(host) !== 0 && !isPublicAddress(host));
}

/** Whether only this machine is reached. */
export function isHere(url: string): boolean {
  return reachesLoopback(new URL(url));
}
