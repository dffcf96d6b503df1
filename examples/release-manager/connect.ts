import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';

/** The protocol revisions that an agent may speak. */
export type Era = '2025-11-25' | '2026-07-28';

/** A user who is asked, and says yes or no. */
export type User = (question: string) => boolean;

/** Connects in one era, to the address or to a server of its own over stdio; what is asked, the user answers. */
export async function connectAs(era: Era, address: string | undefined, user: User): Promise<Client> {
  const mode = era === '2026-07-28' ? ({ pin: era } as const) : 'legacy';
  const client = new Client(
    { name: 'release-agent', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: { approve: user(params.message) },
  }));
  await client.connect(
    address === undefined ? ownServer() : new StreamableHTTPClientTransport(new URL(address)),
  );
  return client;
}

function ownServer(): StdioClientTransport {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const env = { ...process.env } as Record<string, string>;
  return new StdioClientTransport({
    command: process.execPath,
    args: [...process.execArgv, main, '--stdio'],
    env,
  });
}
