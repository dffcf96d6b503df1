import type { Answer, AskSchema, Root, UrlAnswer } from './ask.ts';
import type {
  AuthInfo,
  ClientDescription,
  IdempotentCall,
  LogLevel,
  NamedQuestion,
} from './request-context.ts';
import type { SampleRequest, SampleResult } from './sample.ts';
import type { Caller } from './request-context.ts';
import { subjectOf } from './subject.ts';

/** A typed key for a value that one layer of a call hands to the layers inside it. */
export interface ContextKey<T> {
  /** The name of the key, for messages. */
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
  /**
   * Aborted when the client cancels the call or goes away, or when its time limit is over; of a task, when the task is
   * cancelled or expires.
   */
  abstract readonly signal: AbortSignal;
  /** The id of the JSON-RPC request. */
  abstract readonly requestId: string | number;
  /** The session of a Streamable HTTP client; undefined on stdio and in stateless mode. */
  abstract readonly sessionId: string | undefined;
  /**
   * The `_meta` object of the request (spec: basic, _meta); empty when there was none. What 2026-07-28 reserves in it is
   * left out, over every transport: {@link client} says who calls.
   */
  abstract readonly meta: Readonly<Record<string, unknown>>;
  /** The caller, as the transport authenticated it; undefined without authentication. */
  abstract readonly authInfo: AuthInfo | undefined;
  /** The tenant that the caller acts for, by its verified token; undefined where there are none. */
  get tenant(): string | undefined {
    return subjectOf(this.authInfo)?.tenant;
  }
  /**
   * The caller, with what `auth.load` gave for it; undefined for an anonymous one, and where nothing requires anything
   * of callers.
   */
  get caller(): Caller | undefined {
    return undefined;
  }
  /** What the client declared: its name, version and capabilities. */
  abstract readonly client: ClientDescription;
  /**
   * What an SDK hands to its handlers, or what stands in for that where no SDK serves the call. Its members depend on
   * the transport and on the way that the call took: nothing to be relied on.
   */
  abstract readonly raw: unknown;
  /** The key and the number of a call of an action that is `@Idempotent({ key })`; undefined for others. */
  abstract readonly idempotency: IdempotentCall | undefined;
  /** An HTTP header of the request, letter case ignored; undefined on other transports. */
  abstract header(name: string): string | undefined;
  /** Sends a log message to the client, at `info` unless a level is given. */
  abstract log(data: unknown, level?: LogLevel, logger?: string): Promise<void>;
  /**
   * Reports progress; does nothing when the client did not ask for it, but a task shows it with its status. Progress must increase
   * (spec: basic/utilities/progress, Progress Flow), so a value that is not above the last one is not sent.
   */
  abstract progress(progress: number, total?: number, message?: string): Promise<void>;
  /**
   * Asks the user to fill in a form. It is made of a flat DTO class or schema: texts, numbers, booleans,
   * and choices from fixed texts. What comes back is checked like the input of a tool; extra fields are dropped.
   *
   * A client of 2026-07-28 answers by calling again, and the handler runs from its start with the answer (spec
   * 2026-07-28: basic/patterns/mrtr). So put effects that come before a question into {@link step}.
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
  abstract ask<T>(schema: AskSchema<T>, message: string, options?: NamedQuestion): Promise<Answer<T>>;
  /**
   * Asks the user to open a URL, for what must not pass through the client: passwords, payments, consent.
   * `accept` means that the user agreed, not that anything was done there.
   *
   * @throws ToolError as {@link ask} does; ToolwrightError `TW_ASK_URL`.
   */
  abstract askUrl(url: string, message: string, options?: NamedQuestion): Promise<UrlAnswer>;
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
  abstract sample(request: SampleRequest | string, options?: NamedQuestion): Promise<SampleResult>;
  /** The places that the client lets the server work in. @throws ToolError as {@link sample} does. */
  abstract roots(options?: NamedQuestion): Promise<readonly Root[]>;
  /**
   * Does something once, however often the handler runs again for an answer, and gives its value each time. The
   * value is what JSON keeps of it, on every client alike; what the function throws is thrown and not kept.
   *
   * @param name says which step it is; the second of a name counts as another one
   * @throws ToolwrightError `TW_STEP_RESULT` for a value that JSON does not carry, `TW_STEP_NESTED` within a step.
   * @example
   * @Action('Order a book')
   * async order(input: ImportFile, ctx: ToolContext) {
   *   const { id } = await ctx.step('reserve', () => ({ id: store.titles.push(input.path) }));
   *   const answer = await ctx.ask(CreateTask, 'Where shall it go?');
   *   return answer.action === 'accept' ? `Ordered as ${String(id)}` : 'Not ordered';
   * }
   */
  abstract step<T>(name: string, run: () => T | Promise<T>): Promise<T>;
  /**
   * Lets the call go on as a task: its client has an answer at once and polls for the result. What the handler asks
   * before belongs to the call, what it asks afterwards to the task. The action says `task: 'on-demand'`; in one that
   * is a task already only the message counts. Does nothing where the client knows no tasks: the call goes on as it
   * is.
   *
   * @param message says what the task is about to do
   * @throws ToolError `TASK_LIMIT`; ToolwrightError `TW_TASK_UNDECLARED`.
   * @example
   * @Action({ description: 'Import a file', task: 'on-demand' })
   * async import(input: ImportFile, ctx: ToolContext) {
   *   await ctx.startTask(`Importing ${input.path}`);
   *   return store.titles.length;
   * }
   */
  abstract startTask(message?: string): Promise<void>;
  /**
   * Ends the response that carries this call, and lets the client come back for the rest of it, which is kept: for
   * work that takes longer than a connection may last (spec 2025-11-25: basic/transports, Resumability). The call
   * itself goes on. Does nothing where the client cannot come back: on stdio, without sessions, with plain JSON,
   * for clients of other protocol revisions.
   *
   * @example
   * @Action('Import a file')
   * async import(input: ImportFile, ctx: ToolContext) {
   *   ctx.releaseStream();
   *   await ctx.progress(1, 2, 'an hour later');
   *   return `Imported ${input.path}`;
   * }
   */
  abstract releaseStream(): void;
  /** Hands a value inward, under a key made by {@link createContextKey}, a string or a symbol. */
  abstract set<T>(key: ContextKey<T> | string | symbol, value: T): void;
  /** The value that `set()` stored under the key for this call; undefined without one. */
  abstract get<T>(key: ContextKey<T> | string | symbol): T | undefined;
}

/** What a completing method knows beside the text that was typed so far. */
export interface CompletionContext {
  /** The arguments that the client has resolved already. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The context of the request for completions. */
  readonly call: ToolContext;
}
