import { expect, test } from '@jest/globals';
import { runCli } from '../../support/cli-process.ts';
import { CommandFolder } from '../../support/command-line.ts';

test('says by what each input is checked', async () => {
  const { code, stdout } = await runCli(['explain', 'tasks.ts']);
  expect(code).toBe(0);
  expect(stdout).toContain('tasks.create\n  NewTask: by code written for the class');
  expect(stdout).toContain('tasks.list\n  No DTO class');
});

test('shows every rule of one action', async () => {
  const { stdout } = await runCli(['explain', 'tasks.ts', 'tasks.create']);
  expect(stdout).toMatch(/title isString +inline/);
  expect(stdout).not.toContain('tasks.list');
});

test('names a tool that is one action as it is called', async () => {
  const folder = new CommandFolder({
    'server.ts': `
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
@ToolGroup('notes')
class Notes {
  @Action('List them') list(): string { return 'none'; }
}
@Module({ controllers: [Notes] })
class AppModule {}
export const app = McpApplication.create(AppModule, { expose: 'flat' });
`,
  });
  const { stdout } = await folder.run(['explain', 'server.ts', 'notes_list']);
  folder.remove();
  expect(stdout).toMatch(/^notes_list\n/);
});

test('says what was meant', async () => {
  const { code, stderr } = await runCli(['explain', 'tasks.ts', 'tasks.crate']);
  expect([code, stderr]).toEqual([5, expect.stringContaining('did you mean "tasks.create"?')]);
});

test('writes the tools for a model', async () => {
  const { code, stdout } = await runCli(['export', 'tasks.ts', '--for', 'openai', '--flat']);
  expect(code).toBe(0);
  const tools = JSON.parse(stdout) as { function: { name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toContain('tasks_create');
});

test('says on stderr what is lost', async () => {
  const { stdout, stderr } = await runCli(['export', 'tasks.ts', '--for', 'openai', '--strict', '--json']);
  expect(JSON.parse(stdout)).toHaveLength(1);
  expect(stderr).toContain('lost ');
});

test('writes declarations for code, and says what they cost', async () => {
  const { code, stdout, stderr } = await runCli(['export', 'tasks.ts', '--for', 'code']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('declare const actions: {')]);
  expect(stderr).toMatch(/^about \d+ tokens; the tools have about \d+$/m);
  const refused = await runCli(['export', 'tasks.ts', '--for', 'code', '--strict']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--strict is about tools')]);
});
