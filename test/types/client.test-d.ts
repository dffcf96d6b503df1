import { connect, type TypedClient } from 'toolwright/client';
import type { TaskBoard } from '../client/typed/tasks-server.ts';

const client = await connect<TaskBoard>('https://tasks.example/mcp');

const created = await client.callTool('tasks', { action: 'create', title: 'Milk', priority: 1 });
const id: number | undefined = created.structuredContent?.id;
const { structuredContent } = await client.callTool('tasks', { action: 'list' }, { timeout: 1000 });
const titles: readonly string[] | undefined = structuredContent?.titles;
await client.callTool('clock_now');
await client.callTool('clock_now', {}, { task: {} });
await client.getPrompt('weekly', { week: '12' });

// @ts-expect-error -- no tool has this name
await client.callTool('task', { action: 'list' });
// @ts-expect-error -- no action has this name
await client.callTool('tasks', { action: 'crate', title: 'Milk' });
// @ts-expect-error -- an argument is missing
await client.callTool('tasks', { action: 'create' });
// @ts-expect-error -- an argument has another type
await client.callTool('tasks', { action: 'create', title: 1 });
// @ts-expect-error -- the argument belongs to another action
await client.callTool('tasks', { action: 'list', title: 'Milk' });
// @ts-expect-error -- an argument is not known
await client.callTool('tasks', { action: 'create', title: 'Milk', colour: 'red' });
// @ts-expect-error -- nothing says which action
await client.callTool('tasks', {});
// @ts-expect-error -- the tool needs arguments
await client.callTool('tasks');
// @ts-expect-error -- the tool takes no arguments
await client.callTool('clock_now', { zone: 'UTC' });
// @ts-expect-error -- the tool has no actions
await client.callTool('clock_now', { action: 'now' });
// @ts-expect-error -- the output of another action
export const wrongOutput: unknown = created.structuredContent?.titles;
// @ts-expect-error -- no prompt has this name
await client.getPrompt('monthly', { week: '12' });
// @ts-expect-error -- an argument of the prompt is not known
await client.getPrompt('weekly', { week: '12', year: '2026' });
// @ts-expect-error -- the prompt needs arguments
await client.getPrompt('weekly');
// @ts-expect-error -- a tool has actions, each with an input and an output
type Wrong = TypedClient<{ tools: { ping: string } }>;

// Whether a tool has actions or not, an argument with the name of the one that chooses them is its own
type Mixed = {
  tools: {
    tasks: { list: { input: { action: 'list' }; output: object } };
    log: { '': { input: { action?: string; text: string }; output: object } };
    ping: { '': { input: { text?: string }; output: object } };
  };
  prompts: { [name: string]: never };
  choice: 'action';
};
const mixed = await connect<Mixed>('https://tasks.example/mcp');
await mixed.callTool('log', { action: 'anything', text: '' });
await mixed.callTool('log', { text: '' });
await mixed.callTool('tasks', { action: 'list' });
await mixed.callTool('ping');
await mixed.callTool('ping', { text: 'x' });
// @ts-expect-error -- it is not a text
await mixed.callTool('log', { action: 5, text: '' });
// @ts-expect-error -- it has no such argument
await mixed.callTool('ping', { action: 'list' });

const any = await connect('https://tasks.example/mcp', { onElicitation: () => ({ action: 'decline' }) });
await any.callTool('whatever', { any: 'thing', action: 5 });
await any.callTool('whatever');
await any.getPrompt('whatever', { any: 'thing' });
const unknowns: unknown = (await any.callTool('whatever')).structuredContent?.['any'];

export type { Wrong };
export { id, titles, unknowns };
