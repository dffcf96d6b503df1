import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILED, PEERS, PROJECT } from '../folders.ts';
import { LEGACY_HEADERS } from '../load/http-call.ts';
import type { ServerProgram } from '../processes/server-process.ts';
import type { ListedTool, ToolCall } from './calls.ts';

/** A server with the six tools, and the package that it is made with. */
export interface RepairServer {
  readonly name: string;
  readonly version: string;
  readonly program: ServerProgram;
}

/** What a server said to a call. */
export interface Answer {
  readonly isError: boolean;
  /** Of an error of JSON-RPC: its message, and its data where it has some. */
  readonly text: string;
}

/** With `strict`, its schemas refuse unknown fields, as those of Toolwright do. */
const PACKAGES: Readonly<Record<string, string>> = {
  'sdk-v1': '@modelcontextprotocol/sdk',
  'sdk-v2': '@modelcontextprotocol/server',
  'sdk-v2 strict': '@modelcontextprotocol/server',
  fastmcp: 'fastmcp',
  'mcp-nest': '@rekog/mcp-nest',
  'mcp-lite': 'mcp-lite',
  tmcp: 'tmcp',
};

export async function listServers(): Promise<readonly RepairServer[]> {
  const own = { name: 'toolwright', file: join(COMPILED, 'servers/toolwright/repair.js') };
  const peers = Object.entries(PACKAGES).map(async ([name, folder]) => ({
    name,
    version: await readVersion(join(PEERS, 'node_modules', folder)),
    program: { name, file: join(PEERS, 'repair.mjs'), args: name.split(' ') },
  }));
  return [
    { name: own.name, version: await readVersion(PROJECT), program: own },
    ...(await Promise.all(peers)),
  ];
}

async function readVersion(folder: string): Promise<string> {
  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

export async function listTools(url: URL): Promise<readonly ListedTool[]> {
  const { result } = await send(url, 'tools/list', {});
  return result?.['tools'] as readonly ListedTool[];
}

export async function callTool(url: URL, call: ToolCall): Promise<Answer> {
  const { result, error } = await send(url, 'tools/call', call);
  if (error !== undefined) {
    const data = error.data === undefined ? '' : `\n${JSON.stringify(error.data)}`;
    return { isError: true, text: `${error.message}${data}` };
  }
  const blocks = result?.['content'] as readonly { readonly text?: string }[];
  return { isError: result?.['isError'] === true, text: blocks.map(({ text = '' }) => text).join('\n') };
}

interface Message {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string; readonly data?: unknown };
}

/** The answer comes as a message, or as a stream of events with one. */
async function send(url: URL, method: string, params: object): Promise<Message> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: LEGACY_HEADERS, body });
  const answer = await response.text();
  const events = answer.split(/\r?\n/).filter((line) => line.startsWith('data:') && line.length > 6);
  const texts = events.length === 0 ? [answer] : events.map((line) => line.slice('data:'.length));
  const message = texts.map((text) => JSON.parse(text) as Message).find(({ id }) => id !== undefined);
  if (message === undefined) throw new Error(`It answers ${answer.slice(0, 300)}`);
  return message;
}
