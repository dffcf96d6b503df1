/**
 * Checks the server at the address given as argument; without one it starts the server over stdio. The board itself is
 * for hosts that show views:
 *
 *     node --import @oxc-node/core/register board-view/client.ts [http://127.0.0.1:3000/mcp]
 */
import assert from 'node:assert/strict';
import { call, check, connect } from '../connect.ts';
import type { Task } from './board.module.ts';

const main = new URL('main.ts', import.meta.url);
const VIEW_TYPE = 'text/html;profile=mcp-app';
const [, , address] = process.argv;
const host = await connect(main, address, {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] } },
});

await check('a host with views is listed the board, and the page of it', async () => {
  const { tools } = await host.listTools();
  const uris = tools.map(({ name, _meta }) => [
    name,
    (_meta?.['ui'] as { resourceUri?: string }).resourceUri,
  ]);
  assert.deepEqual(Object.fromEntries(uris), {
    board_show: 'ui://board/tasks',
    board_add: 'ui://board/tasks',
    board_move: undefined,
    board_remove: undefined,
  });
  const { contents } = await host.readResource({ uri: 'ui://board/tasks' });
  assert.equal(contents[0]?.mimeType, VIEW_TYPE);
});

await check('what the board calls gives the tasks', async () => {
  const { text } = await call(host, 'board_move', { id: 1, to: 'done' });
  const { tasks } = JSON.parse(text) as { readonly tasks: readonly Task[] };
  assert.equal(tasks.find(({ id }) => id === 1)?.column, 'done');
});

const other = await connect(main, address);

await check('a client without views has the same tools, and none that is for the board alone', async () => {
  const { tools } = await other.listTools();
  assert.deepEqual(
    tools.map(({ name, _meta }) => [name, _meta]),
    [
      ['board_show', undefined],
      ['board_add', undefined],
      ['board_move', undefined],
    ],
  );
  const { text, isError } = await call(other, 'board_show', {});
  assert.equal(isError, false);
  assert.match(text, /Book a room/);
});

await host.close();
await other.close();
