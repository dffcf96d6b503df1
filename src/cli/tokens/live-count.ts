import { setTimeout as wait } from 'node:timers/promises';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { readBody } from '../../shared/read-body.ts';
import { quotedText } from '../../shared/visible-text.ts';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Environment, Provider } from './providers.ts';

/** How a provider is asked. */
export interface LiveOptions {
  /** Default: a current model of the provider. */
  readonly model?: string | undefined;
  /** The longest that an answer may take, with the time that the provider asks to wait. */
  readonly timeout?: number | undefined;
}

const TIMEOUT = 60_000;
const MOST_SAID = 500;
/** A count is a few bytes; a longer answer is none. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Asks a provider how many tokens tools cost. Equal lists are asked for once. */
export class LiveCount {
  readonly model: string;
  readonly #provider: Provider;
  readonly #timeout: number;
  readonly #env: Environment;
  readonly #key: { readonly variable: string; readonly value: string };
  readonly #base: string;
  readonly #counted = new Map<string, Promise<number>>();

  /** @throws CliError without a key */
  constructor(provider: Provider, env: Environment, { model, timeout }: LiveOptions) {
    this.model = model ?? provider.model;
    this.#provider = provider;
    this.#timeout = timeout ?? TIMEOUT;
    this.#env = env;
    this.#key = keyOf(provider, env);
    this.#base = baseUrlOf(provider, env);
  }

  /**
   * The tokens of a request with these tools, less those of the same request without tools. What the provider adds to
   * any request with tools is part of it.
   * @param tools in the form of the provider
   * @throws CliError when it does not count them
   */
  async count(tools: readonly object[]): Promise<number> {
    const empty = await this.#ask([]);
    return tools.length === 0 ? 0 : (await this.#ask(tools)) - empty;
  }

  #ask(tools: readonly object[]): Promise<number> {
    const { path, headers, body } = this.#provider.request(tools, this.model, this.#key.value, this.#env);
    const text = JSON.stringify(body);
    const known = this.#counted.get(text);
    if (known !== undefined) return known;
    const asked = this.#post(`${this.#base}${path}`, headers, text);
    this.#counted.set(text, asked);
    return asked;
  }

  async #post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    const signal = AbortSignal.timeout(this.#timeout);
    try {
      for (;;) {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
          body,
          signal,
          // The key is for this address alone
          redirect: 'manual',
        });
        const text = new TextDecoder().decode(await readBody(answer.body, MAX_ANSWER_BYTES));
        const pause = answer.status === 429 ? pauseOf(answer) : undefined;
        if (pause === undefined || pause > this.#timeout) return this.#read(answer, text);
        await wait(pause, undefined, { signal });
      }
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw this.#unreachable(error);
    }
  }

  #read(answer: Response, text: string): number {
    const content = parsed(text);
    const tokens = this.#provider.read(content);
    if (answer.ok && Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number;
    throw this.#refused(answer.status, content);
  }

  #refused(status: number, content: PlainObject): CliError {
    const { title: where, baseUrl } = this.#provider;
    const { variable } = this.#key;
    const { what, fix, exitCode, isSecret } = failureOf(status, this.model, variable, baseUrl.variable);
    const said = isPlainObject(content['error']) ? content['error']['message'] : undefined;
    const why =
      typeof said === 'string' && !isSecret
        ? quotedText(this.#withoutKey(said).slice(0, MOST_SAID))
        : undefined;
    return new CliError('TW_CLI_PROVIDER', { where, what: `${what} (HTTP ${status}).`, why, fix }, exitCode);
  }

  #unreachable(cause: unknown): CliError {
    const { title, baseUrl } = this.#provider;
    const { name, cause: reason = cause } = cause as { readonly name?: unknown; readonly cause?: unknown };
    const isLate = name === 'TimeoutError' || name === 'AbortError';
    const what = isLate
      ? `did not answer within ${this.#timeout} milliseconds.`
      : `cannot be reached: ${this.#withoutKey(messageOf(reason))}.`;
    const fix = isLate ? '--timeout 120000' : `check the network, and the address in ${baseUrl.variable}`;
    return new CliError('TW_CLI_PROVIDER', { where: title, what, fix }, EXIT.unreachable);
  }

  #withoutKey(text: string): string {
    return text.replaceAll(this.#key.value, '…');
  }
}

interface Failure {
  readonly what: string;
  readonly fix: string;
  readonly exitCode: ExitCode;
  /** Whether what the provider says may quote a part of the key. */
  readonly isSecret?: boolean;
}

function failureOf(status: number, model: string, key: string, address: string): Failure {
  if (status === 401 || status === 403) {
    const fix = `set ${key} to a key that may use the model ${model}`;
    return { what: `does not accept the key in ${key}`, fix, exitCode: EXIT.unauthorized, isSecret: true };
  }
  if (status === 404)
    return { what: `does not know the model ${model}`, fix: '--model <name>', exitCode: EXIT.usage };
  if (status === 429)
    return { what: 'counts no more for now', fix: 'wait, and run it again', exitCode: EXIT.unreachable };
  if (status >= 500)
    return { what: 'failed to count', fix: 'run it again later', exitCode: EXIT.unreachable };
  if (status >= 400)
    return { what: 'refused to count these tools', fix: 'change them as it says', exitCode: EXIT.refused };
  return {
    what: 'answered without a count',
    fix: `check the address in ${address}`,
    exitCode: EXIT.unreachable,
  };
}

function keyOf({ title, keys }: Provider, env: Environment): { variable: string; value: string } {
  for (const variable of keys) {
    const value = env[variable]?.trim() ?? '';
    if (value !== '') return { variable, value };
  }
  throw new CliError('TW_CLI_KEY', {
    where: '--live',
    what: `asks ${title} to count, and no key for it is in the environment.`,
    fix: `set ${keys.join(' or ')}, or leave --live out for an estimate`,
  });
}

function baseUrlOf({ baseUrl: { variable, fallback } }: Provider, env: Environment): string {
  const given = env[variable]?.trim() ?? '';
  if (given === '') return fallback;
  if (/^https?:/i.test(given) && URL.canParse(given)) return given.replace(/\/+$/, '');
  throw new CliError('TW_CLI_OPTION', {
    where: variable,
    what: 'is not a URL.',
    fix: `${variable}=${fallback}`,
  });
}

/** How long a provider asks to wait, in milliseconds. */
function pauseOf(answer: Response): number | undefined {
  const header = answer.headers.get('retry-after') ?? '';
  return /^\d+(?:\.\d+)?$/.test(header) ? Number(header) * 1000 : undefined;
}

function parsed(text: string): PlainObject {
  try {
    const content: unknown = JSON.parse(text);
    return isPlainObject(content) ? content : {};
  } catch {
    return {};
  }
}

function messageOf(thrown: unknown): string {
  const { message = '', code } = thrown as { readonly message?: string; readonly code?: unknown };
  return message === '' ? String(code) : message;
}
