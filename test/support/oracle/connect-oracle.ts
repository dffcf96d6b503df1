/* oxlint-disable typescript/no-deprecated -- The low-level server is what the engine is compared with. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpApplication } from 'toolwright';

/** Serves an application as SDK v1 does, with everything but the handlers of the application from the SDK. */
export async function connectOracle(
  app: McpApplication,
  transport: Transport,
  info: { readonly name: string; readonly version: string; readonly instructions?: string },
): Promise<void> {
  const { instructions, ...implementation } = info;
  const options = { capabilities: { logging: {} }, ...(instructions === undefined ? {} : { instructions }) };
  const server = new Server(implementation, options);
  app.attach(server);
  await server.connect(transport);
}
