import type { McpApplication } from '../application.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isPlainObject, membersOf } from '../shared/json.ts';
import {
  aFunction,
  either,
  filledText,
  headersRule,
  isSafeUrl,
  objectOf,
  listOf,
  objectWith,
  oneOf,
  required,
  rule,
  secret,
  text,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import { linkInMemory, type ClientTransport } from './client-transport.ts';
import { HttpTransport } from './http-transport.ts';
import { CLIENT_NAME, CLIENT_RULES, McpClient, type McpClientOptions } from './mcp-client.ts';
import type { AnyServer, ServerTypes } from './server-types.ts';
import { PersonSignIn, type PersonSignInOptions } from './sign-in/sign-in.ts';
import { isUnauthorized, TypedClient } from './typed-client.ts';

/**
 * Where the server is: the URL of its endpoint; a command that starts it, to speak with it over stdio; or an application
 * of this process.
 */
export type ServerTarget = string | URL | ServerCommand | Pick<McpApplication, 'connect'>;

/** A server that the client starts, and ends when it closes. */
export interface ServerCommand {
  /** The program, such as `node`. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which it starts. Default: that of this process. */
  readonly cwd?: string;
  /** Where the log of the server goes. Default `inherit`: to stderr of this process. */
  readonly stderr?: 'inherit' | 'ignore' | ((text: string) => void);
}

/** Options of {@link connect}. */
export interface ConnectOptions extends McpClientOptions {
  /** Sent with every request over HTTP, such as a tenant. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The bearer token of each request over HTTP; a function is asked each time, so that the token may change. */
  readonly token?: string | (() => string | Promise<string>);
  /** Signs a person in where a server over HTTP asks for it (401), in place of a token. */
  readonly signIn?: PersonSignInOptions;
  /** Sends the requests over HTTP. Default: `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** The most bytes of one answer. Default 64 MiB. */
  readonly maxAnswerBytes?: number;
}

const PERSON_RULES: OptionRules<PersonSignInOptions> = {
  openBrowser: required(aFunction),
  store: objectWith('an object', 'load', 'save'),
  clientId: filledText,
  clientSecret: secret(filledText),
  scope: filledText,
  port: wholeNumber(0, 65_535),
  timeout: wholeNumber(1, 2 ** 31 - 1),
};

const COMMAND_RULES: OptionRules<ServerCommand> = {
  command: required(filledText),
  args: listOf(text, 'a list of texts'),
  env: secret(rule('an object of texts', isTexts)),
  cwd: filledText,
  stderr: either(oneOf('inherit', 'ignore'), aFunction),
};

const HTTP_RULES = {
  headers: headersRule,
  token: secret(either(filledText, aFunction)),
  signIn: objectOf(PERSON_RULES),
  fetch: aFunction,
} as const;

const RULES: OptionRules<ConnectOptions> = {
  ...CLIENT_RULES,
  ...HTTP_RULES,
  maxAnswerBytes: wholeNumber(1),
};

/**
 * Connects to an MCP server of either era. With types that `toolwright export --for client` has written, a call with a
 * wrong name or argument does not compile.
 *
 * @throws ToolwrightError TW_CLIENT_OPTION, TW_CLIENT_CONNECTION, TW_CLIENT_TIMEOUT, TW_CLIENT_UNAUTHORIZED,
 * TW_CLIENT_SIGN_IN
 * @example
 * const client = await connect('https://tasks.example/mcp', { token: () => process.env.TASKS_TOKEN ?? '' });
 * const result = await client.callTool('tasks', { action: 'list' });
 * await client.close();
 */
export async function connect<Server extends ServerTypes = AnyServer>(
  target: ServerTarget,
  options: ConnectOptions = {},
): Promise<TypedClient<Server>> {
  refuseOptions('TW_CLIENT_OPTION', 'connect()', options, RULES);
  const {
    headers: _headers,
    token: _token,
    signIn: _signIn,
    fetch: _fetch,
    maxAnswerBytes,
    ...rest
  } = options;
  const { place, open, signIn } = await openTarget(target, options);
  const client = async (): Promise<McpClient> =>
    McpClient.connect(await open(), {
      ...(maxAnswerBytes === undefined ? {} : { maxListBytes: maxAnswerBytes }),
      ...rest,
    });
  const connected = await client().catch(async (error: unknown) => {
    // A person takes longer than the time limits of requests allow
    if (!isUnauthorized(error) || signIn === undefined || !(await signIn.renew())) throw error;
    return client();
  });
  return new TypedClient<Server>({
    client: connected,
    place,
    questions: options,
    ...(signIn === undefined ? {} : { signIn: () => signIn.renew() }),
  });
}

interface OpenedTarget {
  readonly place: string;
  /** A transport for one connection. */
  readonly open: () => Promise<ClientTransport>;
  readonly signIn?: PersonSignIn;
}

async function openTarget(target: ServerTarget, options: ConnectOptions): Promise<OpenedTarget> {
  if (typeof target === 'string' || target instanceof URL) return openHttp(target, options);
  const [unused] = Object.keys(HTTP_RULES).filter(
    (name) => options[name as keyof ConnectOptions] !== undefined,
  );
  if (unused !== undefined)
    throw optionFault(`sets ${unused}, and the server is not reached over HTTP.`, `remove ${unused}`);
  if (isApplication(target)) {
    const open = async (): Promise<ClientTransport> => {
      const { client, server } = linkInMemory();
      await target.connect(server);
      return client;
    };
    return { place: 'the server in this process', open };
  }
  refuseOptions('TW_CLIENT_OPTION', 'connect()', target, COMMAND_RULES);
  const { command, ...started } = target;
  const { maxAnswerBytes } = options;
  const limit = maxAnswerBytes === undefined ? {} : { maxAnswerBytes };
  // Not every runtime has processes
  const { StdioTransport } = await import('./stdio-transport.ts');
  return { place: command, open: async () => new StdioTransport(command, { ...started, ...limit }) };
}

function isApplication(target: unknown): target is Pick<McpApplication, 'connect'> {
  return typeof membersOf(target)['connect'] === 'function';
}

function isTexts(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

function openHttp(
  target: string | URL,
  { headers, token, signIn: signsIn, fetch: ask = fetch, maxAnswerBytes, name = CLIENT_NAME }: ConnectOptions,
): OpenedTarget {
  const url = urlIn(target);
  const signIn = signsIn && createSignIn(url, { token, signIn: signsIn, name });
  const tokenIn = typeof token === 'string' ? (): string => token : token;
  const authorized: typeof fetch = async (input, init) => {
    const all = new Headers(init?.headers);
    all.set('authorization', `Bearer ${await (tokenIn as () => string | Promise<string>)()}`);
    return ask(input, { ...init, headers: all });
  };
  const sending = signIn?.fetchWith(ask) ?? (tokenIn === undefined ? ask : authorized);
  return {
    place: url.href,
    open: async () =>
      new HttpTransport(url, {
        fetch: sending,
        ...(headers === undefined ? {} : { headers }),
        ...(maxAnswerBytes === undefined ? {} : { maxAnswerBytes }),
      }),
    ...(signIn === undefined ? {} : { signIn }),
  };
}

function createSignIn(
  { href }: URL,
  { token, signIn, name }: { token: unknown; signIn: PersonSignInOptions; name: string },
): PersonSignIn {
  if (token !== undefined)
    throw optionFault(
      'sets both token and signIn.',
      'choose one: a token that you have, or a person who signs in',
    );
  if (!isSafeUrl(href))
    throw optionFault(
      'sets signIn for a server without TLS.',
      'serve it at an https URL; http is for this machine',
    );
  return new PersonSignIn(href, signIn, name);
}

function urlIn(target: string | URL): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw optionFault(
    `got ${JSON.stringify(String(target).slice(0, 100))}, which is not the URL of a server.`,
    "connect('https://example.com/mcp'), or connect({ command: 'node', args: ['server.js'] })",
  );
}

function optionFault(what: string, fix: string): ToolwrightError {
  return new ToolwrightError('TW_CLIENT_OPTION', { where: 'connect()', what, fix });
}
