import type { Said } from '../support/oracle/transcript.ts';
import { REQUESTS } from '../support/oracle/corpus.ts';

const CLIENT = { name: 'tester', version: '1.0.0', title: 'Tester' };

export const initialize = (params: object = {}, id = 1000): Said => ({
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT, ...params },
});
const INITIALIZED: Said = { method: 'notifications/initialized' };
const HELLO = [initialize(), INITIALIZED];
const ASKABLE = [initialize({ capabilities: { elicitation: { form: {} } } }), INITIALIZED];

const call = (action: string, given: object = {}, id = 1): Said => ({
  id,
  method: 'tools/call',
  params: { name: 'desk', arguments: { action }, ...given },
});
const request = (method: string, params?: unknown, id: string | number = 1): Said => ({
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const level = (value: unknown): Said => request('logging/setLevel', { level: value }, 2);

/** What a client says on one connection, by what the case is about. */
export const CASES: Readonly<Record<string, readonly Said[]>> = {
  ...Object.fromEntries(
    ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', '1999-01-01', ''].map(
      (protocolVersion) => [
        `a handshake in ${JSON.stringify(protocolVersion)}`,
        [initialize({ protocolVersion })],
      ],
    ),
  ),
  'a handshake twice': [...HELLO, initialize({ protocolVersion: '2025-03-26' }, 5)],
  'a handshake without params': [request('initialize')],
  'a handshake without a client': [initialize({ clientInfo: undefined })],
  'a handshake of a client without a version': [initialize({ clientInfo: { name: 'x' } })],
  'a handshake with wrong capabilities': [initialize({ capabilities: { elicitation: true } })],
  ...Object.fromEntries(
    [
      { experimental: { x: 5 } },
      { roots: { listChanged: 'x' } },
      { elicitation: { form: true } },
      { sampling: { tools: 5 } },
      { tasks: { requests: 5 } },
      [],
    ].map((capabilities) => [
      `a handshake with wrong capabilities: ${JSON.stringify(capabilities)}`,
      [initialize({ capabilities })],
    ]),
  ),
  'a handshake of a client with a wrong title': [
    initialize({ clientInfo: { name: 'x', version: '1', title: 5 } }),
  ],
  ...Object.fromEntries(
    [
      { icons: 'none' },
      { icons: [{}] },
      { icons: [{ src: 5 }] },
      { icons: [{ src: 'data:,', mimeType: 5 }] },
      { icons: [{ src: 'data:,', sizes: 'any' }] },
      { icons: [{ src: 'data:,', sizes: [48] }] },
      { icons: [{ src: 'data:,', theme: 'blue' }] },
      { description: 5 },
      { websiteUrl: {} },
    ].map((members) => [
      `a handshake with wrong members of its client: ${JSON.stringify(members)}`,
      [initialize({ clientInfo: { name: 'x', version: '1', ...members } })],
    ]),
  ),
  'a client with icons that introduces itself': [
    initialize({
      clientInfo: {
        name: 'x',
        version: '1',
        icons: [{ src: 'data:,', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
      },
    }),
  ],
  'a handshake of a client with a wrong name': [initialize({ clientInfo: { name: 5, version: '1' } })],
  'a handshake with capabilities that nobody knows': [
    initialize({ capabilities: { experimental: { x: {} } } }),
    call('who'),
  ],
  'requests before the handshake': [
    request('tools/list'),
    call('who'),
    call('ask', {}, 2),
    request('ping', {}, 3),
  ],
  'ping in many forms': [
    ...HELLO,
    request('ping'),
    request('ping', {}, 'text'),
    request('ping', { _meta: {} }, 0),
    request('ping', { more: 1 }, ''),
    request('ping', { task: {} }, 5),
  ],
  'methods that nobody knows': [
    ...HELLO,
    request('no/such'),
    request('__proto__', {}, 2),
    request('constructor', {}, 3),
    request('toString', {}, 4),
    request('server/discover', {}, 5),
    request('subscriptions/listen', {}, 6),
    request('tasks/list', {}, 7),
    request('sampling/createMessage', {}, 8),
  ],
  'notifications that nobody knows': [
    ...HELLO,
    { method: 'notifications/strange' },
    { method: 'tools/list' },
    { method: 'notifications/cancelled' },
    { method: 'notifications/cancelled', params: { requestId: 77 } },
    { method: 'notifications/progress', params: { progressToken: 77, progress: 1 } },
    { method: 'notifications/roots/list_changed' },
    request('ping'),
  ],
  'replies to what was not asked': [
    ...HELLO,
    { id: 4, result: {} },
    { id: 'x', error: { code: 1, message: 'no' } },
    request('ping'),
  ],
  'all log messages': [...HELLO, call('chat')],
  'log messages of a level': [...HELLO, level('warning'), call('chat'), level('debug'), call('chat', {}, 3)],
  'a level before the handshake': [level('error'), call('chat')],
  'a level that is none': [...HELLO, level('loud')],
  'a level that is a number': [...HELLO, level(3)],
  'a level without params': [...HELLO, request('logging/setLevel')],
  'progress, if it is asked for': [
    ...HELLO,
    call('count'),
    call('count', { _meta: { progressToken: 'p' } }, 2),
  ],
  'a question to a client that knows forms': [...ASKABLE, call('ask'), call('ask', {}, 'again' as never)],
  'a question to a client that knows none': [...HELLO, call('ask')],
  'who the client is': [...ASKABLE, call('who', { _meta: { own: 1, progressToken: 7 } })],
  'two requests with one id, one after the other': [...HELLO, call('chat'), call('chat')],
  subscriptions: [
    ...HELLO,
    request('resources/subscribe', { uri: 'memo:one' }),
    request('resources/subscribe', { uri: 'memo:one' }, 2),
    request('resources/subscribe', { uri: 'nothing:at-all' }, 3),
    request('resources/unsubscribe', { uri: 'memo:one' }, 4),
    request('resources/unsubscribe', { uri: 'never' }, 5),
    request('resources/subscribe', { uri: 'x'.repeat(9000) }, 6),
  ],
  'a subscription before the handshake': [request('resources/subscribe', { uri: 'memo:one' })],
  'a call that belongs to a task': [
    ...HELLO,
    call('chat', { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'none' } } }),
  ],
  ...Object.fromEntries(
    REQUESTS.map(([method, params], index) => [
      `request ${String(index)}: ${method} ${JSON.stringify(params ?? {})}`,
      [...HELLO, request(method, params)],
    ]),
  ),
};
