/**
 * Checks the server at the address given as argument; without one it starts the server over stdio:
 *
 *     node --import @oxc-node/core/register task-board/client.ts [http://127.0.0.1:3000/mcp]
 */
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { call, check, connect } from '../connect.ts';
import type { Task } from './tasks/task-store.ts';

const client = await connect(new URL('main.ts', import.meta.url), process.argv[2]);
// The board keeps its data, so that every run works in a workspace of its own.
const workspaceId = `client-${randomUUID()}`;

const board = (action: string, args: object = {}) => call(client, 'board', { action, workspaceId, ...args });

async function done(action: string, args?: object): Promise<string> {
  const { text, isError } = await board(action, args);
  assert.equal(isError, false, text);
  return text;
}

async function refused(action: string, args?: object): Promise<string> {
  const { text, isError } = await board(action, args);
  assert.equal(isError, true, `${action} was not refused: ${text}`);
  return text;
}

const titles = async (): Promise<readonly string[]> =>
  (JSON.parse(await done('tasks.list')) as Task[]).map(({ title }) => title);

await check('one tool offers the actions of all groups', async () => {
  const [tool, ...others] = (await client.listTools()).tools;
  assert.deepEqual(others, []);
  assert.equal(tool?.title, 'Task board');
  assert.equal(tool.annotations?.destructiveHint, true);
  const { enum: actions } = tool.inputSchema.properties?.['action'] as { enum: string[] };
  assert.ok(actions.includes('tasks.comments.add') && actions.includes('audit.latest'), actions.join());
});

await check('tasks are listed by urgency, and a priority that was not given is 3', async () => {
  await done('tasks.create', { title: 'water the plants' });
  await done('tasks.create', { title: 'fix the roof', priority: 1 });
  assert.deepEqual(await titles(), ['fix the roof', 'water the plants']);
});

await check(
  'a plan with a task that exists is rolled back as a whole, its audit entry included',
  async () => {
    const tasks = [{ title: 'buy nails' }, { title: 'fix the roof' }];
    assert.match(await refused('tasks.plan', { tasks }), /fix the roof/);
    assert.deepEqual(await titles(), ['fix the roof', 'water the plants']);
    assert.doesNotMatch(await done('audit.latest'), /tasks\.plan/);
  },
);

await check('a wrong field is answered with its name and with what it should be', async () => {
  const text = await refused('tasks.create', { title: 'sleep', priority: 9 });
  assert.match(text, /priority/);
  assert.match(text, /5/);
});

await check('an unknown task is answered with what to do', async () => {
  assert.match(await refused('tasks.finish', { task: 999_999 }), /list the tasks first/);
});

await check(
  'a finished task keeps its comments until it is deleted, which the server announces',
  async () => {
    const [roof] = JSON.parse(await done('tasks.list')) as Task[];
    assert.ok(roof);
    const { task } = roof;
    await done('tasks.comments.add', { task, text: 'the ladder is in the shed' });
    assert.equal((JSON.parse(await done('tasks.finish', { task })) as Task).done, true);
    assert.match(await done('tasks.comments.list', { task }), /ladder/);

    const announced = new Promise<unknown>((resolve) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params.data));
    });
    await done('tasks.delete', { task });
    assert.equal(await announced, `Task ${task} was deleted`);
    assert.deepEqual(await titles(), ['water the plants']);
    assert.equal(await done('tasks.comments.list', { task }), '[]');
  },
);

await check('the audit trail has every change that was made, the latest first', async () => {
  const actions = (await done('audit.latest')).match(/tasks\.[a-z.]+/g);
  const last = ['tasks.delete', 'tasks.finish', 'tasks.comments.add', 'tasks.create', 'tasks.create'];
  assert.deepEqual(actions, last);
});

await client.close();
