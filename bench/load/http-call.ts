import { sampleOrder, TOOL } from '../order/sample-order.ts';
import { NumberedRequest } from './numbered-request.ts';

/** A request of Streamable HTTP: what it says, and in which headers it repeats some of it. */
export interface HttpCall {
  readonly message: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

// The newest that all of them speak
const LEGACY = '2025-06-18';
const MODERN = '2026-07-28';

const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const LEGACY_HEADERS = { ...common, 'mcp-protocol-version': LEGACY };

/** What a request of 2026-07-28 says about itself. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

const call = { name: TOOL, arguments: sampleOrder() };

export const legacyCall: HttpCall = {
  message: { method: 'tools/call', params: call },
  headers: LEGACY_HEADERS,
};

export const modernCall: HttpCall = {
  message: { method: 'tools/call', params: { ...call, _meta: MODERN_META } },
  headers: {
    ...common,
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  },
};

export const legacyList: HttpCall = { message: { method: 'tools/list' }, headers: LEGACY_HEADERS };

export const initializeMessage = {
  method: 'initialize',
  params: {
    protocolVersion: LEGACY,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
};

export function requestOf({ message, headers }: HttpCall, url: URL): NumberedRequest {
  const lines = Object.entries({ host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const start = `POST ${url.pathname} HTTP/1.1\r\n${lines.join('')}`;
  return new NumberedRequest(message, (length) => `${start}content-length: ${length}\r\n\r\n`);
}
