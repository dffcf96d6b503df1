import { afterEach, describe, expect, test } from '@jest/globals';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsString } from 'class-validator';
import {
  Action,
  createTool,
  Destructive,
  Idempotent,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  McpApplication,
  Module,
  Page,
  Budget,
  RateLimit,
  ReadOnly,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
  type Class,
} from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { openTelemetry } from 'toolwright/opentelemetry';
import { createTestApplication } from 'toolwright/testing';
import { beginTask } from '../support/begin-task.ts';
import { connectHttp, REVISION_2026 } from '../support/client-of-2026.ts';
import { eventually } from '../support/eventually.ts';
import { JobsModule, Gates } from '../support/jobs-module.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory } from '../support/open-telemetry.ts';
import { QueueModule } from '../support/queue-module.ts';
import { TaskRequests } from '../support/task-requests.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Note {
  @IsString() text!: string;
}
class Named {
  @IsString() name!: string;
}
class Rows {
  @Page() @IsString({ each: true }) rows!: string[];
}

const ran: string[] = [];
const stopped = { started: (): void => undefined };

@ToolGroup({ name: 'notes' })
class Notes {
  @Action('Count up') @ReadOnly() async count(ctx: ToolContext): Promise<string> {
    for (const step of [1, 2, 3]) await ctx.progress(step, 3, `step ${String(step)}`);
    return `counted on ${ctx.surface}`;
  }
  @Action('Ask') async ask(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Named, 'Who are you?');
    return answer.action === 'accept' ? `hello ${answer.content.name}` : answer.action;
  }
  @Action('Wait until it is cancelled') async wait(ctx: ToolContext): Promise<string> {
    stopped.started();
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    ran.push('cancelled');
    return 'over';
  }
  @Action('Add') @Idempotent({ key: 'idempotencyKey' }) add({ text }: Note): string {
    ran.push('add');
    return `added ${text}`;
  }
  @Action('Use a turn') @RateLimit({ limit: 1, per: 'hour', by: 'all' }) turn(): string {
    ran.push('turn');
    return 'taken';
  }
  @Action('Remove all') @Destructive({ confirm: 'twice' }) clear(): string {
    ran.push('clear');
    return 'cleared';
  }
  @Action('Remove after a person agreed') @Destructive({ confirm: true }) purge(): string {
    ran.push('purge');
    return 'purged';
  }
  @Action({ description: 'List', output: Rows }) @ReadOnly() @Budget({ bytes: 1024 }) list(): Rows {
    return Object.assign(new Rows(), {
      rows: Array.from({ length: 500 }, (_row, index) => `row ${String(index)}`),
    });
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function create(
  options: ApplicationOptions = {},
  module: Class = NotesModule,
): Promise<McpApplication> {
  ran.length = 0;
  const app = await McpApplication.create(module, {
    ...{ logger: new MemoryLogger(), surface: 'progressive' },
    ...options,
  });
  opened.push(app);
  return app;
}

const CAPABILITIES = { elicitation: { form: {} } };
const AGREES = { action: 'accept', content: { name: 'Ada', agreed: true } } as const;

async function connect2025(url: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: CAPABILITIES });
  opened.push(client);
  client.setRequestHandler(ElicitRequestSchema, () => AGREES);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function connect2026(url: string): Promise<Client2> {
  const versionNegotiation = { mode: { pin: REVISION_2026 } } as const;
  const client = new Client2(
    { name: 'tester', version: '2' },
    { versionNegotiation, capabilities: CAPABILITIES },
  );
  opened.push(client);
  client.setRequestHandler('elicitation/create', () => AGREES);
  return connectHttp(client, url);
}

/** A call of an action by the tool that it is on the surface `flat`, and by its key. */
function ways(
  key: string,
  args: object = {},
): readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] {
  return [
    { name: `notes_${key}`, arguments: { ...args } },
    { name: 'call_action', arguments: { action: `notes.${key}`, arguments: args } },
  ];
}

describe.each([
  ['2025', connect2025],
  ['2026', connect2026],
] as const)('58: a client of %s', (_era, connect) => {
  const open = async (options?: ApplicationOptions) => {
    const { url } = await (await create(options)).listen({ port: 0 });
    return connect(url);
  };

  test('receives the progress of a call', async () => {
    const client = await open();
    const reports: unknown[][] = [];
    for (const request of ways('count')) {
      const seen: unknown[] = [];
      const options = { onprogress: (progress: unknown) => void seen.push(progress) };
      const result =
        client instanceof Client
          ? await client.callTool(request, CallToolResultSchema, options)
          : await client.callTool(request, options);
      expect(textOf(result as CallToolResult)).toBe('counted on progressive');
      reports.push(seen);
    }
    expect(reports[0]).toHaveLength(3);
    expect(reports[1]).toEqual(reports[0]);
  });

  test('is asked', async () => {
    const client = await open();
    for (const request of ways('ask'))
      expect(textOf((await client.callTool(request)) as CallToolResult)).toBe('hello Ada');
  });

  test('agrees to what destroys', async () => {
    const client = await open();
    for (const request of ways('purge')) {
      const result = (await client.callTool(request)) as CallToolResult;
      expect(textOf(result)).toBe('purged');
      expect(result._meta).toMatchObject({ 'toolwright/consent': { acknowledged: 'elicitation' } });
    }
    expect(ran).toEqual(['purge', 'purge']);
  });

  test('cancels a call', async () => {
    const client = await open();
    const controller = new AbortController();
    const started = new Promise<void>((resolve) => (stopped.started = resolve));
    const options = { signal: controller.signal };
    const request = ways('wait')[1] as ReturnType<typeof ways>[number];
    const calling =
      client instanceof Client
        ? client.callTool(request, CallToolResultSchema, options)
        : client.callTool(request, options);
    await started;
    controller.abort('enough');
    await expect(calling).rejects.toThrow();
    await eventually(() => ran.includes('cancelled'));
  });

  test('32, 33: has one key, one limit and one consent for all names', async () => {
    const client = await open();
    const call = async (request: ReturnType<typeof ways>[number]) =>
      (await client.callTool(request)) as CallToolResult;
    for (const request of ways('add', { text: 'a', idempotencyKey: 'one-key-for-all' }))
      expect(textOf(await call(request))).toBe('added a');
    const codes: unknown[] = [];
    for (const request of ways('turn'))
      codes.push((factsOf(await call(request)) as { code?: unknown } | undefined)?.code);
    const asked = await call(ways('clear')[1] as never);
    const confirmation = /"confirmation":\s*"([^"]+)"/.exec(JSON.stringify(asked))?.[1];
    expect(textOf(await call({ name: 'notes_clear', arguments: { confirmation } }))).toBe('cleared');
    const again = /"confirmation":\s*"([^"]+)"/.exec(
      JSON.stringify(await call(ways('clear')[0] as never)),
    )?.[1];
    expect(textOf(await call(ways('clear', { confirmation: again })[1] as never))).toBe('cleared');
    expect(codes).toEqual([undefined, 'RATE_LIMITED']);
    expect(ran).toEqual(['add', 'turn', 'clear', 'clear']);
  });

  test('gets a result within the budget of the action', async () => {
    const client = await open();
    const results: unknown[] = [];
    for (const request of ways('list')) results.push(await client.callTool(request));
    expect(results[1]).toEqual(results[0]);
    expect(JSON.stringify(results[0]).length).toBeLessThan(3000);
  });
});

describe('58: a call that becomes a task', () => {
  const open = async () => {
    const options = { logger: new MemoryLogger(), surface: 'progressive' } as const;
    const app = await createTestApplication(JobsModule, options);
    opened.push(app);
    return app;
  };
  const carried = { action: 'jobs.slow', arguments: { label: 'a' } };

  test('in 2026-07-28', async () => {
    const app = await open();
    const client = new TaskRequests((request) => app.app.fetch(request));
    const taskId = await client.begin('call_action', carried);
    app.get(Gates).open('a');
    expect(await client.end(taskId)).toMatchObject({ result: { content: [{ text: 'done a' }] } });
  });

  test('in 2025-11-25', async () => {
    const app = await open();
    const client = await app.client();
    const { taskId } = await beginTask(client, 'call_action', carried);
    app.get(Gates).open('a');
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(textOf(result as CallToolResult)).toBe('done a');
  });

  test('is run by a worker that offers another surface', async () => {
    const logger = new MemoryLogger();
    const shared = {
      tasks: { queues: new InMemoryWorkQueue(logger), pollInterval: 20 },
      backplane: { tasks: new InMemoryTaskStore() },
      secrets: ['of 32 bytes, which only the instances know'],
      drainTimeout: 0,
      logger,
    };
    const front = await create(shared, QueueModule);
    const worker = await create({ ...shared, surface: { use: 'flat', foreignNames: false } }, QueueModule);
    await worker.work();
    const client = new Client({ name: 'client', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await front.connect(far);
    await client.connect(near);
    for (const args of [{ label: 'a' }, '{"label":"a"}']) {
      const { taskId } = await beginTask(client, 'read_action', { action: 'reports.write', arguments: args });
      const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
      expect(textOf(result as CallToolResult)).toBe('a by nobody');
    }
  });
});

test('the audit has the name that was called, and the key of the action', async () => {
  const store = new InMemoryAuditStore();
  const app = await create({ audit: { store, kinds: ['write', 'read', 'denied'] } });
  const client = await connect2025((await app.listen({ port: 0 })).url);
  for (const request of ways('turn')) await client.callTool(request);
  for (const request of ways('count')) await client.callTool(request);
  await client.callTool({ name: 'find_actions', arguments: { query: 'turn' } });
  const outcomes: Record<string, unknown>[] = [];
  for await (const text of store.read()) outcomes.push(JSON.parse(text) as Record<string, unknown>);
  expect(
    outcomes
      .filter(({ type }) => type === 'outcome')
      .map(({ tool, action, surface, errorCode, outcome }) => [tool, action, surface, errorCode ?? outcome]),
  ).toEqual([
    ['notes_turn', 'turn', 'progressive', 'done'],
    ['call_action', 'turn', 'progressive', 'RATE_LIMITED'],
    ['notes_count', 'count', 'progressive', 'done'],
    ['call_action', 'count', 'progressive', 'done'],
  ]);
  const hashes = outcomes.filter(({ action, type }) => action === 'count' && type === 'outcome');
  expect(new Set(hashes.map(({ argumentsHash }) => argumentsHash)).size).toBe(1);
});

test('a span has the name that was called, and the key of the action', async () => {
  const sky = new Observatory();
  const app = await create({
    telemetry: openTelemetry({ tracerProvider: sky.tracerProvider, meterProvider: sky.meterProvider }),
  });
  const client = await connect2026((await app.listen({ port: 0 })).url);
  await client.callTool(ways('turn')[1] as never);
  await client.callTool({ name: 'find_actions', arguments: {} });
  const spans = sky.takeSpans().filter(({ name }) => name.startsWith('tools/call'));
  expect(spans.map(({ name, attributes }) => [name, attributes['toolwright.action.name']])).toEqual([
    ['tools/call call_action', 'turn'],
    ['tools/call find_actions', undefined],
  ]);
});

describe('versions of an action', () => {
  @Module({})
  class Empty {}
  const serve = async (...versions: readonly string[]) => {
    const app = await create({}, Empty);
    const tool = createTool('jobs');
    for (const version of versions)
      tool.action({
        ...{ name: 'run', version, readOnly: version !== '1.0.0', description: `Runs ${version}` },
        handler: () => version,
      });
    app.registry.register(tool);
    return app;
  };
  const ORDERS = [
    ['1.0.0', '2.0.0'],
    ['2.0.0', '1.0.0'],
  ] as const;

  test.each(ORDERS)('are chosen by the call, and found as one action: %s, %s', async (...versions) => {
    const app = await serve(...versions);
    expect(textOf(await app.call('find_actions', { query: 'run' }))).toBe('jobs.run(): Runs 2.0.0');
    const call = async (version?: string) =>
      app.call('call_action', { action: 'jobs.run' }, version === undefined ? {} : { version });
    expect(textOf(await call())).toBe('2.0.0');
    expect(textOf(await call('^1.0.0'))).toBe('1.0.0');
    expect(factsOf(await call('^3.0.0'))).toMatchObject({ code: 'VERSION_UNAVAILABLE' });
  });

  test.each(ORDERS)('are read-only where all of them are: %s, %s', async (...versions) => {
    const result = await (await serve(...versions)).call('read_action', { action: 'jobs.run' });
    expect(factsOf(result)).toMatchObject({ code: 'NOT_READ_ONLY' });
  });
});
