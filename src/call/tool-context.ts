import type { Upstream } from './upstream.ts';
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
import { ToolwrightError } from '../errors/toolwright-error.ts';
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

/** A typed key for a value that the application keeps for each caller, made by `createStateKey()`. */
export interface StateKey<T> {
  /** Says what is kept, in every process of the application. */
  readonly name: string;
  /** Milliseconds that a value is kept after it was last written. */
  readonly ttl: number;
  /** Bytes that a value may have as JSON. */
  readonly maxBytes: number;
  /** Never present; it carries the type of the value. */
  readonly value?: T;
}

/**
 * What the application keeps for one caller under one key. Values are what JSON keeps of them. Every method throws
 * ToolError `TRY_AGAIN_LATER` when the store cannot be reached.
 */
export interface CallerState<T> {
  /** The value; undefined where there is none, or its time is over. */
  get(): Promise<T | undefined>;
  /**
   * Puts another value in the place of the present one, whatever it is.
   * @throws ToolwrightError `TW_CONTEXT_VALUE` for a value that is too large, or that JSON does not carry
   */
  set(value: T): Promise<void>;
  /**
   * Changes the value as if no other call did so at the same time.
   * @param change gives the next value for the present one, and undefined for none. It runs again where another call was
   *   faster, so it has no effects of its own.
   * @returns the next value
   * @throws as {@link set} does
   */
  update(change: (value: T | undefined) => T | undefined | Promise<T | undefined>): Promise<T | undefined>;
  /** Removes the value. @returns whether there was one */
  delete(): Promise<boolean>;
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
  /** The surface on which the client got its tools, such as `grouped-by-risk`; `own` unless the application says otherwise. */
  get surface(): string {
    return 'own';
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
  /**
   * What the application keeps for the caller from call to call: the same for all clients of a person, in each revision of
   * the protocol, and in every process that shares a `backplane`. Without a
   * backplane it ends with the process. `app.forget` removes it.
   *
   * A handler that asks its client may run again: so change a value after the last question, or in a {@link step}.
   *
   * @throws ToolError `UNAUTHENTICATED` for an anonymous caller over a network, who cannot be known again
   * @throws ToolwrightError `TW_CONTEXT_MEMBER` where neither an application nor a registry serves the call
   * @example
   * @Action('Read a file')
   * async read(input: ImportFile, ctx: ToolContext) {
   *   const paths = ctx.state(createStateKey<readonly string[]>('paths'));
   *   const all = await paths.update((before = []) => [...before, input.path]);
   *   return `You have read ${String(all?.length)} files`;
   * }
   */
  state<T>(key: StateKey<T>): CallerState<T> {
    return (this.member('state') as (key: StateKey<T>) => CallerState<T>)(key);
  }
  /**
   * Reaches what the person may use at the provider that they signed in with; undefined over stdio, and for callers whose
   * tokens the application has not issued itself (`auth.signIn`).
   *
   * @throws ToolwrightError `TW_CONTEXT_MEMBER` where neither an application nor a registry serves the call
   * @example
   * @Action('List my files')
   * async files(ctx: ToolContext) {
   *   const answer = await ctx.upstream?.fetch('https://www.googleapis.com/drive/v3/files');
   *   return answer?.json();
   * }
   */
  get upstream(): Upstream | undefined {
    return (this.member('upstream') as { readonly found?: Upstream | undefined }).found;
  }
  /**
   * What the application adds to this context under a name.
   * @throws ToolwrightError `TW_CONTEXT_MEMBER` where no application serves the call
   */
  protected member(name: string): unknown {
    throw new ToolwrightError('TW_CONTEXT_MEMBER', {
      where: `ctx.${name}()`,
      what: 'needs an application or a registry, and none serves this call.',
      fix: 'call the tool through `McpApplication` or `ToolRegistry`; in unit tests, use `FakeToolContext`',
    });
  }
}

/** What a completing method knows beside the text that was typed so far. */
export interface CompletionContext {
  /** The arguments that the client has resolved already. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The context of the request for completions. */
  readonly call: ToolContext;
}
