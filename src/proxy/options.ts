import type { AuthInfo } from '../call/request-context.ts';
import {
  aFunction,
  either,
  filledText,
  headersRule,
  objectOf,
  objectWith,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  texts,
  trueOrFalse,
  type OptionRules,
} from '../shared/option-rules.ts';

/** A request of a caller that goes to a proxied server. */
export interface ProxiedRequest {
  /** The method of the protocol, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI, as the proxied server knows it; undefined for lists. */
  readonly target: string | undefined;
  /** Is aborted when the caller gives up. */
  readonly signal: AbortSignal;
}

/** Headers for a caller. What they are is never a header that the caller sent, unless this function says so. */
export type ProxyAuth = (
  caller: AuthInfo | undefined,
  request: ProxiedRequest,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

/** The program of a server over stdio. */
export interface ProxyCommand {
  /** The program: a path, or a name that `PATH` finds. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[];
  /** Its environment, beside `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which it runs. Default: that of this process. */
  readonly cwd?: string;
  /**
   * Whether one process serves all callers: for servers that keep nothing of their clients. It cannot ask anybody then.
   * Default false: a process for each session, and for each call without a session. A server of 2026-07-28 has one process anyway.
   */
  readonly shared?: boolean;
}

/** A client that is connected already, such as an `McpClient`. It serves all callers; who has made it closes it. */
export interface ProxiedClient {
  /** The era of the protocol that it speaks with the server. */
  readonly era: '2025' | '2026';
  /** What the server says that it can do. */
  readonly server: { readonly capabilities: Readonly<Record<string, unknown>> };
  /** Sends a request, and resolves to its result. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options?: object,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** Options of `ProxyModule.forRoot()`. One of `url`, `command` and `client` says where the server is. */
export interface ProxyOptions {
  /** What logs and error messages call the server. */
  readonly name: string;
  /** The endpoint of a server over Streamable HTTP. */
  readonly url?: string | URL;
  /** The program of a server over stdio. */
  readonly command?: string | ProxyCommand;
  /** A client that is connected to the server already, such as one in memory. */
  readonly client?: ProxiedClient;
  /**
   * What stands before its names: with `github` its tool `search` is `github_search`, and its resource `repo://a` is
   * `repo://github/a`. Empty keeps all names. Default: the name.
   */
  readonly namespace?: string;
  /** Patterns of names of tools and prompts, and of URIs, as the server has them; `*` stands for any text. Default: all. */
  readonly include?: readonly string[];
  /** Patterns of what is not offered. They win over `include`. */
  readonly exclude?: readonly string[];
  /** Names of tools that are neither listed nor called, without patterns. */
  readonly hide?: readonly string[];
  /** Other names of tools and prompts, without the namespace, by their names at the server. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Other descriptions of tools and prompts, by their names here, without the namespace. */
  readonly describe?: Readonly<Record<string, string>>;
  /** The scopes that a caller needs to see what the server has. Default: none beside being signed in, where that is required. */
  readonly scopes?: readonly string[];
  /** Headers that the server gets over HTTP: the same for all callers, or those that a function gives for each. Default: none. */
  readonly auth?: Readonly<Record<string, string>> | ProxyAuth;
  /** Milliseconds that lists are kept where the server does not say it. Default 300,000. */
  readonly ttl?: number;
  /** Milliseconds without an answer or progress after which a call fails. Default 60,000. */
  readonly timeout?: number;
  /** Which revisions to speak. Default `auto`: the newest that the server serves. */
  readonly era?: '2025' | '2026' | 'auto';
}

const NAMESPACE = /^[A-Za-z0-9_-]{0,40}$/;

const commandRules: OptionRules<ProxyCommand> = {
  command: required(filledText),
  args: rule(
    'a list of texts',
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  ),
  env: headersRule,
  cwd: filledText,
  shared: trueOrFalse,
};

const textsByName = rule(
  "an object of texts: { search: 'find' }",
  (value) =>
    headersRule.faultsOf(value, '').length === 0 &&
    Object.values(value as object).every((each) => each !== ''),
);

export const PROXY_RULES: OptionRules<ProxyOptions> = {
  name: required(filledText),
  url: rule('an http or https URL', (value) => isHttpUrl(value)),
  command: either(filledText, objectOf(commandRules)),
  client: objectWith('a client', 'request'),
  namespace: rule(
    'a text of at most 40 letters, digits, "_" and "-"',
    (value) => typeof value === 'string' && NAMESPACE.test(value),
  ),
  include: texts,
  exclude: texts,
  hide: texts,
  rename: textsByName,
  describe: textsByName,
  scopes: texts,
  auth: either(headersRule, aFunction),
  ttl: positiveMilliseconds,
  timeout: positiveMilliseconds,
  era: oneOf('auto', '2025', '2026'),
};

function isHttpUrl(value: unknown): boolean {
  const text = value instanceof URL ? value.href : value;
  return typeof text === 'string' && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
