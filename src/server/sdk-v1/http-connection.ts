import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { AuthInfo as SdkAuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { AuthInfo } from '../../call/call-exchange.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectTransport } from './connect-transport.ts';

/** One session, or one request of a stateless server. */
export interface HttpConnection {
  /** False until the client's initialize was accepted. */
  readonly isInitialized: boolean;
  /** Aborted when the client or the server ended the connection. */
  readonly closed: AbortSignal;
  /** @param body the parsed body of a POST */
  serve(request: Request, body: unknown, authInfo: AuthInfo | undefined): Promise<Response>;
  notify(change: SurfaceChange): void;
  close(): Promise<void>;
}

export interface HttpConnectionOptions {
  /** Undefined for the single request of a stateless server. */
  readonly sessionId: string | undefined;
  readonly json: boolean;
  /** Milliseconds between two comments on an open stream. */
  readonly keepAlive: number | undefined;
}

export async function openHttpConnection(
  surface: ServerSurface,
  { sessionId, json, keepAlive }: HttpConnectionOptions,
): Promise<HttpConnection> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: json,
    ...(sessionId === undefined ? {} : { sessionIdGenerator: () => sessionId }),
    ...(keepAlive === undefined ? {} : { keepAliveMs: keepAlive }),
  });
  // The SDK drops requests to the client where it answers with plain JSON or the connection ends with the answer.
  const canAsk = sessionId !== undefined && !json;
  const { server, attachment } = await connectTransport(surface, transport, { canAsk });
  const closing = new AbortController();
  server.onclose = () => {
    closing.abort();
  };
  return {
    closed: closing.signal,
    get isInitialized() {
      return transport.sessionId !== undefined;
    },
    serve: (request, body, authInfo) =>
      transport.handleRequest(request, {
        ...(body === undefined ? {} : { parsedBody: body }),
        // The SDK's type differs in being mutable only.
        ...(authInfo === undefined ? {} : { authInfo: authInfo as unknown as SdkAuthInfo }),
      }),
    notify: attachment.notify,
    close: () => server.close(),
  };
}
