import { join } from 'node:path';
import type { ServerProgram } from '../processes/server-process.ts';
import { COMPILED, PEERS } from '../folders.ts';

export const TOOLWRIGHT = 'toolwright';
export const BARE = 'bare node:http';
export const SDK_V1 = 'SDK v1';
export const SDK_V2 = 'SDK v2';
export const MCP_LITE = 'mcp-lite';

const peer = (name: string, file: string): ServerProgram => ({
  name,
  file: join(PEERS, `${file}.mjs`),
});

export const sdkV1Session = peer(SDK_V1, 'sdk-v1-session');
export const sdkV1Stdio = peer(SDK_V1, 'sdk-v1-stdio');
export const sdkV2Stdio = peer(SDK_V2, 'sdk-v2-stdio');

/** Those that serve 2026-07-28 as well as what came before. */
export const modernPeers: readonly ServerProgram[] = [
  peer(SDK_V2, 'sdk-v2-http'),
  peer('@rekog/mcp-nest', 'mcp-nest'),
  peer('tmcp', 'tmcp'),
  peer('mcp-use', 'mcp-use'),
];

export const statelessPeers: readonly ServerProgram[] = [
  peer(SDK_V1, 'sdk-v1-stateless'),
  ...modernPeers,
  peer('fastmcp', 'fastmcp'),
  peer(MCP_LITE, 'mcp-lite'),
];

export function ownProgram(file: string, ...args: readonly string[]): ServerProgram {
  return { name: TOOLWRIGHT, file: join(COMPILED, 'servers/toolwright', `${file}.js`), args };
}

/** What the bare server answers, and what it loads although it does not need it. */
export interface BareSettings {
  readonly result?: object;
  readonly packages?: readonly string[];
  /** Writes bytes that were made before, instead of making them at every call. */
  readonly isPrepared?: boolean;
  /** Refuses requests without it. */
  readonly token?: string;
}

export function bareProgram(settings: BareSettings, name: string = BARE): ServerProgram {
  return { name, file: join(COMPILED, 'servers/bare-http.js'), settings };
}
