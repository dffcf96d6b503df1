import { afterEach, describe, expect, test } from '@jest/globals';
import {
  Action,
  createTool,
  McpApplication,
  Module,
  Prompt,
  ToolError,
  ToolGroup,
  ToolRegistry,
  type ApplicationOptions,
  type LogRecord,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { factsOf, textOf } from '../support/text-of.ts';

const SECRET = 'connect ECONNREFUSED postgres://admin:hunter2@10.0.0.5/db';

@ToolGroup('store')
class StoreTools {
  @Action() unexpected(): never {
    throw new Error(SECRET);
  }

  @Action() declared(): never {
    throw new ToolError('FORBIDDEN', 'Sign in first');
  }

  @Prompt() greet(): never {
    throw new Error(SECRET);
  }
}

@Module({ controllers: [StoreTools] })
class StoreModule {}

const environment = process.env['NODE_ENV'];

function setEnvironment(value: string | undefined): void {
  if (value === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = value;
}

afterEach(() => {
  setEnvironment(environment);
});

async function answerOf(options: ApplicationOptions) {
  const records: LogRecord[] = [];
  const app = await McpApplication.create(StoreModule, {
    logger: (record) => records.push(record),
    ...options,
  });
  const result = await app.call('store', { action: 'unexpected' });
  const declared = await app.call('store', { action: 'declared' });
  const invalid = await app.call('store', { action: 'unexpected', other: 1 });
  await app.close();
  return { result, declared, invalid, records };
}

describe('an error that is not meant for clients', () => {
  test.each([[undefined], ['production'], ['staging']])('is masked where NODE_ENV is %p', async (value) => {
    setEnvironment(value);
    const { result, declared, invalid, records } = await answerOf({});
    const { reference } = factsOf(result) as { readonly reference: string };
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(textOf(result)).toContain(`The action failed. Reference: ${reference}`);
    expect(records).toEqual([
      expect.objectContaining({ reference, error: expect.objectContaining({ message: SECRET }) }),
    ]);
    expect(textOf(declared)).toContain('Sign in first');
    expect(textOf(invalid)).toContain('other: unknown field');
  });

  test.each(['development', 'test'])('is shown where NODE_ENV is %s', async (value) => {
    setEnvironment(value);
    expect(textOf((await answerOf({})).result)).toContain(SECRET);
  });

  test.each([
    ['production', false, true],
    ['test', true, false],
  ])('is what maskErrors says, whatever NODE_ENV says: %s', async (value, maskErrors, isTold) => {
    setEnvironment(value);
    expect(textOf((await answerOf({ maskErrors })).result).includes(SECRET)).toBe(isTold);
  });

  test('is shown by the test kit, unless it masks errors', async () => {
    setEnvironment('production');
    const test = await createTestApplication(StoreModule, { logger: () => undefined });
    expect(textOf(await test.call('store', { action: 'unexpected' }))).toContain(SECRET);
    await test.close();
    const masked = await createTestApplication(StoreModule, { logger: () => undefined, maskErrors: true });
    expect(textOf(await masked.call('store', { action: 'unexpected' }))).not.toContain(SECRET);
    await masked.close();
  });

  test('is shown by builders and registries alone, and goes to their log', async () => {
    setEnvironment('production');
    const records: LogRecord[] = [];
    const logger = (record: LogRecord) => records.push(record);
    const fail = () => {
      throw new Error(SECRET);
    };
    const tool = createTool('store', { logger }).action({ name: 'fail', handler: fail });
    expect(textOf(await tool.execute({ action: 'fail' }))).toContain(SECRET);
    const registry = new ToolRegistry({ logger }).register(tool);
    expect(textOf(await registry.routeCall('store', { action: 'fail' }))).toContain(SECRET);
    expect(records.map(({ event }) => event)).toEqual(['call.failed', 'call.failed']);
  });
});

test('builders and registries without a logger write to stderr', async () => {
  const lines: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (text: string) => lines.push(text) > 0;
  try {
    const tool = createTool('store').action({
      name: 'fail',
      handler: () => Promise.reject(new Error('broken')),
    });
    await tool.execute({ action: 'fail' });
    await new ToolRegistry().register(tool).routeCall('store', { action: 'fail' });
  } finally {
    process.stderr.write = write;
  }
  const record = { level: 'error', event: 'call.failed', message: 'store/fail failed: broken' };
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining(record),
    expect.objectContaining(record),
  ]);
});
