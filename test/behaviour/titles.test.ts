import { expect, test } from '@jest/globals';
import { Action, McpApplication, Module, Prompt, Resource, ToolGroup } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';

@ToolGroup({ name: 'tasks', expose: 'flat' })
class TaskTools {
  @Action('Adds a line') add_line(): void {}
  @Action({ description: 'Reads logs', title: 'The logs' }) readHTTPLogs(): void {}
  @Prompt('Reviews a task') reviewTask(): string {
    return 'Review it.';
  }
  @Resource('tasks://open', { title: 'What is open' }) open(): string {
    return '';
  }
  @Resource('tasks://{id}') oneTask(): string {
    return '';
  }
}

@ToolGroup({ name: 'boards', annotations: { title: 'All boards' } })
class BoardTools {
  @Action('Lists boards') list(): void {}
}

@Module({ controllers: [TaskTools, BoardTools] })
class RootModule {}

test('everything that is listed has a title, from its name where the author gave none', async () => {
  const app = await createTestApplication(RootModule);
  const client = await app.client();
  const { tools } = await client.listTools();
  expect(tools.map(({ name, title }) => [name, title])).toEqual([
    ['tasks_add_line', 'Tasks add line'],
    ['tasks_readHTTPLogs', 'The logs'],
    ['boards', 'All boards'],
  ]);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ title }) => title)).toEqual(['Review task']);
  const { resources } = await client.listResources();
  expect(resources.map(({ title }) => title)).toEqual(['What is open']);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ title }) => title)).toEqual(['One task']);
  await app.close();
});

test('definitions keep what the author gave', async () => {
  const app = await McpApplication.create(RootModule);
  expect(app.definitions.map(({ title }) => title)).toEqual([undefined, 'The logs', undefined]);
  await app.close();
});
