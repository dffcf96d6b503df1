import { StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransport2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectVersion1 } from '../../../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../../../support/connections/client-of-version-2.ts';
import type { FeatureClient } from '../../../support/connections/feature-client.ts';
import { LineProcess } from '../../../support/line-process.ts';

type Line = 'SDK v1' | 'SDK v2, 2025' | 'SDK v2, 2026';

export interface ServingWay {
  readonly line: Line;
  readonly transport: 'stdio' | 'HTTP';
}

/** A process that serves runs, and a client of it whose user says yes to everything. */
export interface Serving {
  readonly client: FeatureClient;
  /** Ends the process as a power switch does; once is enough. */
  kill(): Promise<void>;
}

interface Served {
  readonly client: FeatureClient;
  readonly end: () => Promise<void>;
}

/** @param program - `serve-runs.ts`, built; it is given the store and the transport */
export async function serve(
  program: string,
  store: string,
  { line, transport }: ServingWay,
): Promise<Serving> {
  const args = [program, store, transport];
  const { client, end } = await (transport === 'stdio' ? serveStdio(line, args) : serveHttp(line, args));
  let ending: Promise<void> | undefined;
  return { client, kill: () => (ending ??= end()) };
}

async function serveStdio(line: Line, args: string[]): Promise<Served> {
  const Transport = line === 'SDK v1' ? StdioTransport1 : StdioTransport2;
  const transport = new Transport({ command: process.execPath, args });
  const client = await connect(line, transport);
  const end = async (): Promise<void> => {
    process.kill(transport.pid as number, 'SIGKILL');
    await client.close();
  };
  return { client, end };
}

async function serveHttp(line: Line, args: string[]): Promise<Served> {
  const server = new LineProcess({ args });
  const url = new URL(await server.line('stdout', 'http://'));
  const client = await connect(line, line === 'SDK v1' ? new HttpTransport1(url) : new HttpTransport2(url));
  const end = async (): Promise<void> => {
    server.kill('SIGKILL');
    await server.ended;
    // A client over HTTP cannot see that its answers will never come.
    await client.close();
  };
  return { client, end };
}

function connect(line: Line, transport: unknown): Promise<FeatureClient> {
  const options = { onElicitation: () => ({ action: 'accept', content: { approve: true } }) };
  if (line === 'SDK v1') return connectVersion1(transport as never, options);
  return connectVersion2(transport as never, line === 'SDK v2, 2026' ? '2026' : '2025', options);
}
