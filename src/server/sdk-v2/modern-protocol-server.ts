/* eslint-disable @typescript-eslint/no-deprecated -- The SDK keeps `Server` for tool sets that are computed elsewhere. */
import {
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server without its own check of tools/call, which answers malformed calls with a dump of its
 * schema library. Requests and results are checked by the application, which says what to repair.
 */
export class ModernProtocolServer extends Server {
  /** Told of a transport before anything is sent over it. */
  onconnect?: (transport: Transport) => void;

  override async connect(transport: Transport): Promise<void> {
    this.onconnect?.(transport);
    await super.connect(transport);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // What remains is the check of questions to the client, which all methods that may ask have in common.
    return super._wrapHandler(method === 'tools/call' ? 'prompts/get' : method, handler);
  }
}
