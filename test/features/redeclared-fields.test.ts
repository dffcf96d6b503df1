import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { Action, createTool, Input, Module, ToolGroup, type CallToolResult } from 'toolwright';
import { z } from 'zod';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { textOf } from '../support/text-of.ts';

class Workspace {
  @IsString() workspaceId!: string;
  @IsString() @IsOptional() region?: string;
}

class CreateTask extends Workspace {
  @IsString() title!: string;
}

class Mode {
  @IsIn(['a', 'b']) mode!: string;
  @ValidateIf(({ mode }: Mode) => mode === 'b') @IsString() extra?: string;
}

class Redeclared {
  @IsString() mode!: string;
}

@ToolGroup({ name: 'tasks', common: Workspace })
class TaskTools {
  @Action()
  create(input: CreateTask, workspace: Workspace): object {
    return { workspace, isWorkspace: workspace instanceof Workspace, title: input.title };
  }

  @Action()
  both(@Input(Workspace) input: Workspace): object {
    return input;
  }
}

@ToolGroup({ name: 'modes', common: Mode })
class ModeTools {
  @Action()
  set(input: Redeclared, common: Mode): object {
    return { input, common };
  }
}

@ToolGroup({ name: 'shouts', common: Workspace })
class ShoutTools {
  @Action({ input: z.object({ region: z.string().transform((region) => region.toUpperCase()) }) })
  shout(@Input() input: { region: string }, workspace: Workspace): readonly unknown[] {
    return [input.region, workspace.region, workspace instanceof Workspace];
  }
}

@Module({ controllers: [TaskTools, ModeTools, ShoutTools] })
class TasksModule {}

describe.each(CONNECTIONS)('$name: a common field that an action declares again', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, TasksModule);
    client = await app.client();
  });
  afterAll(() => app.close());

  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;

  test('is in the common instance all the same', async () => {
    const args = { workspaceId: 'w', region: 'eu', title: 't' };
    expect(JSON.parse(textOf(await call('tasks', { action: 'create', ...args })))).toEqual({
      workspace: { workspaceId: 'w', region: 'eu' },
      isWorkspace: true,
      title: 't',
    });
    const both = await call('tasks', { action: 'both', workspaceId: 'w' });
    expect(JSON.parse(textOf(both))).toEqual({ workspaceId: 'w' });
  });

  test('has in the common instance what the action made of it', async () => {
    const result = await call('shouts', { action: 'shout', workspaceId: 'w', region: 'eu' });
    expect(JSON.parse(textOf(result))).toEqual(['EU', 'EU', true]);
  });

  test('is read by rules of other common fields', async () => {
    const refused = await call('modes', { action: 'set', mode: 'b', extra: 5 });
    expect(textOf(refused)).toMatch(/^Validation failed: extra: /);
    const other = await call('modes', { action: 'set', mode: 'of its own', extra: 'x' });
    expect(JSON.parse(textOf(other))).toEqual({
      input: { mode: 'of its own', extra: 'x' },
      common: { mode: 'of its own', extra: 'x' },
    });
  });
});

test('a common field that an action declares again does not cost the others their defaults, conversions and rules', async () => {
  const Range = z.object({
    from: z.number(),
    to: z.number(),
    limit: z.number().default(10),
    unit: z.string().transform((unit) => unit.toUpperCase()),
  });
  const tool = createTool('range')
    .commonSchema(Range)
    .action({ name: 'list', schema: z.object({ from: z.number().optional() }), handler: (input) => input });
  const result = await tool.execute({ action: 'list', to: 3, unit: 'm' });
  expect(JSON.parse(textOf(result))).toEqual({ to: 3, limit: 10, unit: 'M' });
});
