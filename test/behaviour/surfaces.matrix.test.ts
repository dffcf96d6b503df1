import { afterAll, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Destructive, Module, ReadOnly, Roles, ToolGroup } from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { createAppWithCallers, type AppWithCallers, type TestCaller } from '../support/callers.ts';

class Ref {
  @IsString() id!: string;
}

const ran: string[] = [];

@ToolGroup({ name: 'desk' })
class Desk {}

@ToolGroup({ name: 'tickets', parent: Desk })
class Tickets {
  @Action('Show a ticket') @ReadOnly() get({ id }: Ref): string {
    return run('get', id);
  }
  @Action('Show what was said') @ReadOnly() @Roles('clerk', 'admin') history({ id }: Ref): string {
    return run('history', id);
  }
  @Action({ description: 'Close a ticket', pin: true }) @Roles('clerk', 'admin') close({ id }: Ref): string {
    return run('close', id);
  }
  @Action('Delete a ticket') @Destructive() @Roles('admin') remove({ id }: Ref): string {
    return run('remove', id);
  }
}

@ToolGroup({ name: 'people', parent: Desk })
class People {
  @Action('Show a person') @ReadOnly() @Roles('admin') get({ id }: Ref): string {
    return run('get', id);
  }
  @Action('Add a person') @Roles('admin') add({ id }: Ref): string {
    return run('add', id);
  }
}

@Module({ controllers: [Desk, Tickets, People] })
class DeskModule {}

function run(action: string, id: string): string {
  ran.push(action);
  return `${action} ${id}`;
}

const ROLES = { guest: [], clerk: ['clerk'], admin: ['admin'] } as const;
/** Who may call an action, and which part of its group it is in. */
const ACTIONS = {
  'tickets.get': { risk: 'read', roles: ['guest', 'clerk', 'admin'] },
  'tickets.history': { risk: 'read', roles: ['clerk', 'admin'] },
  'tickets.close': { risk: 'write', roles: ['clerk', 'admin'] },
  'tickets.remove': { risk: 'destructive', roles: ['admin'] },
  'people.get': { risk: 'read', roles: ['admin'] },
  'people.add': { risk: 'write', roles: ['admin'] },
} as const;
type Key = keyof typeof ACTIONS;
type Role = keyof typeof ROLES;

/** What lists no action to all, but finds them. */
const FINDING = ['find_actions', 'read_action', 'call_action'];

interface Found {
  readonly structuredContent: {
    readonly actions: readonly { readonly key: string }[];
    readonly total: number;
  };
}

/** Each name that an action has, with the arguments that call it. */
function waysOf(key: Key, id: string): readonly (readonly [string, object])[] {
  return [
    ['desk', { action: key, id }],
    [`desk_${ACTIONS[key].risk}`, { action: key, id }],
    [`desk_${key.replace('.', '_')}`, { id }],
    ['call_action', { action: `desk.${key}`, arguments: { id } }],
    ...(ACTIONS[key].risk === 'read'
      ? [['read_action', { action: `desk.${key}`, arguments: { id } }] as const]
      : []),
  ];
}

interface Answer {
  readonly result?: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly tools: readonly { readonly name: string }[];
  };
  readonly error?: object;
}

const apps: AppWithCallers[] = [];
afterAll(async () => {
  for (const { app } of apps) await app.close();
});

describe.each(['own', 'grouped', 'grouped-by-risk', 'flat', 'progressive'] as const)('on %s', (use) => {
  const store = new InMemoryAuditStore();
  const created = createAppWithCallers(
    DeskModule,
    {},
    { surface: { use }, audit: { store, kinds: ['read', 'write', 'destructive', 'denied'] } },
  ).then((app) => {
    apps.push(app);
    return app;
  });

  async function ask(era: '2025' | '2026', role: Role, name: string, args: object): Promise<Answer> {
    const app = await created;
    const caller: TestCaller = { sub: role, roles: ROLES[role] };
    const { body } =
      era === '2025'
        ? await app.callTool2025(caller, name, args)
        : await app.ask(caller, 'tools/call', { name, arguments: args });
    return JSON.parse(body) as Answer;
  }

  describe.each(['2025', '2026'] as const)('in %s', (era) => {
    test.each(['guest', 'clerk', 'admin'] as const)(
      '43: a %s reaches all that the role allows by each name, and nothing else',
      async (role) => {
        for (const key of Object.keys(ACTIONS) as Key[]) {
          const isAllowed = (ACTIONS[key].roles as readonly string[]).includes(role);
          for (const [name, args] of waysOf(key, 'x')) {
            ran.length = 0;
            const { result, error } = await ask(era, role, name, args);
            const action = key.split('.')[1] ?? '';
            const seen = { name, key, error, isError: result?.isError ?? false, ran: [...ran] };
            expect(seen).toEqual({
              name,
              key,
              error: undefined,
              isError: !isAllowed,
              ran: isAllowed ? [action] : [],
            });
            if (isAllowed) expect(result?.content[0]?.text).toBe(`${action} x`);
          }
        }
      },
    );
  });

  test('30: a hidden action is answered as a name that does not exist', async () => {
    const textFor = async (name: string, args: object) =>
      JSON.stringify((await ask('2026', 'guest', name, args)).result);
    for (const key of Object.keys(ACTIONS) as Key[]) {
      if ((ACTIONS[key].roles as readonly string[]).includes('guest')) continue;
      const flat = `desk_${key.replace('.', '_')}`;
      const other = `${flat.slice(0, -3)}xyz`;
      expect((await textFor(flat, { id: 'x' })).replaceAll(flat, other)).toBe(
        await textFor(other, { id: 'x' }),
      );
      const strange = `${key.slice(0, -3)}xyz`;
      const hidden = await textFor('desk', { action: key, id: 'x' });
      expect(hidden.replaceAll(key, strange)).toBe(await textFor('desk', { action: strange, id: 'x' }));
    }
  });

  test('43: the audit of an action is the same for each name', async () => {
    const recordOf = async (name: string, args: object) => {
      await ask('2026', 'admin', name, args);
      const stored: Record<string, unknown>[] = [];
      for await (const text of store.read()) stored.push(JSON.parse(text) as Record<string, unknown>);
      const last = stored.filter(({ type }) => type === 'outcome').at(-1) ?? {};
      const { tool, action, surface, sub, argumentsHash, decision, outcome } = last;
      expect([tool, surface]).toEqual([name, use]);
      return { action, sub, argumentsHash, decision, outcome };
    };
    for (const key of Object.keys(ACTIONS) as Key[]) {
      const records: object[] = [];
      for (const [name, args] of waysOf(key, 'y')) records.push(await recordOf(name, args));
      const [first, ...others] = records;
      expect(first).toMatchObject({ action: key, sub: 'admin', decision: 'allowed', outcome: 'done' });
      for (const other of others) expect(other).toEqual(first);
    }
  });

  test('a caller is listed what it may call', async () => {
    const app = await created;
    for (const role of Object.keys(ROLES) as Role[]) {
      const caller = { sub: role, roles: ROLES[role] };
      const { tools } = await app.result<NonNullable<Answer['result']>>(caller, 'tools/list');
      const seen = (Object.keys(ACTIONS) as Key[]).filter((key) =>
        (ACTIONS[key].roles as readonly string[]).includes(role),
      );
      const names = seen.flatMap((key) => {
        if (use === 'flat') return [`desk_${key.replace('.', '_')}`];
        if (use === 'progressive')
          return key === 'tickets.close' ? [...FINDING, 'desk_tickets_close'] : FINDING;
        return [use === 'grouped-by-risk' ? `desk_${ACTIONS[key].risk}` : 'desk'];
      });
      expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(names));
    }
  });

  test.each(['2025', '2026'] as const)(
    '43: a caller finds what it may call, and nothing else: %s',
    async (era) => {
      for (const role of Object.keys(ROLES) as Role[]) {
        const keys = (Object.keys(ACTIONS) as Key[]).filter((key) =>
          (ACTIONS[key].roles as readonly string[]).includes(role),
        );
        const find = async (args: object) =>
          (await ask(era, role, 'find_actions', { limit: 20, ...args })).result;
        for (const args of [{ group: 'desk' }, { query: 'ticket person show said close delete add id' }]) {
          const { structuredContent } = (await find(args)) as unknown as Found;
          expect(structuredContent.actions.map(({ key }) => key).sort()).toEqual(
            keys.map((key) => `desk.${key}`).sort(),
          );
          expect(structuredContent.total).toBe(keys.length);
        }
        for (const key of Object.keys(ACTIONS) as Key[])
          expect((await find({ key: `desk.${key}` }))?.isError ?? false).toBe(!keys.includes(key));
      }
    },
  );

  test('56: what reads does not write, for each role', async () => {
    for (const role of Object.keys(ROLES) as Role[])
      for (const key of Object.keys(ACTIONS) as Key[]) {
        if (ACTIONS[key].risk === 'read') continue;
        ran.length = 0;
        const args = { action: `desk.${key}`, arguments: { id: 'x' } };
        const { result } = await ask('2026', role, 'read_action', args);
        const isSeen = (ACTIONS[key].roles as readonly string[]).includes(role);
        const text = result?.content[0]?.text ?? '';
        expect([text.includes('NOT_READ_ONLY'), text.includes('UNKNOWN_ACTION')]).toEqual([isSeen, !isSeen]);
        expect(text.includes('call_action')).toBe(isSeen);
        expect(ran).toEqual([]);
      }
  });
});

test('43: a form of a client names nothing that its caller may not see', async () => {
  const choices = {
    ...{ surface: 'grouped-by-risk', describe: 'signatures', defaults: 'inline', describeChars: 100 },
    ...{ result: 'text', outputSchema: false, flatOverBytes: 200 },
  };
  const profiles = { clients: { raw: { title: 'Raw', match: ['raw'], choices } } };
  const app = await createAppWithCallers(DeskModule, {}, { surface: { use: 'auto', profiles } });
  apps.push(app);
  const namesFor = new Map<Role, readonly string[]>();
  for (const role of Object.keys(ROLES) as Role[]) {
    const caller = { sub: role, roles: ROLES[role] };
    const { tools } = await app.result<NonNullable<Answer['result']>>(caller, 'tools/list');
    namesFor.set(
      role,
      tools.map(({ name }) => name),
    );
    for (const [key, { roles }] of Object.entries(ACTIONS)) {
      const flat = `desk_${key.replace('.', '_')}`;
      const isTold = [key, flat].some((name) => JSON.stringify(tools).includes(name));
      expect([role, key, isTold]).toEqual([role, key, (roles as readonly string[]).includes(role)]);
    }
  }
  expect(namesFor.get('guest')).toEqual(expect.not.arrayContaining(['desk']));
  // No name depends on a role
  const all = new Set(namesFor.get('admin'));
  for (const names of namesFor.values()) expect(names.filter((name) => !all.has(name))).toEqual([]);
});
