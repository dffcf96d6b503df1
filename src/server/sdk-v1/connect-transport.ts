import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ServerSurface } from '../server-surface.ts';
import { createProtocolServer, type ProtocolServer } from './create-protocol-server.ts';

/** Serves the application over one transport of the SDK; a transport of any other make fits if it has the form. */
export async function connectTransport(
  surface: ServerSurface,
  transport: Transport,
): Promise<ProtocolServer> {
  const protocolServer = createProtocolServer(surface);
  await protocolServer.server.connect(transport);
  return protocolServer;
}
