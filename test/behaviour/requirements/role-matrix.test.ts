import { afterAll, beforeAll, describe, expect, test, afterEach } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Action, Destructive, Module, ReadOnly, Roles, ToolGroup, Policy, type Caller } from 'toolwright';
import {
  createAppWithCallers,
  type AppWithCallers,
  type TestCaller,
  authInfoOf,
  testVerifier,
} from '../../support/callers.ts';

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

test('there is one view for each role, and that of the whole application', async () => {
  for (const role of Object.keys(TABLE)) await app.result({ sub: role, roles: [role] }, 'tools/list');
  expect(app.app.explainViews()).toHaveLength(Object.keys(TABLE).length + 1);
});

describe('policies that do what they should not', () => {
  /** What policies tried to change and could not. */
  const refused: unknown[] = [];
  /** A policy that writes into what it is given, as a mistake may. */
  function writes({ roles, scopes }: Caller): boolean {
    for (const list of [roles, scopes] as string[][]) {
      try {
        list.push('admin');
      } catch (error) {
        refused.push(error);
      }
    }
    return true;
  }

  class Step {
    @IsInt() amount!: number;
  }
  class Order {
    @IsInt() amount!: number;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Step) steps?: Step[];
    get half(): number {
      return this.amount / 2;
    }
  }
  /** What policies saw of the arguments. */
  const seen: unknown[] = [];

  @ToolGroup('bank')
  class Bank {
    @Action() @Policy((_caller, order: Order) => (order.amount *= 1000) > 0) pay({ amount }: Order): string {
      seen.push('it ran');
      return `paid ${String(amount)}`;
    }
    @Action() @Policy((_caller, order: Order) => seen.push(order) > 0) look(order: Order): string {
      seen.push(order);
      order.amount += 1;
      return `seen ${String(order.amount)}`;
    }
    @Action() @Policy({ list: writes }) transfer(): string {
      return 'done';
    }
    @Action() @Roles('admin') audit(): string {
      return 'secret';
    }
    @Action() @Policy({ list: (() => 1) as never }) truthy(): string {
      return 'secret';
    }
    @Action() @Policy((() => 'yes') as never) truthyCall(): string {
      refused.push('it ran');
      return 'secret';
    }
  }
  @Module({ controllers: [Bank] })
  class BankModule {}

  const closing: AppWithCallers[] = [];
  afterEach(async () => {
    refused.length = 0;
    for (const { app } of closing.splice(0)) await app.close();
  });

  function remembering() {
    const { extra, ...info } = authInfoOf({ sub: 'ada' });
    const remembered = Object.freeze({
      ...info,
      scopes: Object.freeze<string[]>([]),
      extra: Object.freeze({ ...extra, roles: Object.freeze(['guest']) }),
    });
    return { ...testVerifier, verify: () => remembered };
  }

  async function started() {
    // Remembers its tokens, so that the same frozen object comes with each request
    const app = await createAppWithCallers(BankModule, { verify: remembering(), policyTtl: 0 });
    closing.push(app);
    const call = async (args: object) =>
      JSON.stringify(await app.result({ sub: 'ada' }, 'tools/call', { name: 'bank', arguments: args }));
    return { app, call };
  }

  test('a policy that writes into a caller who is remembered gives nobody a role', async () => {
    const { call } = await started();
    for (let times = 0; times < 2; times += 1) {
      expect(await call({ action: 'transfer' })).toContain('done');
      expect(await call({ action: 'audit' })).toContain('UNKNOWN_ACTION');
    }
    expect(refused.every((error) => error instanceof TypeError)).toBe(true);
  });

  test('what is truthy, and not true, admits nobody', async () => {
    const { app, call } = await started();
    expect(JSON.stringify(await app.result({ sub: 'ada' }, 'tools/list'))).not.toContain('"truthy"');
    expect(await call({ action: 'truthy' })).toContain('UNKNOWN_ACTION');
    expect(await call({ action: 'truthyCall' })).toContain('FORBIDDEN');
    expect(refused).not.toContain('it ran');
  });

  test('a policy cannot change what the handler gets, and sees instances of its class', async () => {
    const { call } = await started();
    expect(await call({ action: 'pay', amount: 1 })).toContain('FORBIDDEN');
    expect(seen).toEqual([]);
    expect(await call({ action: 'look', amount: 4, steps: [{ amount: 2 }] })).toContain('seen 5');
    const [shown, given] = seen as readonly Order[];
    expect(shown).toBeInstanceOf(Order);
    expect(shown?.steps?.[0]).toBeInstanceOf(Step);
    expect([shown?.half, shown?.amount, given?.amount]).toEqual([2, 4, 5]);
    expect([shown, shown?.steps, shown?.steps?.[0]].every(Object.isFrozen)).toBe(true);
  });
});
