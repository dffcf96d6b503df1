/**
 * Checks a server of this folder at the address given as argument:
 *
 *     PORT=3000 node --import @oxc-node/core/register existing-servers/express.ts
 *     node --import @oxc-node/core/register existing-servers/client.ts http://127.0.0.1:3000/mcp
 */
import assert from 'node:assert/strict';
import { call, check, connect } from '../connect.ts';

const address = process.argv[2] ?? 'http://127.0.0.1:3000/mcp';
const client = await connect(new URL('express.ts', import.meta.url), address);

await check('the tools are listed', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['stock'],
  );
});

await check('a call is answered, with its progress before', async () => {
  const progress: unknown[] = [];
  const delivery = { action: 'receive', sku: 'café', count: 3 };
  const received = await client.callTool({ name: 'stock', arguments: delivery }, undefined, {
    onprogress: ({ message }) => progress.push(message),
  });
  assert.deepEqual(received.content, [{ type: 'text', text: '3 × café received' }]);
  assert.deepEqual(progress, ['unpacked']);
  const { text } = await call(client, 'stock', { action: 'count', sku: 'café' });
  assert.equal(text, '3');
});

await check('a wrong call is answered with the field', async () => {
  const refused = await call(client, 'stock', { action: 'receive', sku: 'café', count: 0 });
  assert.equal(refused.isError, true);
  assert.match(refused.text, /count/);
});

await check('the other routes of the server are its own', async () => {
  const response = await fetch(new URL('/health', address));
  assert.equal(await response.text(), 'ok');
});

await client.close();
