import {
  ToolContext,
  type AuthInfo,
  type ClientDescription,
  type ContextKey,
  type LogLevel,
} from '../index.ts';

/** What a {@link FakeToolContext} may say of the request. */
export interface FakeContextOptions {
  readonly signal?: AbortSignal;
  readonly requestId?: string | number;
  readonly sessionId?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly authInfo?: AuthInfo;
  readonly client?: ClientDescription;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoggedMessage {
  readonly data: unknown;
  readonly level: LogLevel;
  readonly logger: string | undefined;
}

export interface ReportedProgress {
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/**
 * A context for unit tests of a handler; it remembers what was logged and reported.
 *
 * @example
 * const ctx = new FakeToolContext({ headers: { 'x-tenant': 'acme' } });
 * await new ImportController(store).import({ path: 'a.csv' }, ctx);
 * expect(ctx.reported).toHaveLength(10);
 */
export class FakeToolContext extends ToolContext {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sessionId: string | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly authInfo: AuthInfo | undefined;
  readonly client: ClientDescription;
  readonly raw = undefined;
  readonly logged: LoggedMessage[] = [];
  readonly reported: ReportedProgress[] = [];
  readonly #headers: ReadonlyMap<string, string>;
  readonly #values = new Map<unknown, unknown>();

  constructor(options: FakeContextOptions = {}) {
    super();
    this.signal = options.signal ?? new AbortController().signal;
    this.requestId = options.requestId ?? 'test';
    this.sessionId = options.sessionId;
    this.meta = options.meta ?? {};
    this.authInfo = options.authInfo;
    this.client = options.client ?? { capabilities: {} };
    const headers = Object.entries(options.headers ?? {});
    this.#headers = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  }

  header(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  log(data: unknown, level: LogLevel = 'info', logger?: string): Promise<void> {
    this.logged.push({ data, level, logger });
    return Promise.resolve();
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    this.reported.push({ progress, total, message });
    return Promise.resolve();
  }

  set<T>(key: ContextKey<T> | string | symbol, value: T): void {
    this.#values.set(key, value);
  }

  get<T>(key: ContextKey<T> | string | symbol): T | undefined {
    return this.#values.get(key) as T | undefined;
  }
}
