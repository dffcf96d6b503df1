import { expect, test } from '@jest/globals';
import { runCli } from '../../support/cli-process.ts';

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
