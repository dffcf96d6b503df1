import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens at the port of the environment, and says where. */
export async function listening(server: Server): Promise<void> {
  server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  console.log(`stock at http://127.0.0.1:${String(port)}/mcp`);
}
