/**
 * Checks the server at the address given as argument; without one it starts the server over stdio:
 *
 *     node --import @oxc-node/core/register knowledge-base/client.ts [http://127.0.0.1:3000/mcp]
 */
import {
  ElicitRequestSchema,
  ErrorCode,
  McpError,
  ProgressNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  type ElicitResult,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { call, check, connect } from '../connect.ts';

const client = await connect(new URL('main.ts', import.meta.url), process.argv[2], { elicitation: {} });
// The knowledge base keeps its pages, so that every run works on one of its own and deletes it in the end.
const path = `notes/client-${randomUUID()}`;
const uri = `kb://pages/${path}`;

/** How the user answers the next question. */
let answer: ElicitResult = { action: 'cancel' };
const asked: string[] = [];
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  asked.push(params.message);
  return answer;
});

const pages = (action: string, args: object = {}) => call(client, 'pages', { action, ...args });

async function read(): Promise<unknown> {
  const [contents] = (await client.readResource({ uri })).contents;
  return contents;
}

async function text(): Promise<string> {
  return ((await read()) as { text: string }).text;
}

async function completed(prompt: string, name: string, value: string, given: Record<string, string> = {}) {
  const ref = { type: 'ref/prompt', name: prompt } as const;
  const params = { ref, argument: { name, value }, context: { arguments: given } };
  return (await client.complete(params)).completion.values;
}

const isRefused = (error: unknown): boolean =>
  error instanceof McpError && error.code === (ErrorCode.InvalidParams as number);

await check('a page that was written is linked to, listed and read', async () => {
  const result = await client.callTool({
    name: 'pages',
    arguments: { action: 'write', path, text: '# Bees\n\nThey dance.' },
  });
  const [, link] = result.content as { type: string; uri?: string }[];
  assert.deepEqual([link?.type, link?.uri], ['resource_link', uri]);
  const listed = (await client.listResources()).resources.find((resource) => resource.uri === uri);
  assert.equal(listed?.title, 'Bees');
  assert.ok(Date.now() - Date.parse(listed.annotations?.lastModified ?? '') < 600_000);
  assert.deepEqual(await read(), { uri, mimeType: 'text/markdown', text: '# Bees\n\nThey dance.' });
});

await check('the index links to it, and a search finds it', async () => {
  const [index] = (await client.readResource({ uri: 'kb://index' })).contents as { text: string }[];
  assert.ok(index?.text.includes(`- [Bees](${uri})`));
  const found = await client.callTool({
    name: 'pages',
    arguments: { action: 'search', words: 'DANCE bees' },
  });
  const links = (found.content as { uri?: string }[]).map((block) => block.uri);
  assert.ok(links.includes(uri));
});

await check('nobody overwrites a page whose user declines or cancels', async () => {
  for (const action of ['decline', 'cancel'] as const) {
    answer = { action };
    const { text: said, isError } = await pages('write', { path, text: '# Wasps' });
    assert.equal(isError, false);
    assert.match(said, action === 'decline' ? /does not want that/ : /did not answer/);
  }
  assert.equal(asked.length, 2);
  assert.match(await text(), /^# Bees/);
});

await check('an answer that is none of the choices changes nothing', async () => {
  answer = { action: 'accept', content: { mode: 'burn' } };
  const { text: said, isError } = await pages('write', { path, text: '# Wasps' });
  assert.ok(isError && said.includes('mode'), said);
  assert.match(await text(), /^# Bees/);
});

await check('a subscriber is notified that the page has changed', async () => {
  const updated = new Promise<string>((resolve) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
  });
  await client.subscribeResource({ uri });
  answer = { action: 'accept', content: { mode: 'append' } };
  assert.equal((await pages('write', { path, text: 'They sting.' })).isError, false);
  assert.equal(await updated, uri);
  assert.equal(await text(), '# Bees\n\nThey dance.\nThey sting.');
  await client.unsubscribeResource({ uri });
});

await check('no URI leads out of the folder', async () => {
  const names = [
    '../main',
    '%2e%2e%2fmain',
    '/etc/passwd',
    '%2Fetc%2Fpasswd',
    '..%5Cmain',
    'a%00',
    '.git/config',
  ];
  for (const name of names) {
    await assert.rejects(client.readResource({ uri: `kb://pages/${name}` }), isRefused, name);
    assert.equal((await pages('write', { path: decodeURIComponent(name), text: 'x' })).isError, true, name);
  }
});

await check('a prompt completes its arguments, and embeds the page', async () => {
  assert.deepEqual(await completed('summarize', 'path', path.slice(0, -1)), [path]);
  assert.deepEqual(await completed('summarize', 'language', 'ger'), ['German']);
  assert.ok(!(await completed('compare', 'second', '', { first: path })).includes(path));
  const args = { path, language: 'German', tone: 'formal' };
  const { messages } = await client.getPrompt({ name: 'summarize', arguments: args });
  assert.deepEqual(
    messages.map(({ content }) => content.type),
    ['resource', 'text'],
  );
  assert.match(JSON.stringify(messages[1]), /Write German, and sound formal/);
});

await check('a prompt names the argument that is wrong', async () => {
  const arguments_ = { path, tone: 'angry' };
  await assert.rejects(client.getPrompt({ name: 'summarize', arguments: arguments_ }), /tone.*formal/s);
  await assert.rejects(client.getPrompt({ name: 'summarise' }), /Available: summarize, compare/);
});

await check('a variable of the template is completed', async () => {
  const ref = { type: 'ref/resource', uri: 'kb://pages/{+path}' } as const;
  const { completion } = await client.complete({ ref, argument: { name: 'path', value: 'notes/client-' } });
  assert.ok(completion.values.includes(path));
});

await check('indexing reports how far it is', async () => {
  const seen: Progress[] = [];
  // An own handler, because `onprogress` forgets what arrives together with the answer
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => {
    seen.push(params);
  });
  const request = { name: 'pages', arguments: { action: 'reindex' }, _meta: { progressToken: 'reindex' } };
  const { content } = await client.callTool(request);
  assert.match(JSON.stringify(content), new RegExp(`${seen.length} pages are indexed`));
  assert.deepEqual(
    [seen.at(-1)?.progress, seen.some(({ message }) => message === path)],
    [seen[0]?.total, true],
  );
});

await check('a page is deleted once the user is sure, and clients hear of it', async () => {
  answer = { action: 'accept', content: { isSure: false } };
  assert.match((await pages('delete', { path })).text, /still there/);
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve());
  });
  answer = { action: 'accept', content: { isSure: true } };
  assert.match((await pages('delete', { path })).text, /is gone/);
  await changed;
  await assert.rejects(read(), isRefused);
});

await client.close();
