/* eslint-disable @typescript-eslint/no-deprecated -- The SDK keeps `Server` for tool sets that are computed elsewhere. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';

/**
 * The SDK's server without its own check of tools/call, which answers malformed calls with a dump of its
 * schema library. Requests and results are checked by the application, which says what to repair.
 */
export class ApplicationProtocolServer extends Server {
  override setRequestHandler(...registration: Parameters<Server['setRequestHandler']>): void {
    Protocol.prototype.setRequestHandler.apply(this, registration as never);
  }
}
