import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  Scopes,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type AuthOptions,
} from 'toolwright';
import { oidc, type OidcOptions, type SignInOptions } from 'toolwright/sign-in';
import { MemoryLogger } from '../memory-logger.ts';
import { Browser, type Page } from './browser.ts';
import { CLIENT_ID, CLIENT_SECRET, startUpstream, type Upstream } from './upstream.ts';

@ToolGroup({ name: 'desk' })
class DeskTools {
  @Action('Says who calls')
  @Scopes('desk:read')
  who(ctx: ToolContext) {
    const { caller, tenant } = ctx;
    return {
      sub: caller?.sub,
      roles: caller?.roles,
      tenant,
      client: caller?.clientId,
      scopes: caller?.scopes,
    };
  }

  @Action('Closes the desk')
  @Destructive()
  @Scopes('desk:write')
  close() {
    return 'closed';
  }
}

@Module({ controllers: [DeskTools] })
export class DeskModule {}

export const SECRET = 'thirty-two bytes of a secret, or more';
/** Where the clients of tests are led back to. Nobody listens there. */
export const CALLBACK = 'http://127.0.0.1:9/callback';
export const isCallback = (url: string): boolean => url.startsWith(CALLBACK);

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Desk {
  readonly app: McpApplication;
  readonly url: string;
  readonly origin: string;
  readonly upstream: Upstream;
  readonly logger: MemoryLogger;
  /** Where it is. */
  readonly explorer: string | undefined;
  close(): Promise<void>;
}

export interface DeskOptions {
  readonly signIn?: Partial<SignInOptions>;
  readonly provider?: Partial<OidcOptions>;
  readonly auth?: Partial<AuthOptions>;
  readonly application?: ApplicationOptions;
  /** The path of the endpoint. Default `/mcp`. */
  readonly path?: string;
  /** The path of the issuer. */
  readonly issuerPath?: string;
  /** Whether the explorer stands beside the endpoint. Default: no. */
  readonly hasExplorer?: boolean;
}

/** An application that people sign in to, with an oidc-provider of its own. */
export async function startDesk(options: DeskOptions = {}): Promise<Desk> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const issuer = `${origin}${options.issuerPath ?? ''}`;
  const upstream = await startUpstream([`${issuer}/sign-in/callback`]);
  const logger = new MemoryLogger();
  const provider = oidc({
    ...{ issuer: upstream.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, title: 'Acme ID' },
    ...options.provider,
  });
  const limits = { register: 1000, authorize: 1000, token: 1000, metadata: 1000, allMetadata: 1000 };
  const app = await McpApplication.create(DeskModule, {
    ...{ name: 'desk', title: 'The desk', secrets: [SECRET], logger },
    auth: {
      resource: `${origin}${options.path ?? '/mcp'}`,
      signIn: {
        ...{ provider, limits },
        ...(options.issuerPath !== undefined && { issuer }),
        ...options.signIn,
      },
      ...options.auth,
    },
    ...options.application,
  });
  const { url, explorer } = await app.listen({
    port,
    signals: false,
    explorer: options.hasExplorer === true,
  });
  return {
    ...{ app, url, origin, upstream, logger, explorer },
    close: async () => {
      await app.close();
      upstream.close();
    },
  };
}

export interface Registered {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly [name: string]: unknown;
}

/** A client that speaks to the server by hand. */
export class HandClient {
  readonly issuer: string;
  readonly verifier = randomBytes(32).toString('base64url');
  readonly id: string;
  readonly #ask: typeof fetch;

  constructor(issuer: string, id: string, ask: typeof fetch = fetch) {
    this.issuer = issuer;
    this.id = id;
    this.#ask = ask;
  }

  static async register(
    issuer: string,
    metadata: object = {},
    ask: typeof fetch = fetch,
  ): Promise<HandClient> {
    const all = {
      ...{ client_name: 'tester', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
      ...metadata,
    };
    const response = await register(issuer, all, ask);
    if (response.status !== 201) throw new Error(`${String(response.status)} ${await response.text()}`);
    return new HandClient(issuer, ((await response.json()) as Registered).client_id, ask);
  }

  authorizationUrl(changes: Readonly<Record<string, string | undefined>> = {}): string {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url');
    const all = {
      ...{ response_type: 'code', client_id: this.id, redirect_uri: CALLBACK, state: 'a-state' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', scope: 'desk:read' },
      ...changes,
    };
    const given = Object.entries<string | undefined>(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return `${this.issuer}/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** Signs a person in. @returns the parameters that the client gets back */
  async signIn(
    browser = new Browser(this.#ask),
    changes: Readonly<Record<string, string | undefined>> = {},
  ): Promise<URLSearchParams> {
    const page = await browser.open(this.authorizationUrl(changes), isCallback);
    return new URL((await browser.press(page, 'allow', isCallback)).url).searchParams;
  }

  token(
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.#ask(`${this.issuer}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ client_id: this.id, ...form }).toString(),
    });
  }

  redeem(code: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.verifier,
    };
    return this.token({ ...form, ...changes });
  }

  refresh(token: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...changes });
  }

  /** Signs a person in up to the tokens. */
  async tokens(
    browser = new Browser(this.#ask),
    changes: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Tokens> {
    const answer = await this.signIn(browser, changes);
    const response = await this.redeem(answer.get('code') ?? '');
    if (response.status !== 200)
      throw new Error(`${String(response.status)} ${await response.text()} ${answer.toString()}`);
    return (await response.json()) as Tokens;
  }
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope?: string;
  readonly expires_in: number;
}

export function register(issuer: string, metadata: unknown, ask: typeof fetch = fetch): Promise<Response> {
  return ask(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });
}

/** The claims of a token, unverified. */
export function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}

/** Calls the tool that says who calls. */
export async function whoAmI(url: string, token: string | undefined): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
    }),
  });
}

/** Calls an action of the desk, without a session. */
export async function callTool(url: string, token: string, action: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'desk',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: {
        ...{ name: 'desk', arguments: { action } },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
}

export type { Page };

export interface Replicas {
  readonly apps: McpApplication[];
  readonly upstream: Upstream;
  readonly origin: string;
  /** Each request goes to another instance. */
  readonly ask: typeof fetch;
  /** Another instance in the place of one: a process that was killed, and started again. */
  restart(index: number): Promise<void>;
  close(): Promise<void>;
}

/** Instances of one application, behind one origin. */
export async function startReplicas(
  count: number,
  application: () => ApplicationOptions,
  signIn: Partial<SignInOptions> = {},
): Promise<Replicas> {
  const origin = 'https://desk.example';
  const upstream = await startUpstream([`${origin}/sign-in/callback`]);
  const provider = oidc({ issuer: upstream.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
  const limits = { register: 10_000, authorize: 10_000, token: 10_000 };
  const start = (): Promise<McpApplication> =>
    McpApplication.create(DeskModule, {
      ...{ name: 'desk', secrets: [SECRET], logger: new MemoryLogger() },
      auth: { resource: `${origin}/mcp`, signIn: { provider, limits, ...signIn } },
      ...application(),
    });
  const apps = await Promise.all(Array.from({ length: count }, start));
  let turn = 0;
  return {
    ...{ apps, upstream, origin },
    ask: (async (input: string | URL, init?: RequestInit) => {
      const url = String(input);
      if (!url.startsWith(origin)) return fetch(url, init);
      turn += 1;
      return (apps[turn % apps.length] as McpApplication).fetch(new Request(url, init));
    }) as typeof fetch,
    restart: async (index) => {
      await apps[index]?.close();
      apps[index] = await start();
    },
    close: async () => {
      for (const app of apps) await app.close();
      upstream.close();
    },
  };
}
