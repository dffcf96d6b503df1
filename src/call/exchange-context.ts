import { askForm, askUrl, type Answer, type AskContracts, type AskSchema, type UrlAnswer } from './ask.ts';
import type { AuthInfo, CallExchange, ClientDescription, LogLevel } from './call-exchange.ts';
import { listRoots, type Root } from './roots.ts';
import { sampleClient, type SampleRequest, type SampleResult } from './sample.ts';
import { ToolContext, type ContextKey } from './tool-context.ts';

/** The {@link ToolContext} over one {@link CallExchange}. */
export class ExchangeContext extends ToolContext {
  readonly #exchange: CallExchange;
  readonly #contracts: AskContracts;
  #values: Map<unknown, unknown> | undefined;
  #progress = -Infinity;

  constructor(exchange: CallExchange, contracts: AskContracts) {
    super();
    this.#exchange = exchange;
    this.#contracts = contracts;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
  get requestId(): string | number {
    return this.#exchange.requestId;
  }
  get sessionId(): string | undefined {
    return this.#exchange.sessionId;
  }
  get meta(): Readonly<Record<string, unknown>> {
    return this.#exchange.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#exchange.authInfo;
  }
  get client(): ClientDescription {
    return this.#exchange.client();
  }
  get raw(): unknown {
    return this.#exchange.raw;
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name);
  }

  log(data: unknown, level: LogLevel = 'info', logger?: string): Promise<void> {
    return this.#exchange.log(level, data, logger);
  }

  async progress(progress: number, total?: number, message?: string): Promise<void> {
    const progressToken = this.#exchange.meta['progressToken'];
    if (progressToken === undefined || !Number.isFinite(progress) || progress <= this.#progress) return;
    this.#progress = progress;
    await this.#exchange.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }

  ask<T>(schema: AskSchema<T>, message: string): Promise<Answer<T>> {
    return askForm(this.#exchange, this.#contracts, { schema, message });
  }

  askUrl(url: string, message: string): Promise<UrlAnswer> {
    return askUrl(this.#exchange, url, message);
  }

  sample(request: SampleRequest | string): Promise<SampleResult> {
    return sampleClient(this.#exchange, request);
  }

  roots(): Promise<readonly Root[]> {
    return listRoots(this.#exchange);
  }

  set<T>(key: ContextKey<T> | string | symbol, value: T): void {
    this.#values ??= new Map();
    this.#values.set(key, value);
  }

  get<T>(key: ContextKey<T> | string | symbol): T | undefined {
    return this.#values?.get(key) as T | undefined;
  }
}
