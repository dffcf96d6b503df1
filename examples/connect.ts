import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { fileURLToPath } from 'node:url';

/**
 * Connects to the server at the address, or starts the file as a server and talks to it over stdio. With a command and
 * its arguments in place of the address, such as `bun main.ts --stdio`, it starts that.
 */
export async function connect(
  main: URL,
  address: string | undefined,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const client = new Client({ name: 'example-client', version: '1.0.0' }, { capabilities });
  if (address?.startsWith('http')) {
    await connectOverHttp(client, new URL(address));
  } else {
    const own = [...process.execArgv, fileURLToPath(main), '--stdio'];
    const [command, args] =
      address === undefined ? [process.execPath, own] : [address, process.argv.slice(3)];
    const env = { ...process.env } as Record<string, string>;
    await client.connect(new StdioClientTransport({ command, args, env }));
  }
  return client;
}

/** Waits for the stream that notifications come by, which the client opens after it has connected. */
async function connectOverHttp(client: Client, address: URL): Promise<void> {
  let streamIsOpen = (): void => undefined;
  const opening = new Promise<void>((resolve) => (streamIsOpen = resolve));
  const transport = new StreamableHTTPClientTransport(address, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') streamIsOpen();
      return response;
    },
  });
  await client.connect(transport);
  await opening;
}

/** What a model would read of the answer. */
export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const text = (content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
  return { text, isError: isError === true };
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Says what was checked once the check has passed. */
export async function check(what: string, body: () => void | Promise<void>): Promise<void> {
  await body();
  console.log(`ok   ${what}`);
}
