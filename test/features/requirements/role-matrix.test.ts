import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Action, Destructive, Module, ReadOnly, Roles, ToolGroup } from 'toolwright';
import { createAppWithCallers, type AppWithCallers, type TestCaller } from '../../support/callers.ts';

class Search {
  @IsString() @IsOptional() text?: string;
}
class Ref {
  @IsString() id!: string;
}
class Draft {
  @IsString() title!: string;
  @IsInt() @IsOptional() urgency?: number;
}
class Move {
  @IsString() id!: string;
  @IsString() target!: string;
}
class Span {
  @IsInt() days!: number;
}

/** Twelve actions: three of everybody, and the others of one, two or three roles. */
@ToolGroup('tasks')
class Tasks {
  @Action() @ReadOnly() list(input: Search): string {
    return input.text ?? 'all';
  }
  @Action() @ReadOnly() read(input: Ref): string {
    return input.id;
  }
  @Action() @ReadOnly() about(): string {
    return 'tasks';
  }
  @Action() @ReadOnly() @Roles('auditor', 'admin') history(input: Span): string {
    return String(input.days);
  }
  @Action() @ReadOnly() @Roles('auditor') exported(): string {
    return 'exported';
  }
  @Action() @Roles('writer', 'admin') create(input: Draft): string {
    return input.title;
  }
  @Action() @Roles('writer', 'admin') rename(input: Draft): string {
    return input.title;
  }
  @Action() @Roles('writer') pin(input: Ref): string {
    return input.id;
  }
  @Action() @Roles('writer', 'auditor', 'admin') comment(input: Ref): string {
    return input.id;
  }
  @Action() @Roles('admin') move(input: Move): string {
    return input.target;
  }
  @Action() @Destructive() @Roles('admin') remove(input: Ref): string {
    return input.id;
  }
  @Action() @Destructive() @Roles('admin') purge(input: Span): string {
    return String(input.days);
  }
}
@Module({ controllers: [Tasks] })
class TasksModule {}

const ALL = [
  ...['list', 'read', 'about', 'history', 'exported', 'create'],
  ...['rename', 'pin', 'comment', 'move', 'remove', 'purge'],
] as const;

/** The arguments that each action takes, all of them. */
const ARGUMENTS: Readonly<Record<(typeof ALL)[number], object>> = {
  list: {},
  read: { id: 'a' },
  about: {},
  history: { days: 1 },
  exported: {},
  create: { title: 'a' },
  rename: { title: 'a' },
  pin: { id: 'a' },
  comment: { id: 'a' },
  move: { id: 'a', target: 'b' },
  remove: { id: 'a' },
  purge: { days: 1 },
};

interface Row {
  readonly actions: readonly (typeof ALL)[number][];
  readonly fields: readonly string[];
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

const TABLE: Readonly<Record<'reader' | 'auditor' | 'writer' | 'admin', Row>> = {
  reader: {
    actions: ['list', 'read', 'about'],
    fields: ['action', 'text', 'id'],
    isReadOnly: true,
    isDestructive: false,
  },
  auditor: {
    actions: ['list', 'read', 'about', 'history', 'exported', 'comment'],
    fields: ['action', 'text', 'id', 'days'],
    isReadOnly: false,
    isDestructive: false,
  },
  writer: {
    actions: ['list', 'read', 'about', 'create', 'rename', 'pin', 'comment'],
    fields: ['action', 'text', 'id', 'title', 'urgency'],
    isReadOnly: false,
    isDestructive: false,
  },
  admin: {
    actions: [
      ...(['list', 'read', 'about', 'history', 'create', 'rename', 'comment'] as const),
      ...(['move', 'remove', 'purge'] as const),
    ],
    fields: ['action', 'text', 'id', 'days', 'title', 'urgency', 'target'],
    isReadOnly: false,
    isDestructive: true,
  },
};

interface Listed {
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    readonly required: readonly string[];
  };
  readonly annotations: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

let app: AppWithCallers;
beforeAll(async () => {
  app = await createAppWithCallers(TasksModule);
});
afterAll(() => app.app.close());

describe.each(Object.entries(TABLE))('the tool of a caller with the role %s', (role, row) => {
  const caller: TestCaller = { sub: role, roles: [role] };
  const hidden = ALL.filter((action) => !row.actions.includes(action));

  test('has the actions, fields, texts and hints of what the role may do, and no others', async () => {
    const { tools } = await app.result<{ readonly tools: readonly Listed[] }>(caller, 'tools/list');
    const [tool, ...others] = tools;
    if (tool === undefined) throw new Error('The tool is missing');
    expect(others).toEqual([]);
    const { properties, required } = tool.inputSchema;
    expect(properties['action']?.enum).toEqual(row.actions);
    expect(new Set(Object.keys(properties))).toEqual(new Set(row.fields));
    expect(required).toEqual(['action']);
    expect(tool.annotations).toMatchObject({
      readOnlyHint: row.isReadOnly,
      destructiveHint: row.isDestructive,
    });
    const words = new Set(JSON.stringify(tool).match(/\w+/g));
    for (const action of row.actions) expect(words).toContain(action);
    for (const action of hidden) expect(words).not.toContain(action);
  });

  test('runs exactly these actions', async () => {
    for (const action of ALL) {
      const call = { name: 'tasks', arguments: { action, ...ARGUMENTS[action] } };
      const result = await app.result<{ readonly isError?: boolean }>(caller, 'tools/call', call);
      expect([action, result.isError === true]).toEqual([action, hidden.includes(action)]);
    }
  });
});

test('there is one view for each role, and that of the whole application', () => {
  expect(app.app.explainViews()).toHaveLength(Object.keys(TABLE).length + 1);
});
