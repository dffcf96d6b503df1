import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, Scopes, ToolContext, ToolGroup } from 'toolwright';
import { testVerifier, tokenOf } from '../../../support/callers.ts';
import { headers2026, message2026 } from '../../../support/client-of-2026.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';
import { INITIALIZE, JSON_HEADERS, message } from '../../../support/raw-http.ts';

@ToolGroup('work')
class WorkTools {
  @Action() run(): string {
    return 'done';
  }
  @Action() failing(): never {
    throw new Error('broken');
  }
  @Action() @Scopes('work:more') more(): string {
    return 'more';
  }
  @Action() async slowly(ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2);
    return 'done';
  }
}
@Module({ controllers: [WorkTools] })
class WorkModule {}

let app: McpApplication;
let url: string;
let session: string;

beforeAll(async () => {
  app = await McpApplication.create(WorkModule, {
    auth: { verify: testVerifier, resource: 'http://localhost/mcp' },
    fetch: { sessions: true, maxBodyBytes: 10_000 },
    logger: new MemoryLogger(),
  });
  ({ url } = await app.listen({ port: 0, signals: false, maxBodyBytes: 10_000 }));
});
afterAll(() => app.close());

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
type Serve = (sent: RequestInit) => Promise<Response>;

const call = (action: string, meta = {}) => ({ name: 'work', arguments: { action }, _meta: meta });
const inSession = (sent: Sent): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'mcp-session-id': session },
});
const call2026 = (method: string, params: object, name?: string): Sent => ({
  body: JSON.stringify(message2026(method, params)),
  headers: headers2026(method, name),
});
const work2026 = (action: string) => call2026('tools/call', { name: 'work', arguments: { action } }, 'work');

/** Each kind of answer with its status. */
const ANSWERS: readonly (readonly [string, number, () => Sent])[] = [
  ['a result', 200, () => work2026('run')],
  ['a list', 200, () => call2026('tools/list', {})],
  ['the error of a tool', 200, () => work2026('failing')],
  ['a name that there is not', 200, () => work2026('nothing')],
  ['an unknown method', 404, () => call2026('nothing/at-all', {})],
  ['a missing scope', 403, () => work2026('more')],
  ['a message that is not JSON', 400, () => ({ body: '{' })],
  ['a body that is too large', 413, () => ({ body: ' '.repeat(20_000) })],
  ['a session that begins', 200, () => ({ body: INITIALIZE })],
  [
    'a session that there is not',
    404,
    () => ({ body: message('ping'), headers: { 'mcp-session-id': 'none' } }),
  ],
  [
    'a notification',
    202,
    () => inSession({ body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }),
  ],
  ['a call of a session', 200, () => inSession({ body: message('tools/call', call('run')) })],
  [
    'a stream of a call',
    200,
    () => inSession({ body: message('tools/call', call('slowly', { progressToken: 'p' })) }),
  ],
  ['the stream of a session', 200, () => inSession({ method: 'GET' })],
  ['the end of a session', 200, () => inSession({ method: 'DELETE' })],
];

const SERVERS: readonly (readonly [string, Serve])[] = [
  ['listen()', (sent) => fetch(url, sent)],
  ['app.fetch', (sent) => app.fetch(new Request('http://localhost/mcp', sent))],
];

test.each(SERVERS)('no cache keeps what a known caller gets from %s', async (_name, serve) => {
  const authorization = `Bearer ${tokenOf({ sub: 'ann' })}`;
  const send = async ({ method = 'POST', body, headers }: Sent) => {
    const response = await serve({
      method,
      headers: { ...JSON_HEADERS, authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    await response.body?.cancel();
    return response;
  };
  session = (await send({ body: INITIALIZE })).headers.get('mcp-session-id') ?? '';
  const answers: unknown[] = [];
  for (const [kind, , sent] of ANSWERS) {
    const { status, headers } = await send(sent());
    answers.push([kind, status, headers.get('cache-control')]);
  }
  expect(answers).toEqual(ANSWERS.map(([kind, status]) => [kind, status, 'no-store']));
});
