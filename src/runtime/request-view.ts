import type {
  AuthInfo,
  RequestContext,
  ClientDescription,
  LogLevel,
  Retry,
} from '../call/request-context.ts';
import type { PlainObject } from '../shared/json.ts';

/** The part of a call that few handlers use: what its request says of itself, and messages to its client. */
export abstract class RequestView {
  abstract readonly context: RequestContext;
  /** Made with the first progress. */
  declare protected lastProgress: number | undefined;

  /** What takes messages to the client; undefined when nobody does any more. */
  protected abstract get sink(): Pick<RequestContext, 'notify' | 'log'> | undefined;

  get requestId(): string | number {
    return this.context.requestId;
  }
  get sessionId(): string | undefined {
    return this.context.sessionId;
  }
  get meta(): PlainObject {
    return this.context.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.context.authInfo;
  }
  get retry(): Retry | undefined {
    return this.context.retry;
  }
  get raw(): unknown {
    return this.context.raw;
  }
  get releaseStream(): (() => void) | undefined {
    return this.context.releaseStream;
  }

  client(): ClientDescription {
    return this.context.client();
  }

  header(name: string): string | undefined {
    return this.context.header(name);
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    const { sink } = this;
    if (sink === undefined) return;
    const sendable = method === 'notifications/progress' ? this.increased(params) : params;
    if (sendable !== undefined) await sink.notify(method, sendable);
  }

  async log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    await this.sink?.log(level, data, logger);
  }

  /** Progress must increase, also when the handler runs again, and JSON writes NaN as null. */
  private increased(params: PlainObject): PlainObject | undefined {
    const { progress, total, ...others } = params;
    if (typeof progress !== 'number' || !Number.isFinite(progress)) return undefined;
    if (progress <= (this.lastProgress ?? -Infinity)) return undefined;
    this.lastProgress = progress;
    return Number.isFinite(total) ? params : { progress, ...others };
  }
}
