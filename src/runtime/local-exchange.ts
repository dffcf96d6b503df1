import type { AuthInfo, CallExchange, ClientDescription, LogLevel } from '../call/call-exchange.ts';
import type { Cancellation } from '../call/call-context.ts';
import { VERSIONS_META_KEY, type VersionConstraints } from '../call/version-meta.ts';
import { ToolError } from '../errors/tool-error.ts';
import {
  aFunction,
  anObject,
  either,
  filledText,
  text,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import { authRule, headersRule, signalRule } from '../shared/request-rules.ts';

/** What a call inside the process may say of itself; every part has a harmless default. */
export interface LocalCallOptions {
  readonly signal?: AbortSignal;
  readonly requestId?: string | number;
  readonly sessionId?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /**
   * Which versions of actions the call takes: an npm range for whichever action it calls, or an object with one for
   * each key. Default: the versions that are listed.
   */
  readonly version?: VersionConstraints;
  readonly authInfo?: AuthInfo;
  /** Its capabilities decide what a handler may ask for; there are none unless it says so. */
  readonly client?: ClientDescription;
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives what would be sent to a client, progress among it. */
  readonly onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void;
  readonly onLog?: (level: LogLevel, data: unknown, logger: string | undefined) => void;
  /** Answers in the client's place: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
  readonly onRequest?: (method: string, params: Readonly<Record<string, unknown>>) => unknown;
}

export const CALL_RULES: OptionRules<LocalCallOptions> = {
  signal: signalRule,
  requestId: either(filledText, wholeNumber(0)),
  sessionId: filledText,
  meta: anObject,
  version: either(text, anObject),
  authInfo: authRule,
  client: anObject,
  headers: headersRule,
  onNotification: aFunction,
  onLog: aFunction,
  onRequest: aFunction,
};

/**
 * The exchange of a call that comes from inside the process, through `app.call`.
 * @param cancellation in place of the signal of the options, and made a signal only for those who use it
 */
export function createLocalExchange(
  requestId: string,
  options: LocalCallOptions,
  cancellation?: Cancellation,
): CallExchange {
  const headers = new Map(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    requestId: options.requestId ?? requestId,
    get signal() {
      return cancellation?.signal ?? options.signal ?? new AbortController().signal;
    },
    get isCancelled() {
      return cancellation?.isCancelled ?? options.signal?.aborted ?? false;
    },
    sessionId: options.sessionId,
    meta: metaOf(options),
    authInfo: options.authInfo,
    client: () => options.client ?? { capabilities: {} },
    header: (name) => headers.get(name.toLowerCase()),
    notify: (method, params) => {
      options.onNotification?.(method, params);
      return Promise.resolve();
    },
    request: async (method, params) => {
      if (options.onRequest === undefined) throw nobodyAnswers(method);
      return options.onRequest(method, params);
    },
    log: (level, data, logger) => {
      options.onLog?.(level, data, logger);
      return Promise.resolve();
    },
    raw: undefined,
  };
}

function metaOf({ meta = {}, version }: LocalCallOptions): CallExchange['meta'] {
  return version === undefined ? meta : { ...meta, [VERSIONS_META_KEY]: version };
}

function nobodyAnswers(method: string): ToolError {
  return new ToolError(
    'CLIENT_UNREACHABLE',
    `Nobody answers ${method}: the call comes from inside the process`,
    {
      suggestion: 'pass `onRequest` with the call',
    },
  );
}
