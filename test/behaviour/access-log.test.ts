import { afterEach, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  Inject,
  Injectable,
  McpApplication,
  Module,
  Prompt,
  ProtocolError,
  Resource,
  Sensitive,
  ToolContext,
  ToolError,
  ToolGroup,
  type LogRecord,
} from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { AppWithCallers, createAppWithCallers } from '../support/callers.ts';
import { latch } from '../support/fake-application.ts';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory } from '../support/open-telemetry.ts';
import { TaskRequests } from '../support/task-requests.ts';

class Door {
  @IsString() name!: string;
  @IsString() @Sensitive() code!: string;
}

@ToolGroup('doors')
class DoorTools {
  @Action('Opens') open({ name }: Door): string {
    if (name === 'locked') throw new ToolError('LOCKED', 'It is locked');
    if (name === 'broken') throw new ProtocolError(-32001, 'No such door');
    return `opened ${name}`;
  }
  @Prompt('Explains') explain(): string {
    return 'Doors open.';
  }
  @Resource('doors://all') all(): string {
    return 'none';
  }
}
@Module({ controllers: [DoorTools] })
class DoorModule {}

const CODE = 'open-sesame-4711';
const open = (name: unknown): object => ({ action: 'open', name, code: CODE });

const served = ({ records }: MemoryLogger): readonly LogRecord[] =>
  records.filter(({ event }) => event === 'request.served');

describe.each(CONNECTIONS)('$name', (kind) => {
  test('logs one record for each request, with what was called and what came of it', async () => {
    const logger = new MemoryLogger();
    const app = await createConnectedApplication(kind, DoorModule, { logger, accessLog: true });
    const client = await app.client();
    logger.records.length = 0;
    await client.callTool({ name: 'doors', arguments: { ...open('front') } });
    await client.callTool({ name: 'doors', arguments: { ...open('locked') } });
    await client.callTool({ name: 'doors', arguments: { ...open(7) } });
    await client.refusal('tools/call', { name: 'doors', arguments: open('broken') });
    await client.getPrompt({ name: 'explain' });
    await client.readResource({ uri: 'doors://all' });
    await app.close();
    const records = served(logger);
    expect(records.map(({ outcome, code, status }) => [outcome, code, status])).toEqual([
      ['ok', undefined, undefined],
      ['tool_error', 'LOCKED', undefined],
      ['tool_error', 'VALIDATION_FAILED', undefined],
      ['error', undefined, -32001],
      ['ok', undefined, undefined],
      ['ok', undefined, undefined],
    ]);
    expect(records[0]).toMatchObject({
      level: 'info',
      message: 'tools/call doors/open: ok',
      method: 'tools/call',
      kind: 'tool',
      tool: 'doors',
      action: 'open',
      requestId: expect.anything(),
      durationMs: expect.any(Number),
    });
    expect(records.slice(4)).toMatchObject([
      { method: 'prompts/get', kind: 'prompt', prompt: 'explain' },
      { method: 'resources/read', kind: 'resource', resource: 'all' },
    ]);
    if (!kind.isAttached) {
      expect(records[0]).toMatchObject({ bytes: expect.any(Number) });
      const transport = kind.way.startsWith('HTTP') ? 'http' : kind.way === 'stdio' ? 'stdio' : undefined;
      const revision = expect.stringContaining(kind.era);
      expect(records.map((record) => record['transport'])).toEqual(records.map(() => transport));
      expect(records[0]).toMatchObject({ protocolVersion: revision });
    }
    expect(JSON.stringify(logger.records)).not.toContain(CODE);
  });
});

describe('callers and traces', () => {
  const sky = new Observatory();
  let app: AppWithCallers | undefined;
  afterEach(async () => {
    await app?.app.close();
    app = undefined;
  });

  test('a caller is a keyed hash, the same in every record and span that has the key', async () => {
    const { tracerProvider, meterProvider } = sky;
    const telemetry = openTelemetry({ tracerProvider, meterProvider, attributes: { endUserKey: 'a key' } });
    const redact = { endUserKey: 'a key' };
    app = await createAppWithCallers(DoorModule, {}, { accessLog: true, telemetry, redact });
    for (const sub of ['ada', 'ada', 'bob']) {
      await app.ask({ sub }, 'tools/call', { name: 'doors', arguments: open('front') });
    }
    await app.callTool2025({ sub: 'ada' }, 'doors', open('front'));
    const spans = sky.takeSpans();
    const records = served(app.logger);
    expect(records).toHaveLength(4);
    expect(records.map(({ subject }) => subject)).toEqual(
      spans.map(({ attributes }) => attributes['enduser.id']),
    );
    expect(new Set(records.map(({ subject }) => subject)).size).toBe(2);
    expect(records.map(({ traceId, spanId }) => [traceId, spanId])).toEqual(
      spans.map((span) => [span.spanContext().traceId, span.spanContext().spanId]),
    );
    expect(JSON.stringify(records)).not.toMatch(/ada|bob|program/);
    await sky.close();
  });

  test('other records about a call name it as well', async () => {
    @ToolGroup('doors')
    class FailingTools {
      @Action('Fails') fail(): never {
        throw new Error('jammed');
      }
      @Prompt('Fails') explain(): never {
        throw new Error('jammed');
      }
    }
    @Module({ controllers: [FailingTools] })
    class FailingModule {}
    app = await createAppWithCallers(FailingModule, {}, { accessLog: true });
    await app.ask({ sub: 'ada' }, 'tools/call', { name: 'doors', arguments: { action: 'fail' } });
    await app.ask({ sub: 'ada' }, 'prompts/get', { name: 'explain' });
    const [failed, call, failedPrompt] = app.logger.records.filter(({ event }) =>
      /served|failed/.test(event),
    );
    expect(failed).toMatchObject({ event: 'call.failed', tool: 'doors', action: 'fail', requestId: 1 });
    expect(failed?.['subject']).toBe(call?.['subject']);
    expect(failedPrompt).toMatchObject({ event: 'call.failed', prompt: 'explain' });
  });
});

test('calls from inside the process are logged, and a cancelled one did not fail', async () => {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(DoorModule, { logger, accessLog: true });
  await app.call('doors', open('front'));
  await app.call('doors', open('front'), { signal: AbortSignal.abort() });
  expect(served(logger)).toMatchObject([
    { kind: 'tool', action: 'open', outcome: 'ok', transport: 'local' },
    { kind: 'tool', outcome: 'cancelled', transport: 'local' },
  ]);
  await app.close();
});

test.each([
  ['stops', 'cancelled'],
  ['goes on to its end', 'abandoned'],
])('a client gives up, and the handler %s: %s', async (does, outcome) => {
  const [begun, gone] = [latch(), latch()];
  @ToolGroup('doors')
  class SlowTools {
    @Action('Turns') async turn(ctx: ToolContext): Promise<string> {
      ctx.signal.addEventListener('abort', () => gone.open());
      begun.open();
      await gone.promise;
      if (does === 'stops') ctx.signal.throwIfAborted();
      return 'turned';
    }
  }
  @Module({ controllers: [SlowTools] })
  class SlowModule {}
  const logger = new MemoryLogger();
  const sky = new Observatory();
  const telemetry = openTelemetry({ tracerProvider: sky.tracerProvider, meterProvider: sky.meterProvider });
  const app = await McpApplication.create(SlowModule, { logger, accessLog: true, telemetry });
  const giveUp = new AbortController();
  const call = app.call('doors', { action: 'turn' }, { signal: giveUp.signal });
  await begun.promise;
  giveUp.abort();
  await call;
  expect(served(logger)).toMatchObject([{ action: 'turn', outcome }]);
  const type = sky.takeSpans()[0]?.attributes['toolwright.result.type'];
  expect(type).toBe(outcome === 'abandoned' ? outcome : 'complete');
  await app.close();
  await sky.close();
});

test('a task has a record for its request, and one for its run', async () => {
  @ToolGroup('doors')
  class PaintTools {
    @Action({ description: 'Paints', task: 'on-demand' }) async paint(ctx: ToolContext): Promise<string> {
      await ctx.startTask();
      return 'painted';
    }
  }
  @Module({ controllers: [PaintTools] })
  class PaintModule {}
  const logger = new MemoryLogger();
  const app = await McpApplication.create(PaintModule, { logger, accessLog: true });
  const requests = new TaskRequests((request) => app.fetch(request));
  const { taskId } = await requests.result('tools/call', {
    name: 'doors',
    arguments: { action: 'paint' },
  });
  let status: unknown;
  while (status !== 'completed') ({ status } = await requests.result('tasks/get', { taskId }));
  await app.close();
  const calls = served(logger).filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['tool', 'task'],
    ['task', 'ok'],
  ]);
});

test('nothing is logged unless it is asked for', async () => {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(DoorModule, { logger });
  await app.call('doors', open('front'));
  expect(served(logger)).toEqual([]);
  await app.close();
});

describe('onError', () => {
  const CAUSE = new RangeError('out of bounds');

  @Injectable({ scope: 'request' })
  class Lock {
    dispose(): never {
      throw CAUSE;
    }
  }
  @ToolGroup('doors')
  class FailingTools {
    @Action('Fails') fail(): never {
      throw new Error('jammed', { cause: CAUSE });
    }
    @Action('Shows') show({ code }: Door): never {
      throw new Error(`no ${code}`);
    }
    @Action('Refuses') refuse(): never {
      throw new ToolError('LOCKED', 'It is locked');
    }
    @Action('Locks') lock(@Inject(Lock) _lock: Lock): string {
      return 'locked';
    }
  }
  @Module({ controllers: [FailingTools], providers: [Lock] })
  class FailingModule {}

  async function failing(onError: (error: unknown, record: LogRecord) => unknown) {
    const logger = new MemoryLogger();
    const app = await McpApplication.create(FailingModule, { logger, onError, maskErrors: true });
    return { app, logger };
  }

  test('gets the whole error under the id that the client sees, and no declared one', async () => {
    const got: [unknown, LogRecord][] = [];
    const { app } = await failing((...given) => got.push(given));
    const result = await app.call('doors', { action: 'fail' });
    await app.call('doors', { action: 'refuse' });
    const [[error, record] = []] = got;
    expect(got).toHaveLength(1);
    expect(error).toMatchObject({ message: 'jammed', cause: CAUSE, stack: expect.stringContaining('fail') });
    expect(record).toMatchObject({ event: 'call.failed', tool: 'doors', action: 'fail' });
    expect(JSON.stringify(result)).toContain(String(record?.['reference']));
    expect(JSON.stringify(result)).not.toContain('jammed');
    await app.close();
  });

  test('gets what went wrong where nobody sees it', async () => {
    const got: [unknown, LogRecord][] = [];
    const { app } = await failing((...given) => got.push(given));
    expect((await app.call('doors', { action: 'lock' })).isError).toBeFalsy();
    expect(got).toMatchObject([
      [{ errors: [{ cause: CAUSE }] }, { event: 'scope.dispose-failed', tool: 'doors', action: 'lock' }],
    ]);
    await app.close();
  });

  test('gets no sensitive value', async () => {
    const got: string[] = [];
    const { app } = await failing((error) => got.push(String((error as Error).stack)));
    await app.call('doors', { action: 'show', name: 'front', code: CODE });
    expect(got.join()).toContain('no [redacted]');
    expect(got.join()).not.toContain(CODE);
    await app.close();
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
  ])('a hook that %s breaks nothing, and is logged', async (_name, hook) => {
    const { app, logger } = await failing(hook);
    const result = await app.call('doors', { action: 'fail' });
    expect(JSON.stringify(result)).toContain('Reference');
    await Promise.resolve();
    expect(logger.records.map(({ event }) => event)).toEqual(['call.failed', 'error-hook.failed']);
    await app.close();
  });
});
