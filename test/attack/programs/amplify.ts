import { envelope, headers2026 } from '../../support/client-of-2026.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { inParallel } from '../serving/requests.ts';

/** An answer that is an error, whatever was sent. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** What twenty such answers at once add to the process that nobody reads. */
const MAX_GROWTH_BYTES = 200 * 1024 * 1024;
const MAX_BYTES = 4_100_000;

interface Sent {
  readonly name: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const amplify: AttackProgram = {
  name: 'amplify',
  measures: `the bytes of answers that are errors; at most ${String(MAX_ANSWER_BYTES)}, whatever was sent and thrown`,
  run: async (target) => {
    const rows: AttackRow[] = [];
    for (const environment of [{}, { MASKED: '1' }, { SESSIONS: '1' }]) {
      const server = await target.serve('amplify', { environment });
      try {
        for (const sent of requests()) rows.push(await send(target, server, sent, Object.keys(environment)));
        rows.push(await sendTwenty(server, Object.keys(environment)));
      } finally {
        await server.close();
      }
    }
    return rows;
  },
};

async function send(
  { limit, progress }: Target,
  server: AttackedServer,
  sent: Sent,
  mode: readonly string[],
) {
  const { body, headers = {} } = sent;
  const start = performance.now();
  const { status, text } = await server.post(body, { headers, limit });
  const isError = status >= 400 || /"isError":true|"error":\{/.test(text);
  const size = Buffer.byteLength(text);
  const fault = isError && size > MAX_ANSWER_BYTES ? `${String(size)} bytes of an error` : undefined;
  const name = [sent.name, ...mode].join(', ');
  const note = `${String(status)} ${isError ? 'error' : 'no error'}, ${String(size)} bytes, ${(size / body.length).toFixed(1)} for each that was sent`;
  progress(`${name}: ${String(size)} ${note}`);
  return { name, bytes: body.length, milliseconds: performance.now() - start, note, fault };
}

/** The heaviest of them at once. */
async function sendTwenty(server: AttackedServer, mode: readonly string[]): Promise<AttackRow> {
  const { rss: before } = await server.vitals();
  let most = before;
  await inParallel(20, async () => {
    await server.post(call2025('bad', '{"action":"output"}'));
    most = Math.max(most, (await server.vitals()).rss);
  });
  const growth = most - before;
  const fault = growth > MAX_GROWTH_BYTES ? `${String(growth)} bytes more` : undefined;
  const note = `${(growth / 1e6).toFixed(0)} MB more`;
  return { name: ['twenty at once', ...mode].join(', '), bytes: 0, milliseconds: 0, note, fault };
}

const message = (method: string, params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${method},"params":{${params}}}`;
const call2025 = (tool: string, args: string): string =>
  message('"tools/call"', `"name":${JSON.stringify(tool)},"arguments":${args}`);
const repeat = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(',');

function* requests(): Generator<Sent> {
  const ofBoth = function* (name: string, method: string, params: string, target = ''): Generator<Sent> {
    yield { name, body: message(JSON.stringify(method), params) };
    const meta = `"_meta":${JSON.stringify(envelope({ elicitation: {} }))}`;
    const body = message(JSON.stringify(method), params === '' ? meta : `${meta},${params}`);
    yield { name: `${name} (2026)`, body, headers: headers2026(method, target) };
  };
  const calls = (action: string, args = ''): Generator<Sent> =>
    ofBoth(`tool ${action}`, 'tools/call', `"name":"bad","arguments":{"action":"${action}"${args}}`, 'bad');
  const long = 'x'.repeat(MAX_BYTES);
  const nul = '\\u0000'.repeat(MAX_BYTES / 6 - 100);
  const strangers = repeat(9000, (index) => `"${String(index)}${'\\u0000'.repeat(50)}":1`);
  for (const action of [
    'output',
    'members',
    'throws',
    'object',
    'many',
    'declares',
    'protocol',
    'returns',
    'writes',
    'meta',
    'image',
    'content',
    'asks',
    'asks_long',
    'later',
  ]) {
    yield* calls(action);
  }
  yield* calls('takes', `,${strangers}`);
  yield* calls('takes', `,"text":1,"data":"${nul}"`);
  yield* calls('nothing');
  yield* ofBoth('an action of controls', 'tools/call', `"name":"bad","arguments":{"action":"${nul}"}`, 'bad');
  for (const action of ['none', 'value-1', long]) {
    yield* ofBoth(
      'an action among many',
      'tools/call',
      `"name":"crowd","arguments":{"action":"${action}"}`,
      'crowd',
    );
  }
  yield* ofBoth(
    'an action of no text',
    'tools/call',
    `"name":"crowd","arguments":{"action":{${strangers}}}`,
    'crowd',
  );
  yield* ofBoth('no action', 'tools/call', `"name":"crowd","arguments":{${strangers}}`, 'crowd');
  yield* ofBoth('an unknown tool', 'tools/call', `"name":"${nul}"`);
  yield* ofBoth(
    'a version',
    'tools/call',
    `"name":"bad","arguments":{"action":"takes"},"_meta":{"toolwright/versions":"${long}"}`,
    'bad',
  );
  for (const prompt of [
    'prompt_throws',
    'prompt_protocol',
    'prompt_declares',
    'prompt_wrong',
    'letter',
    'none',
  ]) {
    yield* ofBoth(prompt, 'prompts/get', `"name":"${prompt}"`, prompt);
  }
  yield* ofBoth(
    'a prompt with wrong arguments',
    'prompts/get',
    `"name":"letter","arguments":{"to":"${nul}"}`,
    'letter',
  );
  yield* ofBoth(
    'a prompt with unknown arguments',
    'prompts/get',
    `"name":"letter","arguments":{${strangers.replaceAll(':1', ':"1"')}}`,
    'letter',
  );
  yield* ofBoth(
    'a prompt with a number',
    'prompts/get',
    `"name":"letter","arguments":{"${nul}":1}`,
    'letter',
  );
  yield* ofBoth('a long prompt', 'prompts/get', `"name":"${nul}"`);
  for (const uri of [
    'bad://throws',
    'bad://protocol',
    'bad://wrong',
    'bad://none',
    'letter://toolong?from=none',
  ]) {
    yield* ofBoth(uri, 'resources/read', `"uri":"${uri}"`, uri);
  }
  yield* ofBoth('a long URI', 'resources/read', `"uri":"letter://${long.slice(0, -200)}"`);
  yield* ofBoth('a URI of controls', 'resources/read', `"uri":"letter://${nul}"`);
  yield* ofBoth('a URI of escapes', 'resources/read', `"uri":"letter://${'%00'.repeat(1_000_000)}"`);
  yield* ofBoth('a subscription', 'resources/subscribe', `"uri":"${nul}"`);
  for (const name of ['to', 'from', nul]) {
    yield* ofBoth(
      'a completion',
      'completion/complete',
      `"ref":{"type":"ref/prompt","name":"letter"},"argument":{"name":"${name}","value":"a"}`,
    );
  }
  yield* ofBoth(
    'a completion of nothing',
    'completion/complete',
    `"ref":{"type":"ref/prompt","name":"${nul}"},"argument":{"name":"a","value":"a"}`,
  );
  yield* ofBoth(
    'a completion of a kind',
    'completion/complete',
    `"ref":{"type":"${nul}","name":"a"},"argument":{"name":"a","value":"a"}`,
  );
  yield* ofBoth(
    'a completion with numbers',
    'completion/complete',
    `"ref":{"type":"ref/prompt","name":"letter"},"argument":{"name":"to","value":"a"},"context":{"arguments":{"${nul}":1}}`,
  );
  yield* ofBoth('a level', 'logging/setLevel', `"level":"${nul}"`);
  for (const method of [
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'tasks/list',
  ]) {
    yield* ofBoth(`a cursor of ${method}`, method, `"cursor":"${nul}"`);
  }
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/update']) {
    yield* ofBoth(method, method, `"taskId":"${nul}"`);
  }
  yield* ofBoth(
    'a state',
    'tools/call',
    `"name":"bad","arguments":{"action":"asks"},"requestState":"${nul}"`,
    'bad',
  );
  yield* ofBoth(
    'a task',
    'tools/call',
    `"name":"bad","arguments":{"action":"later"},"task":{"${nul}":1}`,
    'bad',
  );
  yield* ofBoth('subscriptions', 'subscriptions/listen', `"notifications":{"${nul}":1}`);
  yield* ofBoth(
    'subscriptions to URIs',
    'subscriptions/listen',
    `"notifications":{"resourceSubscriptions":[${strangers.replaceAll(':1', '')}]}`,
  );
  yield { name: 'a long id', body: message('"none"', '', `"${nul}"`) };
  yield { name: 'a long method', body: message(`"${nul}"`, '') };
  yield { name: 'a long member', body: `{"jsonrpc":"2.0","id":1,"method":"ping","${nul}":1}` };
  yield { name: 'no JSON', body: `{"${nul}":` };
  yield { name: 'wrong JSON', body: `{"a":"${long}"x}` };
  yield { name: 'a batch', body: `[${repeat(100_000, () => '{"jsonrpc":"2.0","id":1}')}]` };
  yield { name: 'a batch of numbers', body: `[${repeat(1_000_000, () => '1')}]` };
  yield {
    name: 'a batch of calls',
    body: `[${repeat(100, (index) => message('"none"', '', String(index)))}]`,
  };
  yield { name: 'initialize', body: message('"initialize"', `"protocolVersion":"${nul}"`) };
  yield {
    name: 'initialize with capabilities',
    body: message(
      '"initialize"',
      `"protocolVersion":"1","capabilities":{"${nul}":1},"clientInfo":{"${nul.slice(0, 1000)}":1}`,
    ),
  };
  for (const [key, value] of [
    ['io.modelcontextprotocol/protocolVersion', `"${nul}"`],
    ['io.modelcontextprotocol/clientInfo', `{"${nul}":1}`],
    ['io.modelcontextprotocol/clientCapabilities', `{"${nul}":1}`],
    ['io.modelcontextprotocol/logLevel', `"${nul}"`],
    ['io.modelcontextprotocol/none', `"${nul}"`],
    ['progressToken', `"${nul}"`],
    ['traceparent', `"${nul}"`],
  ] as const) {
    const meta = JSON.stringify(envelope({}, { [key]: 0 })).replace(`"${key}":0`, `"${key}":${value}`);
    yield {
      name: `_meta ${key}`,
      body: message('"tools/list"', `"_meta":${meta}`),
      headers: headers2026('tools/list'),
    };
  }
  const header = 'x'.repeat(14_000);
  const list = message('"tools/list"', `"_meta":${JSON.stringify(envelope())}`);
  for (const name of [
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
    'mcp-param-a',
    'origin',
    'host',
    'accept',
    'content-type',
    'authorization',
    'last-event-id',
  ]) {
    yield { name: `header ${name}`, body: list, headers: { ...headers2026('tools/list'), [name]: header } };
  }
}
