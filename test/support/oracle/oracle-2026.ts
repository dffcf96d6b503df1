/* oxlint-disable typescript/no-deprecated -- The SDK keeps `Server` for tool sets that are computed elsewhere. */
import {
  createMcpHandler,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** Anything that serves on a server of the SDK. */
interface Attaching {
  attach(server: unknown): unknown;
}

interface Identity {
  readonly name: string;
  readonly version: string;
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's server without its own check of tools/call: requests and results are checked by the application. */
class OracleServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return super._wrapHandler(method === 'tools/call' ? 'prompts/get' : method, handler);
  }
}

function serverOf(app: Attaching, identity: Identity): Server {
  const server = new OracleServer({ ...identity }, { capabilities: { logging: {} } });
  app.attach(server);
  return server;
}

/** The same application over HTTP, with the protocol of 2026-07-28 as the SDK speaks it. */
export function oracle2026(app: Attaching, identity: Identity): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(() => serverOf(app, identity), { legacy: 'reject' });
  return (request) => handler.fetch(request);
}

/** The same over a connection. */
export function connectOracle(app: Attaching, identity: Identity, transport: object): void {
  serveStdio(() => serverOf(app, identity), { legacy: 'reject', transport: transport as never });
}
