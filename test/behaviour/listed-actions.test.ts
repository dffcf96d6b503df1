import { describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Action, Destructive, McpApplication, Module, ToolGroup } from 'toolwright';

class Workspace {
  @IsString() workspace!: string;
}

class Create {
  @IsString() title!: string;
  @IsOptional() @IsInt() priority?: number;
}

@ToolGroup({ name: 'tasks', common: Workspace })
class Tasks {
  @Action('List tasks') list(): string {
    return 'none';
  }
  @Action({ description: 'Create a task', version: '1.0.0', input: Create }) create(): string {
    return 'first';
  }
  @Action({ name: 'create', description: 'Create a task', version: '2.0.0', input: Create })
  createAgain(): string {
    return 'second';
  }
  @Action('Forget all tasks') @Destructive() clear(): string {
    return 'gone';
  }
}

@ToolGroup({ name: 'tasks', common: Workspace, expose: 'flat' })
class FlatTasks extends Tasks {}

@Module({ controllers: [Tasks] })
class Grouped {}

@Module({ controllers: [FlatTasks] })
class Flat {}

describe('the actions of a definition', () => {
  test('say of each listed action all that it takes, the common fields included', async () => {
    const app = await McpApplication.create(Grouped);
    const [list, create, clear, ...others] = app.definitions[0]!.actions();
    expect(others).toEqual([]);
    expect(list).toMatchObject({ key: 'list', description: 'List tasks' });
    expect(list?.inputSchema.required).toEqual(['workspace']);
    expect(create).toMatchObject({ key: 'create', version: '2.0.0', unknownFields: 'strict' });
    expect(create?.inputSchema).toMatchObject({
      properties: { title: { type: 'string' }, priority: { type: 'integer' }, workspace: { type: 'string' } },
      required: ['workspace', 'title'],
    });
    expect(list?.annotations.destructiveHint).toBe(false);
    expect(clear?.annotations.destructiveHint).toBe(true);
    await app.close();
  });

  test('are the tools of the flat exposition, one by one', async () => {
    const [grouped, flat] = [await McpApplication.create(Grouped), await McpApplication.create(Flat)];
    const alone = flat.definitions.flatMap((definition) => definition.actions());
    expect(alone.map(({ inputSchema }) => inputSchema)).toEqual(
      flat.definitions.map(({ inputSchema }) => inputSchema),
    );
    for (const action of grouped.definitions[0]!.actions()) expect(alone).toContainEqual(action);
    await Promise.all([grouped.close(), flat.close()]);
  });

  test('are frozen, and no part of the definition that is sent', async () => {
    const app = await McpApplication.create(Grouped);
    const [definition] = app.definitions;
    expect(Object.isFrozen(definition!.actions()[0]!.inputSchema)).toBe(true);
    expect(Object.keys({ ...definition })).not.toContain('actions');
    expect(JSON.parse(JSON.stringify(definition))).not.toHaveProperty('actions');
    await app.close();
  });
});
