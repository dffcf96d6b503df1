import { setTimeout as after } from 'node:timers/promises';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectVersion1 } from '../../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../../support/connections/client-of-version-2.ts';
import type { FeatureClient, FeatureClientOptions } from '../../support/connections/feature-client.ts';

/** How a call ended for its client. */
export interface CallEnd {
  readonly action: string;
  readonly label: string;
  /** `ok`, `wrong`, a code, `hung: …`, or what the client said. */
  readonly end: string;
  readonly milliseconds: number;
}

const ACTIONS = ['get', 'pay', 'refund', 'buy', 'report'];
/** Milliseconds. */
const TIMEOUT = 20_000;
/** How often a call is repeated with its key. */
const REPETITIONS = 3;
/** A client that gives up after two tries, as by default, would hang by itself. */
const reconnectionOptions = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 100,
};

/** Connects an official client of SDK v1 in a session of 2025-11-25, or of SDK v2 with 2026-07-28. */
export type ConnectShopper = (isVersion1: boolean, options: FeatureClientOptions) => Promise<FeatureClient>;

export function connectOverHttp(url: string): ConnectShopper {
  const settings = { reconnectionOptions };
  return (isVersion1, options) =>
    isVersion1
      ? connectVersion1(new StreamableHTTPClientTransport(new URL(url), settings), options)
      : connectVersion2(new TransportOfVersion2(new URL(url), settings), '2026', options);
}

/** A client, and the person before it. */
export class Shopper {
  readonly ends: CallEnd[] = [];
  readonly #connectTo: ConnectShopper;
  readonly #name: string;
  readonly #isVersion1: boolean;
  readonly #timeout: number;
  #client: FeatureClient | undefined;
  /** What the client complained about since the call began. */
  #errors: string[] = [];

  constructor(connect: ConnectShopper, isVersion1: boolean, timeout = TIMEOUT) {
    this.#timeout = timeout;
    this.#connectTo = connect;
    this.#isVersion1 = isVersion1;
    // Stores keep what others paid for before
    this.#name = `${this.#isVersion1 ? 'v1' : 'v2'}-${crypto.randomUUID().slice(0, 8)}`;
  }

  /** Calls one action after the other. */
  async shop(isOver: () => boolean): Promise<void> {
    for (let count = 0; !isOver(); count += 1) {
      const action = ACTIONS[Math.floor(Math.random() * ACTIONS.length)] ?? '';
      const label = `${this.#name}-${String(count)}`;
      for (let tries = 0; tries <= REPETITIONS; tries += 1) {
        const end = await this.#callOnce(action, label);
        if (end === 'ok' || action !== 'pay') break;
        await after(200);
      }
    }
    await this.#client?.close().catch(() => undefined);
  }

  async #callOnce(action: string, label: string): Promise<string> {
    const begun = performance.now();
    this.#errors = [];
    const end = await this.#call(action, label).catch((error: unknown) => this.#endOf(error));
    this.ends.push({ action, label, end, milliseconds: performance.now() - begun });
    return end;
  }

  async #call(action: string, label: string): Promise<string> {
    this.#client ??= await this.#connect();
    const key = action === 'pay' ? { idempotencyKey: label } : {};
    const call = { name: `shop_${action}`, arguments: { label, ...key } };
    const options = { timeout: this.#timeout, onprogress: () => undefined };
    const result = await this.#client.callTool(call, undefined, options);
    const [content] = result.content as readonly { readonly text?: string }[];
    const text = content?.text ?? '';
    if (result.isError === true) return codeIn(JSON.stringify(result)) ?? `error: ${text.slice(0, 160)}`;
    return text === `${action} ${label}${action === 'buy' ? ` word-${label}` : ''}` ? 'ok' : `wrong: ${text}`;
  }

  #endOf(error: unknown): string {
    const { code, message = '', data } = error as { code?: unknown; message?: string; data?: unknown };
    if (code === -32001 || code === 'REQUEST_TIMEOUT') return `hung: ${this.#causeOfHang(message)}`;
    // Its session is over
    if (/session not found|session has ended|connection closed|not connected/iu.test(message))
      this.#client = undefined;
    const named = codeIn(`${JSON.stringify(data)} ${message}`);
    if (named !== undefined) return named;
    const status = /^Streamable HTTP error/u.test(message) ? `HTTP ${String(code)}` : undefined;
    return status ?? message.replaceAll(/\d+/gu, '#').slice(0, 100);
  }

  /** Which of the known faults of the official clients it was. */
  #causeOfHang(message: string): string {
    const said = this.#errors.join('\n');
    if (this.#isVersion1 && said.includes('Failed to send response'))
      return 'reply that v1 does not send again';
    if (!this.#isVersion1 && said.includes('SSE stream disconnected'))
      return 'stream that v2 does not go on with';
    return `ours ${message} ${said}`;
  }

  #connect(): Promise<FeatureClient> {
    const options = {
      onElicitation: (question: Readonly<Record<string, unknown>>) =>
        this.#answer(String(question['message'])),
      onError: (error: Error) => void this.#errors.push(error.message),
    };
    return this.#connectTo(this.#isVersion1, options);
  }

  /** Thinks about it first. */
  async #answer(question: string): Promise<Readonly<Record<string, unknown>>> {
    await after(Math.random() * 200);
    const [, label] = /^Which word for (.*)\?$/u.exec(question) ?? [];
    return { action: 'accept', content: label === undefined ? { agreed: true } : { word: `word-${label}` } };
  }
}

function codeIn(text: string): string | undefined {
  return /\\?"code\\?":\s*\\?"([A-Z_]+)\\?"/u.exec(text)?.[1];
}
