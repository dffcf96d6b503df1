import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';

/** Where the server is: at an address, behind a function like `fetch`, or a command that starts it over stdio. */
export type Place =
  | { readonly url: string; readonly fetch?: typeof fetch }
  | { readonly command: string; readonly args: string[]; readonly cwd: string };

type Call = (
  args: Readonly<Record<string, unknown>>,
  onProgress?: (progress: number) => void,
) => Promise<string>;

/** What both clients of the official SDKs have to get from the application `trips`. */
export async function converse(place: Place, { asks2025 }: { readonly asks2025: boolean }): Promise<void> {
  await converse2025(place, asks2025);
  await converse2026(place);
}

async function converse2025(place: Place, asks: boolean): Promise<void> {
  const client = new Client({ name: 'guest', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    assert.equal(params.message, '2 days in Rome?');
    return { action: 'accept', content: { isSure: true } };
  });
  await client.connect(
    'url' in place
      ? new StreamableHTTPClientTransport(new URL(place.url), fetchOf(place))
      : new StdioClientTransport(place),
  );
  try {
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['trips'],
    );
    await converseWith((args, onprogress) => {
      const options = onprogress && {
        onprogress: ({ progress }: { readonly progress: number }) => onprogress(progress),
      };
      return client.callTool({ name: 'trips', arguments: args }, undefined, options).then(textOf);
    }, asks);
  } finally {
    await client.close();
  }
}

async function converse2026(place: Place): Promise<void> {
  const client = new ModernClient(
    { name: 'guest', version: '2.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { isSure: true } }));
  await client.connect(
    'url' in place ? new ModernHttp(new URL(place.url), fetchOf(place)) : new ModernStdio(place),
  );
  try {
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['trips'],
    );
    await converseWith((args, onprogress) => {
      const options = onprogress && {
        onprogress: ({ progress }: { readonly progress: number }) => onprogress(progress),
      };
      return client.callTool({ name: 'trips', arguments: args }, options).then(textOf);
    }, true);
  } finally {
    await client.close();
  }
}

/** A result, a refusal that names the field, progress and a question. */
async function converseWith(call: Call, asks: boolean): Promise<void> {
  assert.match(await call({ action: 'list' }), /^\[/);
  assert.match(
    await call({ action: 'pack', city: 'R', days: 12, cty: 1 }),
    /VALIDATION_FAILED[^]*days[^]*cty/,
  );
  const seen: number[] = [];
  assert.equal(
    await call({ action: 'pack', city: 'Rome' }, (progress) => seen.push(progress)),
    'Packed for Rome',
  );
  assert.deepEqual(seen, [1, 2, 3]);
  if (asks) assert.equal(await call({ action: 'book', city: 'Rome', days: 2 }), 'Booked Rome for 2 days');
}

function fetchOf({ fetch }: { readonly fetch?: typeof globalThis.fetch }) {
  return fetch === undefined ? {} : { fetch };
}

function textOf(result: object): string {
  const { content } = result as { readonly content?: unknown };
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');
}
