import { initializeMessage, LEGACY_HEADERS, legacyCall, type HttpCall } from './http-call.ts';
import { SESSIONS } from './http-load.ts';

type Headers = Readonly<Record<string, string>>;

/** Opens a session for each client, and gives the call in each of them. @param credentials headers of each request */
export function openSessions(url: URL, credentials: Headers = {}): Promise<readonly HttpCall[]> {
  return Promise.all(Array.from({ length: SESSIONS }, () => openSession(url, credentials)));
}

async function openSession(url: URL, credentials: Headers): Promise<HttpCall> {
  const common = { ...LEGACY_HEADERS, ...credentials };
  const opened = await post(url, { jsonrpc: '2.0', id: 1, ...initializeMessage }, common);
  const id = opened.headers.get('mcp-session-id');
  if (id === null) throw new Error('It opens no session');
  const headers = { ...common, 'mcp-session-id': id };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  return { message: legacyCall.message, headers };
}

async function post(url: URL, message: object, headers: Headers): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
  await response.text();
  if (!response.ok) throw new Error(`It answers ${response.status} when a session is opened`);
  return response;
}
