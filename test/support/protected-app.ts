import {
  Action,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type AuthOptions,
  type HttpListenOptions,
} from '../../src/index.ts';
import { MemoryLogger } from './memory-logger.ts';
import { message, send, type RawResponse } from './raw-http.ts';

@ToolGroup({ name: 'who' })
class WhoTools {
  @Action('Says who calls')
  ami(ctx: ToolContext) {
    const { authInfo, tenant } = ctx;
    return { authInfo, tenant, token: authInfo?.token, inspected: JSON.stringify(authInfo) };
  }
}

@Module({ controllers: [WhoTools] })
export class WhoModule {}

export const RESOURCE = 'https://mcp.example/mcp';

/** What a handler sees of its caller. */
export interface Seen {
  readonly authInfo?: {
    readonly clientId: string;
    readonly scopes: readonly string[];
    readonly expiresAt?: number;
    readonly extra?: Readonly<Record<string, unknown>>;
  };
  readonly tenant?: string;
  readonly token?: string;
}

export interface ProtectedApp {
  readonly app: McpApplication;
  readonly url: string;
  readonly logger: MemoryLogger;
  /** Calls the tool with a token, and gives the whole response. */
  call(token?: string, headers?: Readonly<Record<string, string>>): Promise<RawResponse>;
  /** What the handler has seen. */
  seen(token: string, headers?: Readonly<Record<string, string>>): Promise<Seen>;
  close(): Promise<void>;
}

/** A server that only callers with a token may use. */
export async function protectedApp(
  auth: AuthOptions,
  listen: Partial<HttpListenOptions> = {},
  options: Pick<ApplicationOptions, 'backplane' | 'secrets'> = {},
): Promise<ProtectedApp> {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(WhoModule, {
    auth: { resource: RESOURCE, ...auth },
    logger,
    ...options,
  });
  const { url } = await app.listen({ port: 0, signals: false, sessions: false, ...listen });
  const call: ProtectedApp['call'] = (token, headers = {}) =>
    send(url, {
      body: message('tools/call', { name: 'who', arguments: { action: 'ami' } }),
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    });
  return {
    app,
    url,
    logger,
    call,
    seen: async (token, headers) => {
      const response = await call(token, headers);
      if (response.status !== 200) throw new Error(`${String(response.status)} ${response.body}`);
      const body = response.body.startsWith('event:')
        ? (/^data: (.*)$/m.exec(response.body)?.[1] ?? '')
        : response.body;
      const { result } = JSON.parse(body) as { result: { content: readonly { text: string }[] } };
      return JSON.parse(result.content[0]?.text ?? '') as Seen;
    },
    close: () => app.close(),
  };
}
