import { afterEach, describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Complete,
  Destructive,
  Field,
  Injectable,
  McpApplication,
  Module,
  Prompt,
  Public,
  ReadOnly,
  Resource,
  Roles,
  Scopes,
  ToolGroup,
  type ApplicationOptions,
  type AuthOptions,
} from 'toolwright';
import { createAppWithCallers, type AppWithCallers, type TestCaller } from '../../support/callers.ts';

class Listing {
  @IsString() @IsOptional() @Field('Of whom') owner?: string;
}
class Changing {
  @IsString() id!: string;
  @IsInt() @IsOptional() @Field('A secret urgency') urgency?: number;
}

@ToolGroup('tasks')
class Tasks {
  @Action('List the tasks') @ReadOnly() list(input: Listing): string {
    return `of ${input.owner ?? 'all'}`;
  }
  @Action({ description: 'Find tasks', deprecated: { since: '1.0.0', use: 'purge' }, version: '1.0.0' })
  @ReadOnly()
  find(): string {
    return 'found';
  }
  @Action({ description: 'Purge them', version: '1.0.0' }) @Destructive() @Roles('admin') purge(
    input: Changing,
  ): string {
    return `purged ${input.id}`;
  }
  @Action('Edit one') @Scopes('tasks:write', { denied: 'hide' }) edit(input: Changing): string {
    return `edited ${input.id}`;
  }
}
@ToolGroup('vault')
@Roles('admin')
class Vault {
  @Action() open(): string {
    return 'opened';
  }
}
@Injectable()
class Docs {
  @Prompt() review(): string {
    return 'Review';
  }
  @Prompt() @Roles('admin') audit(): string {
    return 'Audit';
  }
  @Resource('docs://readme') readme(): string {
    return 'read me';
  }
  @Resource('docs://secret') @Roles('admin') secret(): string {
    return 'secret';
  }
  @Resource('logs://{day}') @Roles('admin') logs(): string {
    return 'log';
  }
  @Complete('logs', 'day') days(): readonly string[] {
    return ['monday'];
  }
  @Resource('notes://{name}') notes(): string {
    return 'note';
  }
  @Complete('notes', 'name') @Roles('admin') names(): readonly string[] {
    return ['hidden-name'];
  }
}
@Module({ controllers: [Tasks, Vault, Docs] })
class AppModule {}

const USER = { sub: 'user' };
const ADMIN = { sub: 'admin', roles: ['admin'], scopes: ['tasks:write'] };

const closing: AppWithCallers[] = [];
afterEach(async () => {
  for (const { app } of closing.splice(0)) await app.close();
});

async function started(auth: Partial<AuthOptions> = {}, options: ApplicationOptions = {}) {
  const made = await createAppWithCallers(AppModule, auth, options);
  closing.push(made);
  return made;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Record<string, { readonly enum?: readonly string[] }> };
  readonly annotations: { readonly destructiveHint?: boolean };
}

async function toolsOf(app: AppWithCallers, caller: TestCaller | undefined): Promise<readonly Tool[]> {
  return (await app.result<{ tools: readonly Tool[] }>(caller, 'tools/list')).tools;
}

describe('a list', () => {
  test('has nothing of what its caller may not see: names, fields, hints, replacements', async () => {
    const app = await started();
    const [tasks, ...others] = await toolsOf(app, USER);
    expect(others).toEqual([]);
    expect(tasks?.inputSchema.properties['action']?.enum).toEqual(['list', 'find']);
    expect(Object.keys(tasks?.inputSchema.properties ?? {})).toEqual(['action', 'owner']);
    expect(tasks?.annotations.destructiveHint).toBe(false);
    expect(JSON.stringify(tasks)).not.toMatch(/purge|edit|urgency|vault|secret/i);
    const all = await toolsOf(app, ADMIN);
    expect(all.map(({ name }) => name)).toEqual(['tasks', 'vault']);
    expect(all[0]?.inputSchema.properties['action']?.enum).toEqual(['list', 'find', 'purge', 'edit']);
  });

  test('is the same bytes for callers who meet the same requirements', async () => {
    const app = await started();
    const bodies = [];
    for (const sub of ['a', 'b']) {
      bodies.push((await app.ask({ sub, scopes: ['other'], roles: ['other'] }, 'tools/list')).body);
    }
    expect(bodies[1]).toBe(bodies[0]);
    expect(app.app.explainViews()).toHaveLength(2);
  });

  test('of each kind is of what its caller may see, and private', async () => {
    const app = await started();
    const lists = async (caller: TestCaller) => {
      const of = async (method: string, member: string, name: string) => {
        const result = await app.result<Record<string, unknown>>(caller, method);
        expect(result['cacheScope']).toBe('private');
        return (result[member] as readonly Record<string, string>[]).map((each) => each[name]);
      };
      return [
        await of('prompts/list', 'prompts', 'name'),
        await of('resources/list', 'resources', 'uri'),
        await of('resources/templates/list', 'resourceTemplates', 'uriTemplate'),
      ];
    };
    expect(await lists(USER)).toEqual([['review'], ['docs://readme'], ['notes://{name}']]);
    expect(await lists(ADMIN)).toEqual([
      ['review', 'audit'],
      ['docs://readme', 'docs://secret'],
      ['logs://{day}', 'notes://{name}'],
    ]);
  });

  test('gives cursors that count for no other view', async () => {
    const app = await started({}, { pageSize: 1 });
    const first = await app.result<{ nextCursor: string }>(ADMIN, 'prompts/list');
    expect(first.nextCursor).toBeDefined();
    const { body } = await app.ask(USER, 'prompts/list', { cursor: first.nextCursor });
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32602 } });
  });

  test('is kept by no cache: answers to callers who are known say so', async () => {
    const app = await started();
    expect((await app.ask(USER, 'tools/list')).headers['cache-control']).toBe('no-store');
  });
});

describe('what is hidden', () => {
  /** The answer with the name that was asked for taken out. */
  async function answer(app: AppWithCallers, method: string, params: object, name: string) {
    app.logger.records.length = 0;
    const { status, body, headers } = await app.ask(USER, method, params);
    const { date: _date, 'content-length': _length, ...kept } = headers;
    const logged = app.logger.records.map(({ level, event }) => `${level} ${event}`);
    return JSON.parse(JSON.stringify({ status, body, kept, logged }).replaceAll(name, 'NAME')) as object;
  }

  test.each([{}, { id: 'x' }, { id: 7, urgency: 'no' }, { nothing: 1 }])(
    'is answered as a name that there is not, whatever the arguments are: %j',
    async (args) => {
      const app = await started();
      const call = (action: string) =>
        answer(app, 'tools/call', { name: 'tasks', arguments: { action, ...args } }, action);
      const hidden = await call('purge');
      expect(JSON.stringify(hidden)).toContain('UNKNOWN_ACTION');
      expect(await call('zzzzz')).toEqual(hidden);
      const tool = (name: string) => answer(app, 'tools/call', { name, arguments: args }, name);
      expect(await tool('vault')).toEqual(await tool('zzzzz'));
    },
  );

  test('is not there as a prompt, a resource, a template or a completion', async () => {
    const app = await started();
    const pairs = [
      ['prompts/get', (name: string) => ({ name }), 'audit', 'zzzzz'],
      ['resources/read', (uri: string) => ({ uri }), 'docs://secret', 'docs://zzzzzz'],
      ['resources/read', (uri: string) => ({ uri }), 'logs://monday', 'zzzz://monday'],
      [
        'completion/complete',
        (uri: string) => ({ ref: { type: 'ref/resource', uri }, argument: { name: 'day', value: '' } }),
        'logs://{day}',
        'zzzz://{day}',
      ],
    ] as const;
    for (const [method, params, hidden, unknown] of pairs) {
      expect(await answer(app, method, params(hidden), hidden)).toEqual(
        await answer(app, method, params(unknown), unknown),
      );
    }
    const names = {
      ref: { type: 'ref/resource', uri: 'notes://{name}' },
      argument: { name: 'name', value: '' },
    };
    expect(await app.result(USER, 'completion/complete', names)).toMatchObject({
      completion: { values: [] },
    });
    expect(await app.result(ADMIN, 'completion/complete', names)).toMatchObject({
      completion: { values: ['hidden-name'] },
    });
  });

  test('is in no suggestion, no list of what there is, and no error of a field', async () => {
    const app = await started();
    const asked = [
      { name: 'tasks', arguments: { action: 'purg' } },
      { name: 'vaul', arguments: {} },
      { name: 'tasks', arguments: {} },
      { name: 'tasks', arguments: { action: 'list', urgency: 1 } },
      { name: 'tasks', arguments: { action: 'list', urgenc: null } },
      { name: 'tasks', arguments: { action: 'find' } },
      { name: 'tasks', arguments: { action: 'find' }, _meta: undefined },
    ];
    for (const params of asked) {
      const { body } = await app.ask(USER, 'tools/call', { ...params });
      expect(body.replaceAll(/urgency/g, '')).not.toMatch(/purge|edit|vault|admin|secret/i);
    }
  });

  test('has no field: null in one is an unknown field, which for others is left out', async () => {
    const app = await started();
    const params = { name: 'tasks', arguments: { action: 'list', urgency: null } };
    expect(JSON.stringify(await app.result(USER, 'tools/call', params))).toContain('unknown field');
    expect(await app.result(ADMIN, 'tools/call', params)).not.toHaveProperty('isError');
  });
});

describe('the start', () => {
  test('fails where something is required and nobody knows who calls, unless that is said', async () => {
    await expect(McpApplication.create(AppModule)).rejects.toThrow('TW_SCAN_AUTH_MISSING');
    const app = await McpApplication.create(AppModule, { auth: false });
    const authInfo = { token: 't', clientId: 'c', scopes: [], extra: { roles: 'admin' } };
    expect((await app.call('vault', { action: 'open' }, { authInfo })).isError).toBeUndefined();
    expect((await app.call('vault', { action: 'open' })).isError).toBe(true);
    expect((await app.call('tasks', { action: 'list' })).isError).toBeUndefined();
    await app.close();
  });

  test('fails for a list that callers share and that differs, and for scopes that imply each other', async () => {
    await expect(started({}, { cache: { ttl: 1000, scope: 'public' } })).rejects.toThrow(
      'option cache.scope',
    );
    const implies = { a: ['b'], b: ['c'], c: ['a'] };
    await expect(started({ scopes: { implies } })).rejects.toThrow('auth.scopes.implies');
  });

  test('takes a public list where everything is public', async () => {
    @ToolGroup('open')
    @Public()
    class Open {
      @Action() look(): string {
        return 'seen';
      }
    }
    @Module({ controllers: [Open] })
    class OpenModule {}
    const app = await createAppWithCallers(OpenModule, {}, { cache: { ttl: 1000, scope: 'public' } });
    closing.push(app);
    expect(await app.result(undefined, 'tools/list')).toMatchObject({ cacheScope: 'public' });
  });
});
