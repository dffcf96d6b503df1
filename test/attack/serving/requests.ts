import { connect, type Socket } from 'node:net';
import type { AttackedServer, Vitals } from '../attacked-server.ts';
import { TaskRequests } from '../../support/task-requests.ts';

export const MEGABYTE = 1024 * 1024;

/** What begins every request that is written by hand. */
export const HEAD =
  'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
  'accept: application/json, text/event-stream\r\n';

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '0' } },
});

export function openSocket(server: AttackedServer): Socket {
  return connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
}

export function post(
  { url }: AttackedServer,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { ...JSON_HEADERS, ...headers } });
}

/** Opens a session: the status, and the id if there is one. */
export async function initialize(
  server: AttackedServer,
  person: string,
): Promise<readonly [number, string | null]> {
  const response = await post(server, INITIALIZE, { authorization: person });
  await response.text();
  return [response.status, response.headers.get('mcp-session-id')];
}

/** A client of 2026-07-28 that answers questions and knows tasks. */
export function requests2026(server: AttackedServer): TaskRequests {
  return new TaskRequests(async (request) =>
    fetch(server.url, { method: 'POST', headers: request.headers, body: await request.text() }),
  );
}

/** Runs so many of them, some at a time. */
export async function inParallel(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

export function heapNote(before: Vitals, after: Vitals): string {
  const mega = ({ heapUsed }: Vitals): string => (heapUsed / MEGABYTE).toFixed(1);
  return `heap ${mega(before)} -> ${mega(after)} MB, handles ${String(before.handles)} -> ${String(after.handles)}`;
}
