import type { Answer, AskSchema, UrlAnswer } from './ask.ts';
import type { AuthInfo, ClientDescription, LogLevel } from './call-exchange.ts';
import type { Root } from './roots.ts';
import type { SampleRequest, SampleResult } from './sample.ts';

/** A typed key for a value that one layer of a call hands to the layers inside it. */
export interface ContextKey<T> {
  readonly description: string;
  /** Never present; it carries the type of the value. */
  readonly value?: T;
}

/** Makes a key for {@link ToolContext.set} and {@link ToolContext.get}; each call makes a different key. */
export function createContextKey<T>(description: string): ContextKey<T> {
  return Object.freeze({ description });
}

/**
 * What a handler knows of the request that it serves. A parameter typed `ToolContext` receives it.
 *
 * @example
 * @Action('Import a file')
 * async import(input: ImportFile, ctx: ToolContext) {
 *   await ctx.progress(1, 10, 'opened');
 *   ctx.signal.throwIfAborted();
 * }
 */
export abstract class ToolContext {
  /** Aborted when the client cancels the call or goes away. */
  abstract readonly signal: AbortSignal;
  abstract readonly requestId: string | number;
  /** The session of a Streamable HTTP client; undefined on stdio and in stateless mode. */
  abstract readonly sessionId: string | undefined;
  /** The `_meta` object of the request (spec: basic, _meta); empty when there was none. */
  abstract readonly meta: Readonly<Record<string, unknown>>;
  abstract readonly authInfo: AuthInfo | undefined;
  abstract readonly client: ClientDescription;
  /** What the SDK handed over, for needs that the framework does not cover. */
  abstract readonly raw: unknown;
  /** An HTTP header of the request, letter case ignored; undefined on other transports. */
  abstract header(name: string): string | undefined;
  /** Sends a log message to the client, at `info` unless a level is given. */
  abstract log(data: unknown, level?: LogLevel, logger?: string): Promise<void>;
  /**
   * Reports progress; does nothing when the client did not ask for it. Progress must increase
   * (spec: basic/utilities/progress, Progress Flow), so a value that is not above the last one is not sent.
   */
  abstract progress(progress: number, total?: number, message?: string): Promise<void>;
  /**
   * Asks the user to fill in a form. It is made of a flat DTO class or schema: texts, numbers, truth values,
   * and choices from fixed texts. What comes back is checked like the input of a tool; extra fields are dropped.
   *
   * @throws ToolError `CLIENT_CAPABILITY_MISSING`, `CLIENT_UNREACHABLE`, `INVALID_ANSWER` or `CANCELLED`.
   * @throws ToolwrightError `TW_ASK_SCHEMA` for a schema that no form can show.
   * @example
   * @Action('Create a task that the user describes')
   * async create(ctx: ToolContext) {
   *   const answer = await ctx.ask(CreateTask, 'What is to be done?');
   *   if (answer.action === 'accept') store.titles.push(answer.content.title);
   *   return answer.action;
   * }
   */
  abstract ask<T>(schema: AskSchema<T>, message: string): Promise<Answer<T>>;
  /**
   * Asks the user to open a URL, for what must not pass through the client: passwords, payments, consent.
   * `accept` means that the user agreed, not that anything was done there.
   *
   * @throws ToolError as {@link ask} does; ToolwrightError `TW_ASK_URL`.
   */
  abstract askUrl(url: string, message: string): Promise<UrlAnswer>;
  /**
   * Asks the client's model; a string is one message of the user.
   *
   * @throws ToolError `CLIENT_CAPABILITY_MISSING`, `CLIENT_UNREACHABLE`, `INVALID_ANSWER` or `CANCELLED`.
   * @example
   * @Action('Guess what a file is about')
   * async guess(input: ImportFile, ctx: ToolContext) {
   *   const answer = await ctx.sample(`What may be in ${input.path}? Answer in one sentence.`);
   *   return answer.text;
   * }
   */
  abstract sample(request: SampleRequest | string): Promise<SampleResult>;
  /** The places that the client lets the server work in. @throws ToolError as {@link sample} does. */
  abstract roots(): Promise<readonly Root[]>;
  /** Hands a value inward, under a key made by {@link createContextKey}, a string or a symbol. */
  abstract set<T>(key: ContextKey<T> | string | symbol, value: T): void;
  abstract get<T>(key: ContextKey<T> | string | symbol): T | undefined;
}
