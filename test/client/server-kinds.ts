import { McpApplication } from 'toolwright';
import { type ClientTransport, linkInMemory } from '../../src/client/client-transport.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient, type McpClientOptions } from '../../src/client/mcp-client.ts';
import { StdioTransport } from '../../src/client/stdio-transport.ts';
import { fileURLToPath } from 'node:url';
import { WITH_PACKAGE } from '../support/line-process.ts';
import { WorkModule } from './client-app.ts';

export interface ServedWork {
  readonly app: McpApplication | undefined;
  readonly transport: ClientTransport;
  close(): Promise<void>;
}

/** One way from a client to the application. */
export interface ServerKind {
  readonly name: string;
  readonly era: '2025' | '2026';
  serve(): Promise<ServedWork>;
}

const OPTIONS = { name: 'work', version: '1.2.3', instructions: 'Work well', pageSize: 2 };

async function inMemory(): Promise<ServedWork> {
  const app = await McpApplication.create(WorkModule, OPTIONS);
  const { client, server } = linkInMemory();
  await app.connect(server);
  return { app, transport: client, close: () => app.close() };
}

async function overHttp(sessions: boolean): Promise<ServedWork> {
  const app = await McpApplication.create(WorkModule, OPTIONS);
  const { url } = await app.listen({ port: 0, sessions });
  return { app, transport: new HttpTransport(url), close: () => app.close() };
}

function overStdio(): Promise<ServedWork> {
  const file = fileURLToPath(new URL('./stdio-app.ts', import.meta.url));
  const args = [...WITH_PACKAGE, file];
  const transport = new StdioTransport(process.execPath, { args, stderr: 'ignore' });
  return Promise.resolve({ app: undefined, transport, close: () => Promise.resolve() });
}

const eras = ['2025', '2026'] as const;
const sessions = (): Promise<ServedWork> => overHttp(true);

export const SERVER_KINDS: readonly ServerKind[] = [
  ...eras.map((era) => ({ name: `in memory, ${era}`, era, serve: inMemory })),
  ...eras.map((era) => ({ name: `over HTTP, ${era}`, era, serve: sessions })),
  ...eras.map((era) => ({ name: `over stdio, ${era}`, era, serve: overStdio })),
];

/** Connects, and closes both sides when the work is done. */
export async function withClient(
  { serve, era }: Pick<ServerKind, 'serve' | 'era'>,
  options: McpClientOptions,
  work: (client: McpClient, served: ServedWork) => Promise<void>,
): Promise<void> {
  const served = await serve();
  try {
    const client = await McpClient.connect(served.transport, { era, ...options });
    try {
      await work(client, served);
    } finally {
      await client.close();
    }
  } finally {
    await served.close();
  }
}
