import { describe, expect, test } from '@jest/globals';
import { Action, Budget, Injectable, McpApplication, Module, Prompt, ToolGroup } from 'toolwright';

describe('@Budget', () => {
  test('is refused where it is too small, stands twice, or belongs to no action', async () => {
    @ToolGroup('tasks')
    @Budget({ bytes: 100 })
    class Tasks {
      @Action('List') @Budget({ tokens: 600 }) @Budget({ bytes: 2048 }) list() {
        return [];
      }
    }
    @Injectable()
    class Prompts {
      @Prompt('Explain') @Budget({ bytes: 2048 }) explain() {
        return '';
      }
    }
    @Module({ controllers: [Tasks, Prompts] })
    class AppModule {}
    const failed = McpApplication.create(AppModule);
    await expect(failed).rejects.toThrow('Tasks sets bytes to 100, which @Budget does not accept.');
    await expect(failed).rejects.toThrow('TW_SCAN_DECORATOR_TWICE: Tasks.list() has @Budget twice.');
    await expect(failed).rejects.toThrow('Prompts.explain() has @Budget beside @Prompt.');
  });
});
