/**
 * Checks the gateway at the address given as argument; without one it starts the gateway over stdio:
 *
 *     node --import @oxc-node/core/register gateway/client.ts [http://127.0.0.1:3001/mcp]
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { call, check, connect } from '../connect.ts';

const client = await connect(new URL('main.ts', import.meta.url), process.argv[2]);
const workspaceId = `gateway-${randomUUID()}`;

await check('the tools of both servers stand in one list, each under the name of its server', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['quick_notes', 'team_board'],
  );
  assert.equal(tools[1]?.description, 'The tasks of the team');
  assert.equal(tools[0]?.annotations?.destructiveHint, true);
});

await check('a note is kept by the program', async () => {
  await call(client, 'quick_notes', { action: 'clear' });
  const added = await call(client, 'quick_notes', { action: 'add', text: 'buy milk' });
  assert.deepEqual(added, { text: 'Note 1 is kept', isError: false });
});

await check('a task is kept by the other server', async () => {
  const board = (action: string, args: object = {}) =>
    call(client, 'team_board', { action, workspaceId, ...args });
  const created = await board('tasks.create', { title: 'fix the roof' });
  assert.equal(created.isError, false, created.text);
  assert.match((await board('tasks.list')).text, /fix the roof/);
});

await check('a server says itself what is wrong with a call', async () => {
  const refused = await call(client, 'quick_notes', { action: 'add', text: '' });
  assert.equal(refused.isError, true);
  assert.match(refused.text, /text must be longer/);
});

await client.close();
