import { Cancellation } from '../call/call-context.ts';
import type { AuthInfo, RequestContext, ClientDescription, LogLevel } from '../call/request-context.ts';
import type { CallToolResult } from '../call/results.ts';
import { VERSIONS_META_KEY, type VersionConstraints } from '../call/action-options.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ToolError } from '../errors/tool-error.ts';
import { toolResultOf } from '../kernel/call/outcome.ts';
import { LOCAL_CLIENT } from './clients/served-clients.ts';
import type { ServedContext } from '../kernel/call/service-request.ts';
import type { McpService } from './service.ts';
import type { ToolService } from './routes/service-parts.ts';
import type { SurfaceName } from '../compile/surfaces/surface.ts';
import type { ToolDefinition } from '../compile/tools/compiled-tool.ts';
import type { PlainObject } from '../shared/json.ts';
import {
  aFunction,
  anObject,
  either,
  filledText,
  oneOf,
  text,
  wholeNumber,
  type OptionRules,
  authRule,
  headersRule,
  signalRule,
} from '../shared/option-rules.ts';

/** Options of a call inside the process. */
export interface LocalCallOptions {
  /** Cancels the call when it is aborted. Default: nothing cancels it. */
  readonly signal?: AbortSignal;
  /** The id of the request, as the handler sees it. Default: a new one. */
  readonly requestId?: string | number;
  /** The session, as the handler sees it. Default: none. */
  readonly sessionId?: string;
  /** The `_meta` object of the request. Default: empty. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /**
   * Which versions of actions the call takes: an npm range for whichever action it calls, or an object with one for
   * each key. Default: the versions that are listed.
   */
  readonly version?: VersionConstraints;
  /** The caller. Default: none. */
  readonly authInfo?: AuthInfo;
  /** Its capabilities decide what a handler may ask for. Default: none. */
  readonly client?: ClientDescription;
  /** Agrees to an action that is `@Destructive({ confirm: true })`, without asking anybody. Default: it asks. */
  readonly consent?: 'granted';
  /** The HTTP headers of the request, as the handler sees them. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives the notifications for a client, including progress. */
  readonly onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** Receives the log messages that the handler sends to its client. */
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
  consent: oneOf('granted'),
  headers: headersRule,
  onNotification: aFunction,
  onLog: aFunction,
  onRequest: aFunction,
};

/** Tools for calls from inside the process; without `authInfo`, the caller is that of `app.call` without it. */
export interface LocalTools {
  /** Those that the caller may see. */
  list(authInfo: AuthInfo | undefined): Promise<readonly ToolDefinition[]>;
  /** Calls one of them. */
  call(
    tool: string,
    args: unknown,
    options?: Pick<LocalCallOptions, 'authInfo' | 'signal' | 'consent'>,
  ): Promise<CallToolResult>;
}

/** Calls from inside the process, through `app.call`. */
export class LocalCalls {
  readonly #service: McpService;
  #count = 0;
  #refusal: (() => Error) | undefined;

  constructor(service: McpService) {
    this.#service = service;
  }

  /** @throws ToolwrightError TW_APPLICATION_OPTION */
  call(tool: string, args: unknown, options?: LocalCallOptions): Promise<CallToolResult> {
    return this.callThrough(this.#service, tool, args, options);
  }

  /** The same, through another service, and on a surface of it. */
  async callThrough(
    service: McpService,
    name: string,
    args: unknown,
    options: LocalCallOptions = NO_OPTIONS,
    surface?: SurfaceName,
  ): Promise<CallToolResult> {
    if (options !== NO_OPTIONS) refuseOptions('TW_APPLICATION_OPTION', 'app.call()', options, CALL_RULES);
    if (this.#refusal !== undefined) throw this.#refusal();
    this.#count += 1;
    const chosen = surface === undefined ? options : { ...options, surface };
    return callLocally(service, name, args, chosen, `local-${String(this.#count)}`);
  }

  /**
   * Other tools than those that clients are served, listed and called in the same way.
   * @param service serves them
   * @param surface where they are listed and called
   */
  serve(service: McpService, tools: ToolService, surface: SurfaceName): LocalTools {
    const { auth } = service.settings;
    return {
      list: async (authInfo) => {
        const caller = authInfo ?? (await auth?.local.caller());
        return tools.listTo(caller === 'unverified' ? undefined : caller, true, { chosen: surface });
      },
      call: (tool, args, options) => this.callThrough(service, tool, args, options, surface),
    };
  }

  /** Nothing is called any more. */
  close(refusal: () => Error): void {
    this.#refusal = refusal;
  }
}

const NO_OPTIONS: LocalCallOptions = Object.freeze({});

/** What a call inside the process says of itself. */
interface OriginOptions extends LocalCallOptions {
  /** Where it finds its tools. Default: what the groups say. */
  readonly surface?: SurfaceName;
}

/** Calls a tool of a service. @param raw what the context of the call is made of */
export async function callLocally(
  service: McpService,
  name: string,
  args: unknown,
  options: OriginOptions,
  requestId: string,
  raw?: unknown,
): Promise<CallToolResult> {
  const cancellation = new Cancellation();
  const unfollow = options.signal === undefined ? undefined : cancellation.follow(options.signal);
  const request = {
    method: 'tools/call',
    params: { name, arguments: args },
    context: new LocalOrigin(requestId, options, cancellation, raw),
    cancellation,
    served: LOCAL_CLIENT,
  };
  const outcome = await service.serve(request);
  unfollow?.();
  return toolResultOf(outcome, request);
}

/** The client of a call from inside the process. */
export class LocalOrigin implements ServedContext {
  readonly carrier = 'local';
  readonly meta: RequestContext['meta'];
  readonly raw: unknown;
  readonly #requestId: string;
  readonly #options: OriginOptions;
  readonly #cancellation: Cancellation | undefined;

  /** @param cancellation in place of the signal of the options, and made a signal only for those who use it */
  constructor(requestId: string, options: OriginOptions, cancellation?: Cancellation, raw?: unknown) {
    this.meta = metaOf(options);
    this.raw = raw;
    this.#requestId = requestId;
    this.#options = options;
    this.#cancellation = cancellation;
  }

  get requestId(): string | number {
    return this.#options.requestId ?? this.#requestId;
  }
  get signal(): AbortSignal {
    return this.#cancellation?.signal ?? this.#options.signal ?? new AbortController().signal;
  }
  get isCancelled(): boolean {
    return this.#cancellation?.isCancelled ?? this.#options.signal?.aborted ?? false;
  }
  get sessionId(): string | undefined {
    return this.#options.sessionId;
  }
  get surface(): SurfaceName | undefined {
    return this.#options.surface;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#options.authInfo;
  }
  get consent(): 'granted' | undefined {
    return this.#options.consent;
  }

  client(): ClientDescription {
    return this.#options.client ?? { capabilities: {} };
  }

  header(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const entries = Object.entries(this.#options.headers ?? {});
    return entries.findLast(([known]) => known.toLowerCase() === wanted)?.[1];
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    this.#options.onNotification?.(method, params);
  }

  async request(method: string, params: PlainObject): Promise<unknown> {
    const { onRequest } = this.#options;
    if (onRequest === undefined) throw nobodyAnswers(method);
    return onRequest(method, params);
  }

  async log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    this.#options.onLog?.(level, data, logger);
  }
}

function metaOf({ meta = {}, version }: LocalCallOptions): RequestContext['meta'] {
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
