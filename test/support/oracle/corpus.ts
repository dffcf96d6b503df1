/** One HTTP request of the corpus. */
export interface Sample {
  readonly name: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What both eras have in common, as method and params. */
export const REQUESTS: readonly (readonly [string, unknown])[] = [
  ['tools/call', { name: 'desk', arguments: { action: 'add', a: 1, b: 2 } }],
  ['tools/call', { name: 'desk', arguments: { action: 'add', a: -1, b: 'x' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'total', a: 1, b: 2 } }],
  ['tools/call', { name: 'desk', arguments: { action: 'count' }, _meta: { progressToken: 'p' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'count' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'chat' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'who' }, _meta: { own: 1, progressToken: 7 } }],
  ['tools/call', { name: 'desk', arguments: { action: 'ask' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'refuse' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'break' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'odd' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'ad' } }],
  ['tools/call', { name: 'desk', arguments: [1] }],
  ['tools/call', { name: 'desk', arguments: null }],
  ['tools/call', { name: 'desk' }],
  ['tools/call', { name: 'desks', arguments: {} }],
  ['tools/call', { name: 5 }],
  ['tools/call', {}],
  ['tools/call', undefined],
  ['tools/call', { name: 'jobs', arguments: { action: 'run' } }],
  ['tools/call', { name: 'desk', arguments: { action: 'add', a: 1, b: 2 }, task: {} }],
  ['tools/call', { name: 'desk', arguments: { action: 'add', a: 1, b: 2 }, task: 'no' }],
  ['tools/list', undefined],
  ['tools/list', {}],
  ['tools/list', { cursor: 'wrong' }],
  ['tools/list', { cursor: '' }],
  ['tools/list', { cursor: null }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'greet', arguments: { name: 'Ann' } }],
  ['prompts/get', { name: 'greet', arguments: { name: 5 } }],
  ['prompts/get', { name: 'nobody' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'memo:one' }],
  ['resources/read', { uri: 'memo:two/text' }],
  ['resources/read', { uri: 'nothing:at-all' }],
  ['ping', undefined],
  ['ping', { extra: 1 }],
  ['server/discover', {}],
  ['no/such/method', {}],
  ['logging/setLevel', { level: 'nonsense' }],
  ['__proto__', {}],
];

/** Bodies that are no plain requests. */
export const ODD_BODIES: Readonly<Record<string, string>> = {
  'no JSON': '{"jsonrpc":',
  nothing: '',
  'an empty batch': '[]',
  'a batch': '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]',
  'the id null': '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  'the id 0': '{"jsonrpc":"2.0","id":0,"method":"ping"}',
  'an empty id': '{"jsonrpc":"2.0","id":"","method":"tools/list"}',
  'a text as id': '{"jsonrpc":"2.0","id":"a\\"b\\u2028","method":"tools/list"}',
  'a huge id': '{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}',
  'a broken id': '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  'another version': '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  'a member too many': '{"jsonrpc":"2.0","id":1,"method":"ping","extra":1}',
  'a member __proto__':
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"cursor":"x"}}}',
  'arguments with __proto__':
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"desk","arguments":{"action":"add","a":1,"b":2,"__proto__":{"a":5}}}}',
  'params as a list': '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}',
  'a wrong _meta': '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":5}}',
  'a wrong progress token':
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":{}}}}',
  'a notification': '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  'an answer': '{"jsonrpc":"2.0","id":99,"result":{}}',
};

/** Headers that are not as they should be. */
export const ODD_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no Accept of streams': { accept: 'application/json' },
  'no Accept of JSON': { accept: 'text/event-stream' },
  'any Accept': { accept: '*/*' },
  'another Content-Type': { 'content-type': 'text/plain' },
  'a Content-Type with a charset': { 'content-type': 'application/json; charset=utf-8' },
  'an unknown revision': { 'mcp-protocol-version': '1999-01-01' },
  'an old revision': { 'mcp-protocol-version': '2024-11-05' },
  'a foreign origin': { origin: 'https://evil.example' },
  'an origin of this machine': { origin: 'http://localhost:3000' },
  'a foreign host': { host: 'evil.example' },
  'an encoding': { 'content-encoding': 'gzip' },
  'a session that never was': { 'mcp-session-id': 'nobody' },
  'a wrong method header': { 'mcp-method': 'tools/list' },
};

export function body2025(method: string, params: unknown, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
}

/** A request of 2026-07-28, with the headers that repeat it. */
export function sample2026(
  method: string,
  params: unknown,
  meta: object = META,
): Pick<Sample, 'body' | 'headers'> {
  const given = (typeof params === 'object' ? params : {}) as Record<string, unknown>;
  const _meta = { ...meta, ...(given['_meta'] as object | undefined) };
  const name = given['name'] ?? given['uri'];
  return {
    body: body2025(method, { ...given, _meta }),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}
