import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsString } from 'class-validator';
import {
  Action,
  createTool,
  Ctx,
  Destructive,
  Field,
  Idempotent,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  McpApplication,
  Module,
  RateLimit,
  ReadOnly,
  Roles,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
} from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { createAppWithCallers } from '../support/callers.ts';
import { beginTask } from '../support/begin-task.ts';
import { createCrm } from '../support/crm-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { QueueModule } from '../support/queue-module.ts';
import { textOf } from '../support/text-of.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

class Note {
  @IsString() text!: string;
}

const ran: string[] = [];

@ToolGroup({ name: 'notes', title: 'Notes' })
class Notes {
  @Action('Find notes') @ReadOnly() find(note: Note, @Ctx() ctx: ToolContext): string {
    ran.push('find');
    return `${note.text} on ${ctx.surface}`;
  }
  @Action('Add a note') @Idempotent({ key: 'idempotencyKey' }) add({ text }: Note): string {
    ran.push('add');
    return `added ${text}`;
  }
  @Action('Count') @RateLimit({ limit: 1, per: 'hour', by: 'all' }) count(): string {
    ran.push('count');
    return 'counted';
  }
  @Action('Remove all') @Destructive({ confirm: 'twice' }) clear(): string {
    ran.push('clear');
    return 'cleared';
  }
}

@Module({ controllers: [Notes] })
class NotesModule {}

async function open(options: ApplicationOptions, module = NotesModule): Promise<TestApplication> {
  ran.length = 0;
  const app = await createTestApplication(module, { logger: new MemoryLogger(), ...options });
  opened.push(app);
  return app;
}

async function namesFor(app: TestApplication): Promise<readonly string[]> {
  return (await (await app.client()).listTools()).tools.map(({ name }) => name);
}

async function call(app: TestApplication, name: string, args: object = {}): Promise<CallToolResult> {
  const client = await app.client();
  return (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
}

/** What a client got, as far as it says what went wrong. */
function codeOf(result: CallToolResult): unknown {
  const error = result._meta?.['toolwright/error'] as { readonly code?: unknown } | undefined;
  return error?.code ?? (result.isError === true ? textOf(result) : undefined);
}

const GROUPED = ['notes'];
const BY_RISK = ['notes_read', 'notes_write', 'notes_destructive'];
const FLAT = ['notes_find', 'notes_add', 'notes_count', 'notes_clear'];

describe('an application lists', () => {
  test.each([
    ['own', GROUPED],
    ['grouped', GROUPED],
    ['grouped-by-risk', BY_RISK],
    ['flat', FLAT],
  ] as const)('%s, and calls what it lists', async (surface, names) => {
    const app = await open({ surface });
    expect(await namesFor(app)).toEqual(names);
    const [first = ''] = names;
    const args = surface === 'flat' ? { text: 'a' } : { action: 'find', text: 'a' };
    expect(textOf(await call(app, first, args))).toBe(`a on ${surface}`);
  });

  test('what it listed before, to the byte, where it says nothing', async () => {
    const bytesOf = async (options: ApplicationOptions) => {
      const app = await open(options, createCrm('plain'));
      return JSON.stringify(await (await app.client()).listTools());
    };
    const before = await bytesOf({});
    expect(await bytesOf({ surface: 'own' })).toBe(before);
    expect(await bytesOf({ surface: { use: 'own' } })).toBe(before);
  });

  test('its definitions and its hash as its groups say them, on each surface', async () => {
    const [own, flat] = [await open({}), await open({ surface: 'flat' })];
    expect(flat.app.definitions.map(({ name }) => name)).toEqual(GROUPED);
    expect(flat.app.surfaceHash).toBe(own.app.surfaceHash);
    expect(textOf(await flat.app.call('notes', { action: 'find', text: 'a' }))).toBe('a on own');
  });

  test('titles that say what a tool may do', async () => {
    const client = await (await open({ surface: 'grouped-by-risk' })).client();
    const { tools } = await client.listTools();
    expect(tools.map(({ title }) => title)).toEqual([
      'Notes (read)',
      'Notes (change)',
      'Notes (destructive)',
    ]);
  });
});

describe('names of other surfaces', () => {
  test.each(['own', 'grouped', 'grouped-by-risk', 'flat'] as const)('27: run on %s', async (use) => {
    const app = await open({ surface: { use } });
    for (const name of ['notes', 'notes_read'])
      expect(textOf(await call(app, name, { action: 'find', text: name }))).toBe(`${name} on ${use}`);
    expect(textOf(await call(app, 'notes_find', { text: 'flat' }))).toBe(`flat on ${use}`);
  });

  test('28: are unknown where they are switched off', async () => {
    const app = await open({ surface: { use: 'grouped-by-risk', foreignNames: false } });
    for (const name of ['notes', 'notes_find'])
      expect(codeOf(await call(app, name, { action: 'find', text: 'a' }))).toBe('UNKNOWN_TOOL');
    expect(ran).toEqual([]);
  });

  test('29: belong to the surface itself, and to no other where two of them differ', async () => {
    @ToolGroup({ name: 'crm' })
    class Crm {
      @Action() @ReadOnly() read(): string {
        return 'one is read';
      }
      @Action() @ReadOnly() find(): string {
        return 'found';
      }
    }
    @Module({ controllers: [Crm] })
    class CrmModule {}
    const flat = await open({ surface: 'flat' }, CrmModule);
    expect(textOf(await call(flat, 'crm_read'))).toBe('one is read');
    const byRisk = await open({ surface: 'grouped-by-risk' }, CrmModule);
    expect(textOf(await call(byRisk, 'crm_read', { action: 'find' }))).toBe('found');
    const grouped = await open({ surface: 'grouped' }, CrmModule);
    expect(codeOf(await call(grouped, 'crm_read', { action: 'find' }))).toBe('UNKNOWN_TOOL');
  });
});

describe('25: a class is a promise', () => {
  test('so a tool that reads does not remove, and says which one does', async () => {
    const app = await open({ surface: 'grouped-by-risk' });
    const result = await call(app, 'notes_read', { action: 'clear' });
    expect(codeOf(result)).toBe('UNKNOWN_ACTION');
    expect(textOf(result)).toContain('Did you mean notes_destructive: clear?');
    expect(ran).toEqual([]);
  });

  test('26: and says nothing of it to a caller who may not see it', async () => {
    @ToolGroup({ name: 'notes' })
    class Guarded {
      @Action() @ReadOnly() find(): string {
        return 'found';
      }
      @Action() @Destructive() @Roles('admin') clear(): string {
        return 'cleared';
      }
    }
    @Module({ controllers: [Guarded] })
    class GuardedModule {}
    const app = await createAppWithCallers(GuardedModule, {}, { surface: 'grouped-by-risk' });
    opened.push(app.app);
    const answer = async (action: string) => {
      const { body } = await app.ask({ sub: 'ada' }, 'tools/call', {
        name: 'notes_read',
        arguments: { action },
      });
      return body.replaceAll(action, 'it');
    };
    expect(await answer('clear')).toBe(await answer('other'));
    const whole = await app.result<{ tools: readonly { name: string }[] }>(
      { sub: 'eve', roles: ['admin'] },
      'tools/list',
    );
    expect(whole.tools.map(({ name }) => name)).toEqual(['notes_read', 'notes_destructive']);
    const seen = await app.result<{ tools: readonly { name: string }[] }>({ sub: 'ada' }, 'tools/list');
    expect(seen.tools.map(({ name }) => name)).toEqual(['notes_read']);
  });
});

describe('an action is the same on all surfaces', () => {
  const NAMES = [
    ['notes', 'action'],
    ['notes_write', 'action'],
    ['notes_count', undefined],
  ] as const;

  test('32: its key runs once, whichever name it was called by', async () => {
    const app = await open({ surface: 'grouped-by-risk' });
    const args = { text: 'a', idempotencyKey: 'one-key-for-all' };
    const results = [
      await call(app, 'notes', { ...args, action: 'add' }),
      await call(app, 'notes_write', { ...args, action: 'add' }),
      await call(app, 'notes_add', args),
    ];
    expect(results.map(textOf)).toEqual(['added a', 'added a', 'added a']);
    expect(ran).toEqual(['add']);
  });

  test('33: its limit counts calls of each name', async () => {
    const app = await open({ surface: 'flat' });
    const codes: unknown[] = [];
    for (const [name, discriminator] of NAMES)
      codes.push(
        codeOf(await call(app, name, discriminator === undefined ? {} : { [discriminator]: 'count' })),
      );
    expect(codes).toEqual([undefined, 'RATE_LIMITED', 'RATE_LIMITED']);
    expect(ran).toEqual(['count']);
  });

  test('its consent that was given for one name counts for another one', async () => {
    const app = await open({ surface: 'grouped-by-risk' });
    const asked = await call(app, 'notes_destructive', { action: 'clear' });
    const { confirmation } = (asked._meta?.['toolwright/error'] ?? {}) as { confirmation?: string };
    const token = confirmation ?? /"confirmation":\s*"([^"]+)"/.exec(JSON.stringify(asked))?.[1];
    expect(ran).toEqual([]);
    expect(textOf(await call(app, 'notes_clear', { confirmation: token }))).toBe('cleared');
  });

  test('27: the audit has the name that was called, the action and the surface', async () => {
    const store = new InMemoryAuditStore();
    const app = await open({ surface: 'grouped-by-risk', audit: { store, kinds: ['read'] } });
    await call(app, 'notes_read', { action: 'find', text: 'a' });
    await call(app, 'notes_find', { text: 'a' });
    await call(app, 'notes', { action: 'find', text: 'a' });
    const records: Record<string, unknown>[] = [];
    for await (const text of store.read()) records.push(JSON.parse(text) as Record<string, unknown>);
    const outcomes = records.filter(({ type }) => type === 'outcome');
    expect(outcomes.map(({ tool, action, surface }) => [tool, action, surface])).toEqual([
      ['notes_read', 'find', 'grouped-by-risk'],
      ['notes_find', 'find', 'grouped-by-risk'],
      ['notes', 'find', 'grouped-by-risk'],
    ]);
    expect(new Set(outcomes.map(({ argumentsHash }) => argumentsHash)).size).toBe(1);
  });
});

test('a worker that offers another surface runs the task that a name of this one began', async () => {
  const logger = new MemoryLogger();
  const shared = {
    tasks: { queues: new InMemoryWorkQueue(logger), pollInterval: 20 },
    backplane: { tasks: new InMemoryTaskStore() },
    secrets: ['of 32 bytes, which only the instances know'],
    drainTimeout: 0,
    logger,
  };
  const front = await McpApplication.create(QueueModule, { ...shared, surface: 'grouped-by-risk' });
  const surface = { use: 'flat', foreignNames: false } as const;
  const worker = await McpApplication.create(QueueModule, { ...shared, surface });
  opened.push(front, worker);
  await worker.work();
  const client = new Client({ name: 'client', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await front.connect(far);
  await client.connect(near);
  const { taskId } = await beginTask(client, 'reports_read', { action: 'write', label: 'a' });
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(textOf(result as CallToolResult)).toBe('a by nobody');
});

describe('42: a tool that is registered while the application runs', () => {
  test('is on the surface, and goes from it', async () => {
    const app = await open({ surface: 'grouped-by-risk' });
    await namesFor(app);
    app.app.registry.register(
      createTool('late')
        .action({ name: 'look', readOnly: true, handler: () => 'seen' })
        .action({ name: 'push', handler: () => 'pushed' }),
    );
    expect(await namesFor(app)).toEqual([...BY_RISK, 'late_read', 'late_write']);
    expect(textOf(await call(app, 'late_read', { action: 'look' }))).toBe('seen');
    expect(textOf(await call(app, 'late_look'))).toBe('seen');
    app.app.registry.disable('late', 'push');
    expect(await namesFor(app)).toEqual([...BY_RISK, 'late_read']);
    app.app.registry.unregister('late');
    expect(await namesFor(app)).toEqual(BY_RISK);
    expect(codeOf(await call(app, 'late_look'))).toBe('UNKNOWN_TOOL');
  });

  test('is refused where the surface could not list it', async () => {
    const app = await open({ surface: 'grouped-by-risk' });
    const tool = createTool('notes_read').action({ name: 'look', handler: () => 'seen' });
    expect(() => app.app.registry.register(tool)).toThrow('TW_COMPILE_NAME_TAKEN');
    expect(await namesFor(app)).toEqual(BY_RISK);
  });
});

test('what keeps a surface from being served is a problem of the start', async () => {
  @ToolGroup({ name: 'crm' })
  class Crm {
    @Action() @ReadOnly() find(): void {}
  }
  @ToolGroup({ name: 'crm_read' })
  class CrmRead {
    @Action({ name: 'ü' }) create(): void {}
  }
  @Module({ controllers: [Crm, CrmRead] })
  class Both {}
  await expect(McpApplication.create(Both, { surface: 'flat' })).rejects.toThrow('TW_COMPILE_TOOL_NAME');
  await expect(McpApplication.create(Both, { surface: 'grouped-by-risk' })).rejects.toThrow('riskNames');
  await expect(McpApplication.create(Both, { surface: 'flatt' as 'flat' })).rejects.toThrow(
    'did you mean "flat"?',
  );
});

class Deployment {
  @IsString() @Field({ header: 'Region' }) region!: string;
}

@ToolGroup({ name: 'deploy' })
class DeployTools {
  @Action('Deploy') start({ region }: Deployment): string {
    return region;
  }
}

@Module({ controllers: [DeployTools] })
class DeployModule {}

test.each([{ surface: 'flat' }, { surface: { use: 'grouped', choose: false } }] as const)(
  'an argument that a header repeats is compared with it under each name: %j',
  async (options) => {
    const app = await McpApplication.create(DeployModule, options);
    opened.push(app);
    const { url } = await app.listen({ port: 0 });
    const ask = async (name: string, args: object, headers = {}) => {
      const { body } = await post2026(url, 'tools/call', { name, arguments: args }, headers);
      const { result, error } = JSON.parse(body) as { result?: CallToolResult; error?: { code: number } };
      return result === undefined ? error?.code : textOf(result);
    };
    for (const [name, args] of [
      ['deploy_start', { region: 'north' }],
      ['deploy_write', { action: 'start', region: 'north' }],
      ['deploy', { action: 'start', region: 'north' }],
    ] as const) {
      expect(await ask(name, args, { 'Mcp-Param-Region': 'north' })).toBe('north');
      expect(await ask(name, args, { 'Mcp-Param-Region': 'south' })).toBe(-32020);
      expect(await ask(name, args)).toBe(-32020);
    }
  },
);

test('clients hear that another application offers its tools on another surface', async () => {
  const [former, next] = [await open({}), await open({ surface: 'flat' })];
  expect(former.app.replaceWith(next.app).changed).toEqual(['tools']);
});
