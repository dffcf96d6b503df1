import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { TokenIssuer } from '../../support/token-issuer.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { initialize, post, requests2026 } from '../serving/requests.ts';

/** Milliseconds after which a call counts as hung: as often as keys are asked for before one is answered, and room. */
const HUNG = 10_000;
/** Milliseconds between two calls of one caller. */
const PAUSE = 20;

const CALL = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'desk_read', arguments: {} },
});

/** What came of all calls. */
export class CallCounts {
  /** Of callers with a good token, by status. */
  readonly good = new Map<number, number>();
  forged = 0;
  /** Tokens that must not count, and did. */
  readonly accepted: string[] = [];
  hung = 0;
  internal = 0;
  longest = 0;
}

type Sign = () => Promise<string>;

/** Tokens that must not count, by what is wrong with them. @param forger has a key of the same name as the issuer */
export function forgedTokens(issuer: TokenIssuer, forger: TokenIssuer): Readonly<Record<string, Sign>> {
  const iss = issuer.url;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = async (): Promise<string> => (await issuer.sign()).split('.')[1] ?? '';
  return {
    'of a key that nobody knows': () => forger.sign({ iss }, { kid: crypto.randomUUID() }),
    'of another key with its name': () => forger.sign({ iss }),
    unsigned: async () => `${part({ alg: 'none', typ: 'at+jwt' })}.${await claims()}.`,
    'signed with the public key': async () => {
      const signed = `${part({ alg: 'HS256', kid: 'first', typ: 'at+jwt' })}.${await claims()}`;
      const secret = JSON.stringify(issuer.keys[0]?.jwk);
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    },
    revoked: () => issuer.sign({ jti: `revoked-${crypto.randomUUID()}` }),
  };
}

/** Callers of both eras, with good tokens and forged ones, each time at another replica. */
export class TokenCallers {
  readonly #replicas: readonly AttackedServer[];
  readonly #good: Sign;
  readonly #forged: Readonly<Record<string, Sign>>;
  #turn = 0;

  constructor(replicas: readonly AttackedServer[], good: Sign, forged: Readonly<Record<string, Sign>>) {
    this.#replicas = replicas;
    this.#good = good;
    this.#forged = forged;
  }

  /** Calls for some milliseconds. A session that is open goes on with each call. */
  async callFor(milliseconds: number, session: string): Promise<CallCounts> {
    const counts = new CallCounts();
    const until = performance.now() + milliseconds;
    const loop = async (sign: Sign, wrong?: string): Promise<void> => {
      for (let turn = 0; performance.now() < until; turn += 1) {
        await this.#count(counts, await sign(), turn % 2 === 0 ? session : undefined, wrong);
        await after(PAUSE);
      }
    };
    const forged = Object.entries(this.#forged).map(([wrong, sign]) => loop(sign, wrong));
    await Promise.all([loop(this.#good), loop(this.#good), ...forged]);
    return counts;
  }

  async openSession(): Promise<string> {
    const [status, id] = await initialize(this.#next, `Bearer ${await this.#good()}`);
    if (id === null) throw new Error(`There is no session: ${String(status)}`);
    return id;
  }

  /** Whether good tokens count again, at all replicas. */
  async areServed(session: string): Promise<boolean> {
    const counts = new CallCounts();
    for (let turn = 0; turn < this.#replicas.length; turn += 1) {
      await this.#count(counts, await this.#good(), session);
      await this.#count(counts, await this.#good());
    }
    return counts.good.get(200) === 2 * this.#replicas.length;
  }

  get #next(): AttackedServer {
    this.#turn += 1;
    const replica = this.#replicas[this.#turn % this.#replicas.length];
    if (replica === undefined) throw new Error('There are no replicas');
    return replica;
  }

  /** @param session undefined for a call of 2026-07-28; `wrong` says why the token must not count */
  async #count(counts: CallCounts, token: string, session?: string, wrong?: string): Promise<void> {
    const begun = performance.now();
    const late = new AbortController();
    const answer = await Promise.race([
      this.#call(`Bearer ${token}`, session),
      after(HUNG, undefined, { signal: late.signal }),
    ]);
    late.abort();
    counts.longest = Math.max(counts.longest, performance.now() - begun);
    if (wrong !== undefined) counts.forged += 1;
    if (answer === undefined) {
      counts.hung += 1;
      return;
    }
    const { status, text } = answer;
    if (status >= 500 && status !== 503) counts.internal += 1;
    else if (text.includes('INTERNAL_ERROR')) counts.internal += 1;
    if (wrong === undefined) counts.good.set(status, (counts.good.get(status) ?? 0) + 1);
    else if (status === 200 || text.includes('it is read')) counts.accepted.push(wrong);
  }

  async #call(
    authorization: string,
    session: string | undefined,
  ): Promise<{ readonly status: number; readonly text: string }> {
    if (session === undefined) {
      const call = { name: 'desk_read', arguments: {} };
      const { status, ...answer } = await requests2026(this.#next).send('tools/call', call, {
        authorization,
      });
      return { status, text: JSON.stringify(answer) };
    }
    const headers = { authorization, 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' };
    const response = await post(this.#next, CALL, headers);
    return { status: response.status, text: await response.text() };
  }
}
