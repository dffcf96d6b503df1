import { randomUUID } from 'node:crypto';
import { sampleOrder } from '../order/sample-order.ts';
import { MODERN_META } from './http-call.ts';
import { readResult, verifyPrice } from './read-result.ts';

/** How many clients call at the same time. */
const CLIENTS = 16;

/** Calls a tool as often as told, each time with a new key. @throws Error for a wrong answer */
export async function callWithKeys(url: URL, tool: string, count: number): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      verifyPrice(await call(url, tool, { ...sampleOrder(), idempotencyKey: randomUUID() }));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function call(url: URL, name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const params = { name, arguments: args, _meta: MODERN_META };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return readResult(await response.text());
}
