import { Buffer } from 'node:buffer';
import {
  McpApplication,
  type ApplicationOptions,
  type AuthInfo,
  type AuthOptions,
  type Class,
} from 'toolwright';
import { MemoryLogger } from './memory-logger.ts';
import { post2026 } from './client-of-2026.ts';
import { JSON_HEADERS, send, type RawResponse } from './raw-http.ts';

/** What the token of a test says of its caller. */
export interface TestCaller {
  readonly sub?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
}

export function authInfoOf({ sub, clientId = 'program', scopes = [], roles = [] }: TestCaller): AuthInfo {
  return { token: 'a-token', clientId, scopes, extra: { sub, roles, issuer: 'https://issuer.example' } };
}

export function tokenOf(caller: TestCaller): string {
  return Buffer.from(JSON.stringify(caller)).toString('base64url');
}

/** Verifies the tokens of tests, which nobody has signed. */
export const testVerifier: Exclude<AuthOptions['verify'], readonly unknown[]> = {
  issuers: ['https://issuer.example'],
  verify: (token) => {
    try {
      return authInfoOf(JSON.parse(Buffer.from(token, 'base64url').toString()) as TestCaller);
    } catch {
      return undefined;
    }
  },
};

/** An application with callers, over HTTP and in the process. */
export class AppWithCallers {
  readonly app: McpApplication;
  readonly logger: MemoryLogger;
  #url: string | undefined;

  constructor(app: McpApplication, logger: MemoryLogger) {
    this.app = app;
    this.logger = logger;
  }

  async url(): Promise<string> {
    this.#url ??= (await this.app.listen({ port: 0, sessions: false })).url;
    return this.#url;
  }

  /** A request of 2026-07-28. */
  async ask(caller: TestCaller | undefined, method: string, params: object = {}): Promise<RawResponse> {
    return post2026(await this.url(), method, params, authorization(caller));
  }

  /** A request of 2025-11-25, outside of sessions; a batch is of 2025-03-26. */
  async ask2025(caller: TestCaller | undefined, message: object): Promise<RawResponse> {
    const revision = Array.isArray(message) ? '2025-03-26' : '2025-11-25';
    const headers = { ...JSON_HEADERS, 'mcp-protocol-version': revision, ...authorization(caller) };
    return send(await this.url(), { headers, body: JSON.stringify(message) });
  }

  callTool2025(caller: TestCaller | undefined, name: string, args: object): Promise<RawResponse> {
    return this.ask2025(caller, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    });
  }

  /** The result of a request of 2026-07-28. */
  async result<Result>(caller: TestCaller | undefined, method: string, params: object = {}): Promise<Result> {
    const { body: text } = await this.ask(caller, method, params);
    const { result, error } = JSON.parse(text) as { readonly result?: Result; readonly error?: object };
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  }
}

export async function createAppWithCallers(
  module: Class,
  auth: Partial<AuthOptions> = {},
  options: ApplicationOptions = {},
): Promise<AppWithCallers> {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(module, {
    name: 'callers',
    logger,
    auth: { verify: testVerifier, ...auth },
    ...options,
  });
  return new AppWithCallers(app, logger);
}

function authorization(caller: TestCaller | undefined): Readonly<Record<string, string>> {
  return caller === undefined ? {} : { authorization: `Bearer ${tokenOf(caller)}` };
}
