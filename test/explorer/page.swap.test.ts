import { describe, expect, test } from '@jest/globals';
import { createProject, edit, serveProject } from '../support/dev-session.ts';
import { useBrowser } from '../support/explorer-tab.ts';

const FILES = {
  'server.ts': `
import { IsInt, IsOptional, IsString, Max } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';

class NewTask {
  @IsString() title!: string;
  @IsOptional() @IsInt() @Max(5) priority?: number;
}

@ToolGroup({ name: 'tasks', description: 'Tasks' })
class Tasks {
  @Action('Create a task') create(input: NewTask) {
    return input.title;
  }
  @Action('List the tasks') list() {
    return 'none';
  }
}

@Module({ controllers: [Tasks] })
class AppModule {}

const app = await McpApplication.create(AppModule, { name: 'board' });
await app.listen(0);
`,
};

const used = useBrowser();

describe('a swap while a form is filled in', () => {
  test('keeps what was typed, marks the fields that changed, and shows the problems of a save that fails', async () => {
    const { project, server } = await serveProject(await createProject(FILES));
    let address: string | undefined;
    while ((address = server.stderr.join('\n').match(/http\S+#token=\S+/)?.[0]) === undefined)
      await server.next();
    const page = await used.browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    await page.getByTestId('row').filter({ hasText: 'create' }).click();
    const field = (path: string) => page.locator(`[data-testid="field"][data-path="${path}"]`);
    await field('title').getByTestId('input').fill('Water the plants');
    await field('priority').getByTestId('input').fill('4');
    await edit(project, 'server.ts', '@Max(5) priority', '@Max(9) priority');
    await page.getByTestId('form-changes').waitFor();
    await expect(page.getByTestId('form-changes').innerText()).resolves.toContain('priority (changed)');
    await expect(field('priority').getAttribute('data-change')).resolves.toBe('changed');
    await expect(field('title').getAttribute('data-change')).resolves.toBeNull();
    await expect(field('title').getByTestId('input').inputValue()).resolves.toBe('Water the plants');
    await expect(page.getByTestId('form-changes').getByRole('link').getAttribute('href')).resolves.toBe(
      '#/lock',
    );
    await page.getByRole('button', { name: 'seen' }).click();
    await expect(page.locator('[data-change]').count()).resolves.toBe(0);
    await edit(project, 'server.ts', "'List the tasks'", "'List the tasks' broken");
    await page.getByTestId('problems').waitFor();
    await expect(field('title').getByTestId('input').inputValue()).resolves.toBe('Water the plants');
    await edit(project, 'server.ts', "'List the tasks' broken", "'List the tasks'");
    await page.getByTestId('problems').waitFor({ state: 'detached' });
    await page.close();
  });
});
