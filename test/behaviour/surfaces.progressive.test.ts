import { afterEach, describe, expect, test } from '@jest/globals';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  createTool,
  Destructive,
  Field,
  McpApplication,
  Module,
  ReadOnly,
  Sensitive,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
  type Class,
} from 'toolwright';
import { countToolTokens, loadTokenizer } from 'toolwright/tokens';
import { connectHttp, post2026, REVISION_2026 } from '../support/client-of-2026.ts';
import { createCrm } from '../support/crm-app.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Book {
  @IsString() isbn!: string;
  @IsOptional() @IsInt() copies?: number;
}
class Secret {
  @IsString() @Sensitive() password!: string;
}

const ran: string[] = [];

@ToolGroup({ name: 'books', description: 'Books of the library' })
class Books {
  @Action({ description: 'Show a book', pin: true }) @ReadOnly() show({ isbn }: Book): string {
    ran.push('show');
    return `book ${isbn}`;
  }
  @Action('Add a book') add({ isbn, copies = 1 }: Book): string {
    ran.push('add');
    return `added ${String(copies)} of ${isbn}`;
  }
  @Action('Throw a book away') @Destructive() discard({ isbn }: Book): string {
    ran.push('discard');
    return `discarded ${isbn}`;
  }
  @Action('Unlock the safe') unlock(_secret: Secret): void {
    ran.push('unlock');
  }
  @Action({ description: 'Lend a book', deprecated: { since: '1.0.0', use: 'add' } }) lend(
    _book: Book,
  ): void {
    ran.push('lend');
  }
}
@Module({ controllers: [Books] })
class BooksModule {}
@Module({})
class Nothing {}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function create(module: Class, options: ApplicationOptions = {}): Promise<McpApplication> {
  ran.length = 0;
  const app = await McpApplication.create(module, {
    ...{ logger: new MemoryLogger(), surface: 'progressive' },
    ...options,
  });
  opened.push(app);
  return app;
}

interface Info {
  readonly name: string;
  readonly version: string;
}
const TESTER: Info = { name: 'tester', version: '1.0.0' };

async function connect2025(url: string, info = TESTER): Promise<Client> {
  const client = new Client(info);
  opened.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function connect2026(url: string, info = TESTER): Promise<Client2> {
  const client = new Client2(info, { versionNegotiation: { mode: { pin: REVISION_2026 } } });
  opened.push(client);
  return connectHttp(client, url);
}

/** An application of so many actions: 10 in each group. */
function buildMany(count: number) {
  return Array.from({ length: count / 10 }, (_group, group) => {
    const tool = createTool(`area${String(group)}`).description(
      `What there is to do in the area ${String(group)}`,
    );
    for (let index = 0; index < 10; index += 1)
      tool.action({
        name: `act${String(index)}`,
        description: `Does the thing ${String(index)} in ${String(group)}`,
        readOnly: index % 2 === 0,
        handler: () => 'done',
      });
    return tool;
  });
}

const FINDING = ['find_actions', 'read_action', 'call_action'];

describe.each([
  ['2025', connect2025],
  ['2026', connect2026],
] as const)('a client of %s', (_era, connect) => {
  const open = async (module: Class = BooksModule, options?: ApplicationOptions) => {
    const { url } = await (await create(module, options)).listen({ port: 0 });
    const client = await connect(url);
    const call = async (name: string, args: object = {}): Promise<CallToolResult> =>
      (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
    return { client, call };
  };

  test('is listed what finds actions and calls them, and the pinned ones', async () => {
    const { client } = await open();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...FINDING, 'books_show']);
    expect(tools.map(({ annotations }) => [annotations?.readOnlyHint, annotations?.destructiveHint])).toEqual(
      [
        [true, false],
        [true, false],
        [false, true],
        [true, false],
      ],
    );
  });

  test('48: gets the groups where it asks for nothing', async () => {
    const { call } = await open(createCrm('plain'));
    const result = await call('find_actions');
    expect(textOf(result)).toBe(
      [
        '20 actions. Find them by query, or list those of a group:',
        'crm.customers.records (6)',
        'crm.customers.contacts (3): How to reach a customer',
        'tickets (7): Requests of customers',
        'orders (3): What customers bought',
        'reports (1): Figures of the company',
      ].join('\n'),
    );
    expect(result.structuredContent).toMatchObject({
      groups: [{ group: 'crm.customers.records', actions: 6 }, {}, {}, {}, {}],
      total: 20,
    });
  });

  test('finds actions by words, with what they take', async () => {
    const { call } = await open(createCrm('plain'));
    const result = await call('find_actions', { query: 'remove customer', limit: 2 });
    expect(textOf(result)).toBe(
      [
        'crm.customers.contacts.remove(contact: string): Remove a way to reach a customer [destructive]',
        'crm.customers.records.remove(customer: string): Delete a customer and all tickets [destructive] [asks first]',
        '12 more match; narrow the query or raise limit.',
      ].join('\n'),
    );
    expect(result.structuredContent).toEqual({
      actions: [
        {
          key: 'crm.customers.contacts.remove',
          signature: 'crm.customers.contacts.remove(contact: string)',
          description: 'Remove a way to reach a customer',
          readOnly: false,
          destructive: true,
        },
        expect.objectContaining({ key: 'crm.customers.records.remove' }),
      ],
      total: 14,
    });
  });

  test('finds the actions of a group, and one with its schema', async () => {
    const { call } = await open(createCrm('plain'));
    expect(textOf(await call('find_actions', { group: 'crm.customers.contacts' }))).toMatch(
      /^crm\.customers\.contacts\.list\(.*\n.*contacts\.add\(.*\n.*contacts\.remove\([^\n]*$/,
    );
    const [line, schema = ''] = textOf(
      await call('find_actions', { key: 'crm.customers.records.get', schema: true }),
    ).split('\n');
    expect(line).toBe('crm.customers.records.get(customer: string): Show one customer [read-only]');
    expect(JSON.parse(schema)).toMatchObject({ type: 'object', required: ['customer'] });
  });

  test('52: gets the groups where nothing fits', async () => {
    const { call } = await open();
    for (const query of ['xylophone', 'what is the', 'y'.repeat(10_000)])
      expect(textOf(await call('find_actions', { query }))).toBe(
        'No action fits.\n5 actions. Find them by query, or list those of a group:\nbooks (5): Books of the library',
      );
    expect(textOf(await call('find_actions', { group: 'cellar' }))).toMatch(/^No action fits/);
    expect(textOf(await call('find_actions', { query: `${'x '.repeat(100)}book` }))).toMatch(
      /^No action fits/,
    );
  });

  test('is shown what is wrong with what it looks for', async () => {
    const { call } = await open();
    const result = await call('find_actions', { limti: 3, limit: 21, query: 5 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('- limti: received number 3; did you mean limit?');
    expect(textOf(result)).toContain('- limit: expected an integer from 1 to 20; received number 21');
    expect(textOf(result)).toContain('- query: expected a string; received number 5');
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_each, index) => [`x${String(index)}`, 1]));
    expect(JSON.stringify(await call('find_actions', many)).length).toBeLessThan(64 * 1024);
  });

  test('55: calls by the key, with arguments as an object or as its JSON text', async () => {
    const { call } = await open();
    const args = { isbn: '1', copies: 2 };
    for (const carried of [args, JSON.stringify(args)])
      expect(textOf(await call('call_action', { action: 'books.add', arguments: carried }))).toBe(
        'added 2 of 1',
      );
    expect(textOf(await call('read_action', { action: 'books.show', arguments: { isbn: '1' } }))).toBe(
      'book 1',
    );
    expect(ran).toEqual(['add', 'add', 'show']);
    for (const carried of ['isbn 1', '[1]', 7, ['1']]) {
      const result = await call('call_action', { action: 'books.add', arguments: carried });
      expect(factsOf(result)).toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path: 'arguments' }] });
    }
    expect(ran).toHaveLength(3);
  });

  test('54: is shown which argument is wrong, and what the action takes', async () => {
    const { call } = await open();
    const result = await call('call_action', { action: 'books.add', arguments: { isnb: '1', copies: 1.5 } });
    expect(factsOf(result)).toMatchObject({ code: 'VALIDATION_FAILED', action: 'add' });
    const lines = textOf(result).split('\n');
    expect(lines).toContain('- arguments.isnb: received [redacted]; did you mean isbn?');
    expect(lines).toContain('Accepted fields of arguments: isbn, copies');
    expect(lines.join()).toContain('arguments.copies: expected integer');
    expect(lines.at(-1)).toBe('Signature: books.add(isbn: string, copies?: integer)');
    const beside = await call('call_action', { action: 'books.add', isbn: '1' });
    expect(textOf(beside)).toContain('- isbn: did you mean arguments.isbn?');
    expect(ran).toEqual([]);
  });

  test('56: a class is a promise: what reads does not write', async () => {
    const { call } = await open();
    for (const key of ['books.add', 'books.discard']) {
      const result = await call('read_action', { action: key, arguments: { isbn: '1' } });
      expect(factsOf(result)).toMatchObject({
        code: 'NOT_READ_ONLY',
        action: key,
        suggestion: 'call_action',
      });
      expect(textOf(result)).toContain(`Did you mean call_action: ${key}?`);
    }
    expect(ran).toEqual([]);
  });

  test('57: gets the three nearest keys in the place of one that there is not', async () => {
    const { call } = await open(createCrm('plain'));
    for (const name of ['call_action', 'read_action']) {
      const result = await call(name, { action: 'crm.contact.delete', arguments: {} });
      expect(factsOf(result)).toMatchObject({ code: 'UNKNOWN_ACTION' });
      expect(textOf(result)).toMatch(
        /^Unknown action "crm.contact.delete". Did you mean \S+, \S+ or \S+\?\n/,
      );
      expect(textOf(result)).toContain('crm.customers.contacts.remove');
    }
    const none = await call('find_actions', { key: 'xylophone' });
    expect(textOf(none)).toBe('Unknown action "xylophone"\nCode: UNKNOWN_ACTION');
    expect(factsOf(await call('call_action', {}))).toMatchObject({ code: 'MISSING_DISCRIMINATOR' });
    expect(factsOf(await call('call_action', { action: ['books.add'] }))).toMatchObject({
      code: 'INVALID_DISCRIMINATOR',
    });
  });

  test('59: calls a pinned action both ways', async () => {
    const { call } = await open();
    expect(textOf(await call('books_show', { isbn: '1' }))).toBe('book 1');
    expect(textOf(await call('call_action', { action: 'books.show', arguments: { isbn: '1' } }))).toBe(
      'book 1',
    );
  });

  test('does not repeat what may be a secret', async () => {
    const { call } = await open();
    for (const carried of ['hunter2', { password: 5, hunter2: 'hunter2' }])
      expect(
        JSON.stringify(await call('call_action', { action: 'books.unlock', arguments: carried })),
      ).not.toContain('received string');
  });

  test('sees that an action is over, and what is there in its place', async () => {
    const { call } = await open();
    expect(textOf(await call('find_actions', { key: 'books.lend' }))).toBe(
      'books.lend(isbn: string, copies?: integer): Lend a book [deprecated: use books.add]',
    );
  });

  test('27: reaches them by these names from each other surface, and those of others from here', async () => {
    for (const use of ['own', 'grouped', 'grouped-by-risk', 'flat'] as const) {
      const { call } = await open(BooksModule, { surface: { use } });
      const args = { action: 'books.show', arguments: { isbn: '1' } };
      expect(textOf(await call('read_action', args))).toBe('book 1');
      expect(textOf(await call('find_actions', { query: 'throw' }))).toMatch(/^books\.discard\(/);
    }
    const { call } = await open();
    expect(textOf(await call('books', { action: 'add', isbn: '1' }))).toBe('added 1 of 1');
    expect(textOf(await call('books_discard', { isbn: '1' }))).toBe('discarded 1');
    const { call: alone } = await open(BooksModule, { surface: { use: 'progressive', foreignNames: false } });
    expect(factsOf(await alone('books_discard', { isbn: '1' }))).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });
});

describe('47: the list', () => {
  const listOf = async (count: number) => {
    const app = await create(Nothing, { surface: { use: 'progressive', choose: false } });
    app.registry.registerAll(...buildMany(count));
    const { url } = await app.listen({ port: 0 });
    const client = await connect2025(url);
    const { tools } = await client.listTools();
    const { structuredContent, content } = await client.callTool({ name: 'find_actions', arguments: {} });
    return { tools, structuredContent, text: textOf({ content }) };
  };

  test('is the same for 20 and for 1,000 actions, and so are the tokens of an overview', async () => {
    const [few, many] = [await listOf(20), await listOf(1000)];
    expect(many.tools).toEqual(few.tools);
    expect((await countToolTokens(many.tools)).tokens).toBeLessThanOrEqual(450);
    const count = await loadTokenizer();
    for (const { text, structuredContent } of [few, many]) {
      expect(count(text)).toBeLessThanOrEqual(500);
      expect(count(JSON.stringify(structuredContent))).toBeLessThanOrEqual(500);
    }
    expect(many.structuredContent).toMatchObject({ total: 1000 });
    expect(many.text).toMatch(/\n\d+ more groups; find their actions by query\.$/);
  });

  test('says that calls may be tasks where one of the actions may become one', async () => {
    const app = await create(Nothing);
    const run = { description: 'Runs', handler: () => 'done' };
    app.registry.register(
      createTool('a')
        .action({ ...run, name: 'b', readOnly: true })
        .action({ ...run, name: 'c', task: true }),
    );
    const { url } = await app.listen({ port: 0 });
    const { tools } = await (await connect2025(url)).listTools();
    expect(tools.map(({ execution }) => execution?.taskSupport)).toEqual([undefined, undefined, 'optional']);
  });

  test('42: changes with the tools', async () => {
    const app = await create(Nothing);
    const { url } = await app.listen({ port: 0 });
    app.registry.register(
      createTool('first').action({ name: 'run', description: 'Runs', handler: () => 'ran' }),
    );
    const client = await connect2026(url);
    const find = async (query: string) =>
      textOf(await client.callTool({ name: 'find_actions', arguments: { query } }));
    expect(await find('run')).toBe('first.run(): Runs');
    app.registry.register(
      createTool('other').action({ name: 'run', description: 'Runs', handler: () => 'ran' }),
    );
    expect(await find('run')).toBe('first.run(): Runs\nother.run(): Runs');
    app.registry.unregister('first');
    expect(await find('run')).toBe('other.run(): Runs');
    app.registry.disable('other');
    const answer = await client.callTool({ name: 'find_actions', arguments: {} });
    expect(factsOf(answer as CallToolResult)).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });
});

describe('arguments that headers repeat', () => {
  class Deployment {
    @IsString() @Field({ header: 'Region' }) region!: string;
  }
  @ToolGroup('deploy')
  class Deploys {
    @Action({ description: 'Start', pin: true }) start({ region }: Deployment): string {
      return region;
    }
  }
  @ToolGroup('deploy')
  class Unpinned {
    @Action('Start') start({ region }: Deployment): string {
      return region;
    }
  }
  @Module({ controllers: [Deploys] })
  class DeployModule {}
  @Module({ controllers: [Unpinned] })
  class UnpinnedModule {}

  test('60: need a tool of their own where clients get the surface', async () => {
    await expect(create(UnpinnedModule)).rejects.toThrow(/TW_SURFACE_PIN: Unpinned\.start\(\)[^]*pin: true/);
    await expect(
      create(UnpinnedModule, { surface: { use: 'auto', clients: { codex: 'progressive' } } }),
    ).rejects.toThrow('TW_SURFACE_PIN');
    // Clients may choose it here, and are listed the action
    const { url } = await (await create(UnpinnedModule, { surface: 'flat' })).listen({ port: 0 });
    const { tools } = await (await connect2026(`${url}/progressive`)).listTools();
    expect(tools.map(({ name }) => name)).toEqual([...FINDING, 'deploy_start']);
  });

  test('are in calls of that tool, and no other call runs the action', async () => {
    const { url } = await (await create(DeployModule)).listen({ port: 0 });
    const ask = async (name: string, args: object, headers = {}) => {
      const { body } = await post2026(url, 'tools/call', { name, arguments: args }, headers);
      const { result, error } = JSON.parse(body) as { result?: CallToolResult; error?: { code: number } };
      return result === undefined ? error?.code : textOf(result);
    };
    expect(await ask('deploy_start', { region: 'north' }, { 'Mcp-Param-Region': 'north' })).toBe('north');
    expect(await ask('deploy_start', { region: 'north' })).toBe(-32020);
    const carried = { action: 'deploy.start', arguments: { region: 'north' } };
    expect(await ask('call_action', carried)).toContain('Did you mean the tool deploy_start?');
    expect(await ask('find_actions', { query: 'start' })).toBe(
      'deploy.start(region: string): Start [only as the tool deploy_start]',
    );
  });
});

test('a pinned action cannot have the name of a tool that finds actions', async () => {
  @ToolGroup({ name: 'tools', prefix: '' })
  class Tools {
    @Action({ name: 'find_actions', pin: true }) find(): void {}
  }
  @Module({ controllers: [Tools] })
  class ToolsModule {}
  await expect(create(ToolsModule)).rejects.toThrow(/TW_COMPILE_NAME_TAKEN[^]*"find_actions"/);
});

describe('auto', () => {
  const known = (defers: boolean) => ({
    clients: {
      acme: {
        title: 'Acme',
        match: ['acme'],
        facts: {
          defers: { value: defers, source: 'https://acme.example', date: '2026-11-27', sure: 'seen' },
        },
        choices: { surface: 'grouped' },
      },
    },
  });
  const namesFor = async (options: object, info: Info, count = 100) => {
    const app = await create(Nothing, { surface: { use: 'auto', ...options } });
    app.registry.registerAll(...buildMany(count));
    const { url } = await app.listen({ port: 0 });
    const { tools } = await (await connect2025(url, info)).listTools();
    // For clients of which nobody knows that they read resources
    return tools.map(({ name }) => name).filter((name) => name !== 'read_result');
  };
  const ACME = { name: 'acme', version: '1.0.0' };

  test('lets clients find actions that would load too many definitions at once', async () => {
    expect(await namesFor({ profiles: known(false), progressiveOver: 1000 }, ACME)).toEqual(FINDING);
    expect(await namesFor({ profiles: known(false) }, ACME)).toHaveLength(10);
    expect(await namesFor({ profiles: known(false), progressiveOver: 1000 }, ACME, 20)).toHaveLength(2);
  });

  test('61: lists them all to clients that search themselves, and to those of which nothing is known', async () => {
    expect(await namesFor({ profiles: known(true), progressiveOver: 0 }, ACME)).toHaveLength(10);
    expect(await namesFor({ progressiveOver: 0 }, { name: 'claude-code', version: '2.1.0' })).toHaveLength(
      20,
    );
    expect(await namesFor({ progressiveOver: 0 }, TESTER)).toHaveLength(10);
  });

  test('gives it to a client that the application names', async () => {
    expect(
      await namesFor({ clients: { codex: 'progressive' } }, { name: 'codex-mcp-client', version: '1' }),
    ).toEqual(FINDING);
  });
});
