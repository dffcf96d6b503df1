import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ServerSurface } from '../server-surface.ts';
import {
  createProtocolServer,
  type ConnectionOptions,
  type ProtocolServer,
} from './create-protocol-server.ts';

/** Serves the application over one transport of the SDK; a transport of any other make fits if it has the form. */
export async function connectTransport(
  surface: ServerSurface,
  transport: Transport,
  options: ConnectionOptions = {},
): Promise<ProtocolServer> {
  const protocolServer = createProtocolServer(surface, options);
  await protocolServer.server.connect(transport);
  return protocolServer;
}
