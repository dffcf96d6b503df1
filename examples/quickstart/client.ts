/**
 * Checks the server at the address given as argument; without one it starts the server over stdio:
 *
 *     node --import @oxc-node/core/register quickstart/client.ts [http://127.0.0.1:3000/mcp]
 */
import assert from 'node:assert/strict';
import { call, check, connect } from '../connect.ts';

const client = await connect(new URL('main.ts', import.meta.url), process.argv[2]);

await check('one tool with three actions, and a client is warned of the destructive one', async () => {
  const [tool, ...others] = (await client.listTools()).tools;
  assert.deepEqual(others, []);
  assert.equal(tool?.name, 'notes');
  assert.deepEqual((tool.inputSchema.properties?.['action'] as { enum?: unknown }).enum, [
    'list',
    'add',
    'clear',
  ]);
  assert.equal(tool.annotations?.destructiveHint, true);
});

await check('a note is kept', async () => {
  await call(client, 'notes', { action: 'clear' });
  const added = await call(client, 'notes', { action: 'add', text: 'buy milk' });
  assert.deepEqual(added, { text: 'Note 1 is kept', isError: false });
  const { text } = await call(client, 'notes', { action: 'list' });
  assert.deepEqual(JSON.parse(text), ['buy milk']);
});

await check('an empty note is refused, and the answer names the field', async () => {
  const refused = await call(client, 'notes', { action: 'add', text: '' });
  assert.equal(refused.isError, true);
  assert.match(refused.text, /text/);
});

await check('a misspelt action is answered with the nearest one', async () => {
  const refused = await call(client, 'notes', { action: 'ad' });
  assert.equal(refused.isError, true);
  assert.match(refused.text, /add/);
});

await client.close();
