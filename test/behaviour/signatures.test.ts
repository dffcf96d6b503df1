import { afterEach, describe, expect, test } from '@jest/globals';
import type { CallToolRequest } from '@modelcontextprotocol/sdk/types.js';
import { IsString } from 'class-validator';
import {
  Action,
  createTool,
  Destructive,
  McpApplication,
  Module,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
  type GroupedToolBuilder,
  type RequiresOptions,
} from 'toolwright';
import { countToolTokens } from 'toolwright/tokens';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { createAppWithCallers } from '../support/callers.ts';
import { createCrm } from '../support/crm-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { parseSignatures } from '../support/parse-signatures.ts';
import { textOf } from '../support/text-of.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function open(module: new () => object, options?: ApplicationOptions): Promise<TestApplication> {
  const app = await createTestApplication(module, options);
  opened.push(app);
  return app;
}

async function toolsOf(app: TestApplication) {
  const client = await app.client();
  return (await client.listTools()).tools;
}

async function call(app: TestApplication, request: CallToolRequest['params']): Promise<CallToolResult> {
  return (await (await app.client()).callTool(request)) as CallToolResult;
}

test('62: a client of the CRM reads one line for each action', async () => {
  const [crm] = await toolsOf(await open(createCrm('signatures')));
  expect(crm?.description).toBe(
    [
      'Customers of the company. Actions:',
      'customers.records.find(text?, tier?, limit?): Find customers',
      'customers.records.get(customer): Show one customer',
      'customers.records.create(name, email?, tier?): Add a customer',
      'customers.records.update(customer, name?, email?, tier?): Change a customer',
      'customers.records.merge(customer, into): Merge a customer into another one',
      'customers.records.remove(customer): Delete a customer and all tickets [destructive] [asks first]',
      '# customers.contacts: How to reach a customer',
      'customers.contacts.list(customer): List the ways to reach a customer',
      'customers.contacts.add(customer, kind, number (if kind="phone"), email (if kind="email")): Add a way to reach a customer',
      'customers.contacts.remove(contact): Remove a way to reach a customer [destructive]',
    ].join('\n'),
  );
});

test('62: the CRM costs 1,020 tokens at most, and less than in each other way', async () => {
  const tokensOf = async (describe: 'plain' | 'toon' | 'signatures') => {
    const tools = await toolsOf(await open(createCrm(describe)));
    const counted = tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description: description?.replace(/^# .*\n/gm, ''),
      inputSchema,
      annotations,
    }));
    return (await countToolTokens(counted)).tokens;
  };
  const signatures = await tokensOf('signatures');
  expect(signatures).toBeLessThanOrEqual(1020);
  expect(signatures).toBeLessThan(0.75 * (await tokensOf('plain')));
  expect(signatures).toBeLessThan(0.75 * (await tokensOf('toon')));
});

class Request {
  @IsString() request!: string;
}

const COUNT = 40;
const SENTENCE = 'Look for requests that match a text. The newest come first, and closed ones last';

/** Forty actions, of which every tenth is destructive and the first three are for readers. */
function desk(clerk: RequiresOptions = {}): GroupedToolBuilder {
  const builder = createTool('desk', { describe: 'signatures' }).description('A desk');
  for (let index = 0; index < COUNT; index += 1) {
    builder.action({
      name: `s${String(index)}`,
      description: SENTENCE,
      input: Request,
      destructive: index % 10 === 9,
      requires: index < 3 ? {} : clerk,
      handler: ({ request }) => request,
    });
  }
  return builder;
}

@Module({})
class Nothing {}

test('68: a desk of 40 actions keeps every key and every mark within what clients read', async () => {
  const app = await open(Nothing, { logger: new MemoryLogger() });
  app.app.registry.register(desk());
  const [{ description = '' } = {}] = await toolsOf(app);
  expect(description.length).toBeLessThanOrEqual(2048);
  const { actions } = parseSignatures(description);
  expect(actions.map(({ key }) => key)).toEqual(
    Array.from({ length: COUNT }, (_, index) => `s${String(index)}`),
  );
  expect(actions.filter(({ rest }) => rest.endsWith('[destructive]'))).toHaveLength(4);
  expect(app.app.advice()).toContainEqual(
    expect.objectContaining({
      code: 'TW_SURFACE_SHORTENED',
      where: 'tool "desk"',
      what: `has a shorter description, of ${String(description.length)} characters: descriptions are cut at 24 characters.`,
    }),
  );
});

test('70: a caller who sees 3 of 40 actions reads their whole texts', async () => {
  const app = await createAppWithCallers(Nothing, {});
  opened.push(app.app);
  app.app.registry.register(desk({ roles: ['clerk'] }));
  const listed = async (caller: object) =>
    (await app.result<{ tools: readonly { description: string }[] }>(caller, 'tools/list')).tools;
  const [seen] = await listed({ sub: 'ada' });
  expect(seen?.description).toBe(
    ['A desk. Actions:', ...['s0', 's1', 's2'].map((key) => `${key}(request): ${SENTENCE}`)].join('\n'),
  );
  const [whole] = await listed({ sub: 'eve', roles: ['clerk'] });
  expect(parseSignatures(whole?.description ?? '').actions).toHaveLength(COUNT);
});

/** Actions with names so long that no description holds them. */
function large(groups: number, perGroup: number): GroupedToolBuilder {
  const builder = createTool('large', { describe: 'signatures' }).description('Much');
  const action = (index: number) => ({
    name: `an-action-with-a-long-name-${String(index)}`,
    description: 'Does it',
    input: Request,
    tags: [`nth${String(index)}`],
    handler: ({ request }: Request) => `${request} ${String(index)}`,
  });
  const indices = Array.from({ length: perGroup }, (_, index) => index);
  if (groups === 0) for (const index of indices) builder.action(action(index));
  for (let group = 0; group < groups; group += 1)
    builder.group(`g${String(group)}`, `Group ${String(group)}`, (members) => {
      for (const index of indices) members.action(action(index));
    });
  return builder;
}

describe('69: more actions than one description can name', () => {
  async function serve(builder: GroupedToolBuilder) {
    const app = await open(Nothing, { logger: new MemoryLogger() });
    app.app.registry.register(builder);
    return app;
  }
  const told = ({ app }: TestApplication) =>
    app.advice().filter(({ code }) => code === 'TW_SURFACE_SHORTENED');

  test('are one tool with plain text where they have no groups, because that costs less than a tool for each', async () => {
    const app = await serve(large(0, 300));
    const tools = await toolsOf(app);
    expect(tools).toMatchObject([{ name: 'large', description: 'Much' }]);
    expect(told(app)).toMatchObject([{ what: expect.stringContaining('without signatures') as unknown }]);
    const args = { action: 'an-action-with-a-long-name-7', request: 'x' };
    expect(textOf(await call(app, { name: 'large', arguments: args }))).toBe('x 7');
    const few = await toolsOf(await serve(large(0, 60)));
    expect(few[0]?.description).toContain('Actions: an-action-with-a-long-name-0, an-action-with');
  });

  test('are tools of their own where that costs less, and name the replacement as the tool that it is', async () => {
    const inputOf = (word: string) => {
      const names = Array.from({ length: 60 }, (_, index) => `a_field_of_${word}_number_${String(index)}`);
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
      return { type: 'object', properties, required: names } as const;
    };
    const builder = createTool('large', { describe: 'signatures' });
    const deprecated = { since: '1.0.0', use: 'new' };
    for (const [name, more] of [
      ['new', {}],
      ['old', { deprecated }],
    ] as const)
      builder.action({ name, description: 'Does it', input: inputOf(name), ...more, handler: () => name });
    builder.action({ name: 'none', handler: () => 'none' });
    const app = await serve(builder);
    const tools = await toolsOf(app);
    expect(tools.map(({ name }) => name)).toEqual(['large_new', 'large_old', 'large_none']);
    expect(tools[1]?.description).toContain('Deprecated since 1.0.0; use large_new');
    expect(told(app)).toMatchObject([
      { what: expect.stringContaining('one tool for each action') as unknown },
    ]);
  });

  test('are one tool for each group, which keeps the whole keys', async () => {
    const app = await serve(large(10, 30));
    const tools = await toolsOf(app);
    expect(tools.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `large_g${String(index)}`),
    );
    expect(tools[3]?.description?.split('\n').slice(0, 2)).toEqual([
      'Group 3. Actions:',
      'g3.an-action-with-a-long-name-0(request): Does it',
    ]);
    expect(told(app)).toMatchObject([
      { what: expect.stringContaining('10 tools, one for each group') as unknown },
    ]);
    const third = {
      name: 'large_g3',
      arguments: { action: 'g3.an-action-with-a-long-name-4', request: 'x' },
    };
    expect(textOf(await call(app, third))).toBe('x 4');
    const elsewhere = { ...third, name: 'large_g2' };
    expect(textOf(await call(app, elsewhere))).toContain('Unknown action');
  });

  test('and only the group that is still too long is plain text', async () => {
    const builder = large(2, 20);
    builder.group('many', (members) => {
      for (let index = 0; index < 200; index += 1)
        members.action({ name: `step-${String(index)}`, handler: () => 'done' });
    });
    const tools = await toolsOf(await serve(builder));
    expect(tools.map(({ name }) => name)).toEqual(['large_g0', 'large_g1', 'large_many']);
    expect(tools[2]?.description).toContain('many (step-0,step-1,');
  });

  test('whose names stay the same for a caller who sees few of them', async () => {
    const app = await serve(large(10, 30));
    const few = app.app.registry.getTools({ anyTag: ['nth1'] });
    expect(few.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `large_g${String(index)}`),
    );
  });
});

test('an application says in its log what was shortened, and checks names of parts', async () => {
  @ToolGroup({ name: 'shop', describe: 'signatures' })
  class Shop {}
  @ToolGroup({ name: 'a', parent: Shop })
  class PartA {
    @Action('x'.repeat(3000)) run(_request: Request): void {}
  }
  @ToolGroup({ name: 'b', parent: Shop })
  class PartB {
    @Action('Remove') @Destructive() remove(): void {}
  }
  @Module({ controllers: [Shop, PartA, PartB] })
  class ShopModule {}
  const logger = new MemoryLogger();
  const app = await McpApplication.create(ShopModule, { logger });
  opened.push(app);
  expect(logger.records.filter(({ event }) => event === 'surface.notice')).toMatchObject([
    { level: 'notice', code: 'TW_SURFACE_SHORTENED' },
  ]);
  expect(app.definitions[0]?.description).toMatch(
    /^shop\. Actions:\na\.run\(request\): x+…\nb\.remove\(\): Remove \[destructive\]$/,
  );
});

test('a part that would have the name of another tool is a problem at the start', async () => {
  @ToolGroup({ name: 'x_g0' })
  class Other {
    @Action() look(): void {}
  }
  @ToolGroup({ name: 'x', describe: 'signatures', description: 'y'.repeat(2030) })
  class Root {}
  @ToolGroup({ name: 'g0', parent: Root, description: 'Zero' })
  class Zero {
    @Action() look(): void {}
  }
  @ToolGroup({ name: 'g1', parent: Root, description: 'One' })
  class One {
    @Action() look(): void {}
  }
  @Module({ controllers: [Other, Root, Zero, One] })
  class Both {}
  await expect(McpApplication.create(Both)).rejects.toThrow('TW_COMPILE_NAME_TAKEN');
});
