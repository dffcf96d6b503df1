import { initializeMessage, LEGACY_HEADERS, legacyCall, type HttpCall } from './http-call.ts';
import { SESSIONS } from './http-load.ts';

/** Opens a session for each client, and gives the call in each of them. */
export function openSessions(url: URL): Promise<readonly HttpCall[]> {
  return Promise.all(Array.from({ length: SESSIONS }, () => openSession(url)));
}

async function openSession(url: URL): Promise<HttpCall> {
  const opened = await post(url, { jsonrpc: '2.0', id: 1, ...initializeMessage }, LEGACY_HEADERS);
  const id = opened.headers.get('mcp-session-id');
  if (id === null) throw new Error('It opens no session');
  const headers = { ...LEGACY_HEADERS, 'mcp-session-id': id };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  return { message: legacyCall.message, headers };
}

async function post(url: URL, message: object, headers: Readonly<Record<string, string>>): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
  await response.text();
  if (!response.ok) throw new Error(`It answers ${response.status} when a session is opened`);
  return response;
}
