import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { IsBoolean } from 'class-validator';
import {
  Action,
  Complete,
  createTool,
  Idempotent,
  McpApplication,
  Module,
  Prompt,
  ReadOnly,
  Resource,
  Timeout,
  ToolContext,
  ToolError,
  ToolGroup,
  ToolRegistry,
  createContextFactory,
  type ApplicationOptions,
  type Class,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { stopDeadlines } from '../support/stop-deadlines.ts';
import { factsOf, textOf } from '../support/text-of.ts';

/** Shorter than anybody waits, and longer than a handler needs that does nothing. */
const SHORT = 60;
const forever = (): Promise<never> => new Promise(() => undefined);

async function afterwards(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 2 * SHORT));
  return 'done';
}

const reasons: unknown[] = [];
/** Ends with the signal, as a database driver or `fetch` does. */
function untilAborted({ signal }: ToolContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reasons.push(signal.reason);
      reject(signal.reason as Error);
    });
  });
}

class Sure {
  @IsBoolean() isSure!: boolean;
}

@ToolGroup('work')
class WorkTools {
  @Action() @Timeout(SHORT) stuck(): Promise<never> {
    return forever();
  }
  @Action() @Timeout(SHORT) @ReadOnly() reading(ctx: ToolContext): Promise<never> {
    return untilAborted(ctx);
  }
  @Action() @Timeout(SHORT) @Idempotent() async *counting(): AsyncGenerator<string, string> {
    yield 'begun';
    return forever();
  }
  @Action() @Timeout(10_000) quick(): string {
    return 'done';
  }
  @Action() @Timeout(10_000) failing(): never {
    throw new ToolError('OUT_OF_INK', 'The printer is out of ink');
  }
  @Action() @Timeout(1000) async asking(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Sure, 'Sure?');
    return answer.action;
  }
  @Action({ task: true }) @Timeout(SHORT) long(ctx: ToolContext): Promise<never> {
    return untilAborted(ctx);
  }
  @Prompt() @Timeout(SHORT) review(): Promise<never> {
    return forever();
  }
  @Resource('work://state') @Timeout(SHORT) state(): Promise<never> {
    return forever();
  }
  @Resource('work://state/{id}') @Timeout(SHORT) one(): string {
    return 'one';
  }
  @Complete('one', 'id') ids(): Promise<never> {
    return forever();
  }
}

let app: TestApplication | undefined;
let logger: MemoryLogger;
afterEach(async () => {
  jest.useRealTimers();
  await app?.close();
});

async function start(
  controller: Class = WorkTools,
  options: ApplicationOptions = {},
): Promise<TestApplication> {
  @Module({ controllers: [controller] })
  class WorkModule {}
  logger = new MemoryLogger();
  app = await createTestApplication(WorkModule, { logger, drainTimeout: 0, ...options });
  return app;
}

describe('a call that takes longer than it may', () => {
  test('is answered, whether or not its handler listens', async () => {
    const work = await start();
    const result = await work.call('work', { action: 'stuck' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      `[work/stuck] Timed out after ${SHORT} ms; it may have taken effect all the same\nCode: TIMED_OUT`,
    );
    expect(factsOf(result)).toMatchObject({ code: 'TIMED_OUT', tool: 'work', action: 'stuck' });
    expect(logger.records).toContainEqual(
      expect.objectContaining({ level: 'warning', event: 'call.timed-out' }),
    );
  });

  test('reaches a client as a result', async () => {
    const client = await (await start()).client();
    const result = await client.callTool({ name: 'work', arguments: { action: 'stuck' } });
    expect(factsOf(result)).toMatchObject({ code: 'TIMED_OUT' });
  });

  test('aborts the signal of its handler with the same error', async () => {
    reasons.length = 0;
    const result = await (await start()).call('work', { action: 'reading' });
    // What only reads has had no effect
    expect(textOf(result)).toBe(`[work/reading] Timed out after ${SHORT} ms\nCode: TIMED_OUT`);
    expect(reasons).toEqual([expect.objectContaining({ code: 'TIMED_OUT' })]);
    expect(logger.records.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('may be a generator', async () => {
    const result = await (await start()).call('work', { action: 'counting' });
    expect(factsOf(result)).toMatchObject({ code: 'TIMED_OUT' });
  });

  test('may be a prompt, a resource or a completion', async () => {
    const client = await (await start()).client();
    const timedOut = { data: { code: 'TIMED_OUT' } };
    await expect(client.getPrompt({ name: 'review' })).rejects.toMatchObject(timedOut);
    await expect(client.readResource({ uri: 'work://state' })).rejects.toMatchObject(timedOut);
    const completion = { ref: { type: 'ref/resource', uri: 'work://state/{id}' } } as const;
    await expect(
      client.complete({ ...completion, argument: { name: 'id', value: '' } }),
    ).rejects.toMatchObject(timedOut);
  });

  test('may be a task', async () => {
    reasons.length = 0;
    const client = await (await start()).client();
    const params = { name: 'work', arguments: { action: 'long' }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(factsOf(result)).toMatchObject({ code: 'TIMED_OUT' });
    expect(reasons).toEqual([expect.objectContaining({ code: 'TIMED_OUT' })]);
  });
});

test('a call within its time comes to what its handler gives or throws', async () => {
  const work = await start();
  expect(textOf(await work.call('work', { action: 'quick' }))).toBe('done');
  expect(factsOf(await work.call('work', { action: 'failing' }))).toMatchObject({ code: 'OUT_OF_INK' });
});

test.each([{ replay: true }, { replay: false }])('a person may take any time ($replay)', async (options) => {
  const work = await start(WorkTools, options);
  const client = await work.connect({
    onElicitation: async () => {
      await jest.advanceTimersByTimeAsync(1300);
      return { action: 'decline' };
    },
  });
  stopDeadlines();
  const result = await client.callTool({ name: 'work', arguments: { action: 'asking' } });
  expect(textOf(result as { content: unknown })).toBe('decline');
});

/** A context of the user's own, which asks for its handlers. */
class DeskContext {
  readonly #inner: ToolContext;

  constructor(inner: ToolContext) {
    this.#inner = inner;
  }
  ask(): Promise<{ readonly action: string }> {
    return this.#inner.ask(Sure, 'Sure?');
  }
  async sure(): Promise<string> {
    return (await this.ask()).action;
  }
}

test('a person may take any time to answer what a method of the context asks', async () => {
  const registry = new ToolRegistry({
    limits: { timeout: SHORT },
    contextFactory: (extra, request) => new DeskContext(createContextFactory()(extra, request)),
  }).register(
    createTool('desk').action({ name: 'sure', handler: (_input, ctx) => (ctx as DeskContext).sure() }),
  );
  const server = new McpServer({ name: 'desk', version: '1.0.0' });
  registry.attachToServer(server);
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await jest.advanceTimersByTimeAsync(10 * SHORT);
    return { action: 'decline' as const };
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  // The person alone takes time: on a busy machine the handler would
  stopDeadlines();
  const result = await client.callTool({ name: 'desk', arguments: { action: 'sure' } });
  expect(textOf(result as { content: unknown })).toBe('decline');
  await client.close();
});

test('actions of the plain API have limits, with any context', async () => {
  const tool = createTool('plain').action({ name: 'stuck', timeout: SHORT, handler: forever });
  expect(factsOf(await tool.execute({ action: 'stuck' }, { user: 'ada' }))).toMatchObject({
    code: 'TIMED_OUT',
  });
  const registry = new ToolRegistry({ limits: { timeout: SHORT } }).register(
    createTool('other').action({
      name: 'listens',
      handler: (_input, ctx) => untilAborted(ctx as ToolContext),
    }),
  );
  reasons.length = 0;
  const context = createContextFactory()(undefined, {
    requestId: 1,
    signal: new AbortController().signal,
    meta: {},
    raw: undefined,
  } as never);
  await registry.routeCall('other', { action: 'listens' }, context);
  expect(reasons).toEqual([expect.objectContaining({ code: 'TIMED_OUT' })]);
});

test('groups of the plain API have limits, for actions that have none', async () => {
  const tool = createTool('plain')
    .group('slow', (group) =>
      group
        .timeout(SHORT)
        .action({ name: 'stuck', handler: forever })
        .action({ name: 'patient', timeout: Infinity, handler: afterwards }),
    )
    .group('lifted', (group) => group.timeout(Infinity).action({ name: 'patient', handler: afterwards }));
  const registry = new ToolRegistry({ limits: { timeout: SHORT } }).register(tool);
  const outcomes = await Promise.all(
    ['slow.stuck', 'slow.patient', 'lifted.patient'].map((action) => registry.routeCall('plain', { action })),
  );
  expect(factsOf(outcomes[0] as never)).toMatchObject({ code: 'TIMED_OUT' });
  expect(outcomes.slice(1).map((result) => textOf(result))).toEqual(['done', 'done']);
});

test('a limit of a group that is not a number of milliseconds is refused, and changes nothing', () => {
  const tool = createTool('plain');
  expect(() => tool.group('slow', (group) => group.timeout('5' as never))).toThrow(
    /group "slow" of builder "plain" sets timeout to "5"(.|\n)*let timeout be a number of milliseconds/,
  );
  expect(() => tool.action({ name: 'free', handler: afterwards })).not.toThrow();
});

test('an application without limits lets a call take its time', async () => {
  @ToolGroup('slow')
  class Slow {
    @Action() async run(): Promise<string> {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return 'done';
    }
  }
  @Module({ controllers: [Slow] })
  class SlowModule {}
  const slow = await McpApplication.create(SlowModule);
  expect(textOf(await slow.call('slow', { action: 'run' }))).toBe('done');
  await slow.close();
});
