import { afterEach, describe, expect, test } from '@jest/globals';
import { IsArray, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Budget,
  content,
  image,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  Injectable,
  McpApplication,
  Module,
  Page,
  Prompt,
  ReadOnly,
  Resource,
  Roles,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
} from 'toolwright';
import { Client } from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beginTask } from '../support/begin-task.ts';
import { connectHttp, REVISION_2026 } from '../support/client-of-2026.ts';
import { createAppWithCallers, tokenOf } from '../support/callers.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { TaskRequests } from '../support/task-requests.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Rows {
  @IsArray() @Page() rows!: string[];
}
class PageRef {
  @IsString() id!: string;
}
class Wide {
  @IsString() text!: string;
}
class Note {
  @IsOptional() @IsString() text?: string;
}

const LINE = 'a line of a text that is long enough';

@ToolGroup('notes')
class Notes {
  @Action({ output: Rows }) rows() {
    return { rows: Array.from({ length: 3000 }, (_, index) => `row ${String(index)} of them`) };
  }
  @Action({ output: Rows }) few() {
    return { rows: Array.from({ length: 20 }, (_, index) => `row ${String(index)} of them`) };
  }
  @Action({ output: Wide }) wide() {
    return { text: 'x'.repeat(200_000) };
  }
  @Action() text() {
    return `${LINE}\n`.repeat(5000);
  }
  @Action({ output: Rows, result: 'toon' }) table() {
    return { rows: ['first', 'second'] };
  }
  @Action() picture() {
    return content('Look:', image('A'.repeat(4000), 'image/png'));
  }
  @Action() @Budget({ bytes: 500_000 }) allowed() {
    return `${LINE}\n`.repeat(5000);
  }
  @Action() short(_input: Note) {
    return 'short';
  }
}

@Module({ controllers: [Notes] })
class NotesModule {}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(options: ApplicationOptions = {}): Promise<McpApplication> {
  const app = await McpApplication.create(NotesModule, { logger: new MemoryLogger(), ...options });
  opened.push(app);
  return app;
}

const PINNED = { versionNegotiation: { mode: { pin: REVISION_2026 } } } as const;

/** How a client calls actions, whichever tools it is listed. */
async function connect(app: McpApplication, name: string, era: 2025 | 2026 = 2025) {
  const { url } = await app.listen({ port: 0 });
  const info = { name, version: '1.0.0' };
  const client = await connectHttp(
    era === 2026 ? new Client(info, PINNED) : (new Client2025(info) as never),
    url,
  );
  opened.push(client);
  const { tools } = await client.listTools();
  const request = async (tool: string, args: object): Promise<CallToolResult> =>
    (await client.callTool({ name: tool, arguments: { ...args } })) as CallToolResult;
  const call = async (action: string): Promise<CallToolResult> => {
    const tool = tools.find(({ inputSchema }) =>
      JSON.stringify(inputSchema.properties?.['action'] ?? {}).includes(`"${action}"`),
    );
    return tool === undefined ? request(`notes_${action}`, {}) : request(tool.name, { action });
  };
  return { tools, call, request };
}

/** The text of a result that may have a link beside it. */
const startOf = ({ content: [block] }: CallToolResult): string => (block?.type === 'text' ? block.text : '');

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('77–81: the form of a result', () => {
  test.each([2025, 2026] as const)('%s: text and structure for clients that are not known', async (era) => {
    const { call } = await connect(await open(), 'some-program', era);
    const result = await call('few');
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(result.structuredContent).toHaveProperty('rows.length', 20);
  });

  test.each([2025, 2026] as const)(
    '%s: structure and a line for clients that read the structure',
    async (era) => {
      const { call } = await connect(await open(), 'codex-mcp-client', era);
      const few = await call('few');
      expect(textOf(few)).toBe('1 member: rows (20)');
      expect(few.structuredContent).toHaveProperty('rows.length', 20);
      expect(textOf(await call('short'))).toBe('short');
      const rows = await call('rows');
      const kept = (rows.structuredContent as { rows: string[] }).rows.length;
      expect(textOf(rows)).toBe(`1 member: rows (${String(kept)})`);
      expect(bytesOf(rows.structuredContent)).toBeLessThanOrEqual(3 * 8000);
      expect(bytesOf(rows.structuredContent)).toBeGreaterThan(3 * 7900);
    },
  );

  test('78: text alone where lists fit the client, and both under a surface that is the same for all', async () => {
    const auto = await connect(await open({ surface: 'auto' }), 'gemini-cli-mcp-client');
    expect(auto.tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    const text = await auto.call('few');
    expect(text).not.toHaveProperty('structuredContent');
    expect(JSON.parse(textOf(text))).toHaveProperty('rows.length', 20);
    const own = await connect(await open(), 'gemini-cli-mcp-client');
    expect(await own.call('few')).toHaveProperty('structuredContent.rows.length', 20);
  });

  test('78: so does a client that gets the tools as its application declares them', async () => {
    const app = await open({ surface: 'auto' });
    const chain = await connect(app, '@langchain/mcp-adapters');
    expect(chain.tools.map(({ name }) => name)).toEqual(['notes', 'read_result']);
    expect(chain.tools[0]).not.toHaveProperty('outputSchema');
    const few = await chain.call('few');
    expect(few).not.toHaveProperty('structuredContent');
    expect(JSON.parse(textOf(few))).toHaveProperty('rows.length', 20);
    const unknown = await connect(app, 'some-program');
    expect(chain.tools[0]?.description).toBe(unknown.tools[0]?.description);
    expect(await unknown.call('few')).toHaveProperty('structuredContent.rows.length', 20);
    expect(app.surfaces['own/outputs-none']?.clients).toEqual(['langchain']);
    expect(app.surfaces['own/outputs-json']?.clients).toEqual(['n8n']);
  });

  test('80: an action with a form of its own sends it alone to clients that would read the structure', async () => {
    const auto = await connect(await open({ surface: 'auto' }), 'claude-code');
    const table = await auto.call('table');
    expect(table).not.toHaveProperty('structuredContent');
    expect(textOf(table)).toContain('first|second');
    const tool = auto.tools.find(({ name }) => name === 'notes_write');
    expect(tool).not.toHaveProperty('outputSchema');
    const own = await connect(await open(), 'claude-code');
    expect(await own.call('table')).toHaveProperty('structuredContent.rows.length', 2);
  });

  test('83: a picture is a line of text for a client that shows none', async () => {
    const app = await open();
    const zed = await (await connect(app, 'Zed')).call('picture');
    expect(zed.content).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'text', text: '[1 image, image/png, 3 kB: this client shows text only]' },
    ]);
    const code = await (await connect(app, 'claude-code')).call('picture');
    expect(code.content[1]).toMatchObject({ type: 'image' });
  });
});

describe('a result that is longer than its client reads', () => {
  test('loses its end at the end of a line, and says so', async () => {
    const app = await open();
    for (const [name, most] of [
      ['gemini-cli-mcp-client', 40_000],
      ['some-program', 75_000],
    ] as const) {
      const text = startOf(await (await connect(app, name)).call('text'));
      expect(text.length).toBeLessThanOrEqual(most);
      expect(text.length).toBeGreaterThan(0.99 * most);
      expect(text).toMatch(
        new RegExp(`${LINE}\n\n\\[cut here: \\d+ of 185000 bytes are missing\\]\nThe result has`),
      );
    }
  });

  test('keeps its structure for programs that are not known, and is an error for clients that read it alone', async () => {
    const app = await open();
    const program = await (await connect(app, 'some-program')).call('wide');
    expect(program.structuredContent).toHaveProperty('text.length', 200_000);
    expect(textOf(program).length).toBeLessThanOrEqual(75_000);
    const code = await (await connect(app, 'claude-code')).call('wide');
    expect(factsOf(code)).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  test('is whole for a program that is not known where the author says how long it may be', async () => {
    const app = await open();
    expect(textOf(await (await connect(app, 'some-program')).call('allowed'))).toHaveLength(185_000);
    expect(startOf(await (await connect(app, 'gemini-cli-mcp-client')).call('allowed')).length).toBeLessThan(
      40_001,
    );
    const all = await open({ limits: { budget: { bytes: 300_000 } } });
    expect(textOf(await (await connect(all, 'some-program')).call('text'))).toHaveLength(185_000);
  });

  test('4: is as long as a correction says', async () => {
    const clients = { codex: { choices: { budget: { tokens: 1000 } } } };
    const app = await open({ surface: { profiles: { clients } } });
    expect(startOf(await (await connect(app, 'codex-mcp-client')).call('text')).length).toBeLessThanOrEqual(
      3000,
    );
    await expect(open({ surface: { profiles: { clients: { codex: { chioces: {} } } } } })).rejects.toThrow(
      'TW_PROFILES_INVALID',
    );
  });

  test('is whole inside the process', async () => {
    const app = await open();
    expect(textOf(await app.call('notes', { action: 'text' }))).toHaveLength(185_000);
  });
});

describe('82: a budget of the author that is larger than a client reads', () => {
  @ToolGroup('reports')
  class Reports {
    @Action() @Budget({ bytes: 200_000 }) long() {
      return `${LINE}\n`.repeat(5000);
    }
    @Action() plain() {
      return `${LINE}\n`.repeat(5000);
    }
    @Action() @Budget({ tokens: 1000 }) @ReadOnly() short() {
      return 'short';
    }
  }
  @Module({ controllers: [Reports] })
  class ReportsModule {}
  const openReports = async (surface?: ApplicationOptions['surface']): Promise<McpApplication> => {
    const options = surface === undefined ? {} : { surface };
    const app = await McpApplication.create(ReportsModule, { logger: new MemoryLogger(), ...options });
    opened.push(app);
    return app;
  };
  const KEY = 'anthropic/maxResultSizeChars';

  test.each([2025, 2026] as const)('%s: is said by the tool, and then read whole', async (era) => {
    const app = await openReports('auto');
    const code = await connect(app, 'claude-code', era);
    const said = code.tools.map(({ name, _meta }) => [name, _meta?.[KEY]]);
    expect(said).toEqual([
      ['reports_read', undefined],
      ['reports_write', 200_000],
    ]);
    expect(textOf(await code.call('long'))).toHaveLength(185_000);
    // The other action of the tool has no budget of its own
    expect(startOf(await code.call('plain')).length).toBeLessThanOrEqual(50_000);
    const codex = await connect(app, 'codex-mcp-client', era);
    expect(codex.tools.filter(({ _meta }) => _meta?.[KEY] !== undefined)).toEqual([]);
    expect(Buffer.byteLength(startOf(await codex.call('long')))).toBeLessThanOrEqual(3 * 8000);
  });

  test('is not said, and the client reads as much as of others, where all clients are listed the same', async () => {
    const code = await connect(await openReports(), 'claude-code');
    expect(code.tools.filter(({ _meta }) => _meta?.[KEY] !== undefined)).toEqual([]);
    expect(startOf(await code.call('long')).length).toBeLessThanOrEqual(50_000);
  });

  test('is never said to be larger than the client takes', async () => {
    const clients = { 'claude-code': { facts: { 'result.limitKey': FACT } } };
    const code = await connect(await openReports({ use: 'auto', profiles: { clients } }), 'claude-code');
    expect(code.tools.map(({ _meta }) => _meta?.['acme/max'])).toEqual([undefined, 90_000]);
    expect(startOf(await code.call('long')).length).toBeLessThanOrEqual(90_000);
    expect(startOf(await code.call('long')).length).toBeGreaterThan(89_000);
  });
});

describe('a task that a worker runs', () => {
  @ToolGroup('reports')
  class Reports {
    @Action({ output: Rows, task: { queue: 'reports' } }) few() {
      return { rows: ['first', 'second'] };
    }
    @Action({ task: { queue: 'reports' } }) long() {
      return `${LINE}\n`.repeat(5000);
    }
    @Action({ task: { queue: 'reports' } }) @Budget({ bytes: 200_000 }) allowed() {
      return `${LINE}\n`.repeat(5000);
    }
  }
  @Module({ controllers: [Reports] })
  class ReportsModule {}

  /** An application whose tasks are run in another one. */
  async function openQueued(profiles: object = {}): Promise<McpApplication> {
    const logger = new MemoryLogger();
    const options = {
      ...{ tasks: { queues: new InMemoryWorkQueue(logger), pollInterval: 20 }, logger, drainTimeout: 0 },
      ...{ backplane: { tasks: new InMemoryTaskStore() }, secrets: ['s'.repeat(32)] },
    };
    const surface = { use: 'auto', profiles: { clients: profiles } } as const;
    const front = await McpApplication.create(ReportsModule, { ...options, surface });
    const own = { ...options, surface: { ...surface, foreignNames: false } };
    const worker = await McpApplication.create(ReportsModule, own);
    opened.push(front, worker);
    await worker.work();
    return front;
  }

  async function connectTo(app: McpApplication, name: string) {
    const { url } = await app.listen({ port: 0 });
    const client = new Client2025({ name, version: '1.0.0' });
    opened.push(client);
    await connectHttp(client as never, url);
    return async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
      const { taskId } = await beginTask(client, tool, args);
      return (await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)) as CallToolResult;
    };
  }

  test('has its result in the form of its client', async () => {
    const app = await openQueued();
    const text = await connectTo(app, 'gemini-cli-mcp-client');
    expect(await text('reports_write', { action: 'few' })).not.toHaveProperty('structuredContent');
    const both = await connectTo(app, 'claude-code');
    expect(await both('reports_write', { action: 'few' })).toHaveProperty('structuredContent');
    expect(textOf(await both('reports_write', { action: 'allowed' }))).toHaveLength(185_000);
    const structured = await connectTo(app, 'openai-mcp');
    expect(textOf(await structured('reports_long'))).toContain('read_result {');
  });

  test('has it also where a header alone says who its client is', async () => {
    const choices = { surface: 'grouped-by-risk', result: 'text', outputSchema: false };
    const app = await openQueued({ acme: { title: 'Acme', userAgent: ['acme/'], choices } });
    const client = new TaskRequests(async (request) => {
      const body = (await request.text()).replace(/"[^"]*clientInfo":\{[^}]*\},/, '');
      return app.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }));
    });
    for (const [agent, name, isText] of [
      ['acme/1.0', 'reports_write', true],
      ['other/1.0', 'reports', false],
    ] as const) {
      const params = { name, arguments: { action: 'few' } };
      const { result } = await client.send('tools/call', params, { 'user-agent': agent });
      const end = await client.end(String(result?.['taskId']));
      expect([agent, 'structuredContent' in (end['result'] as object)]).toEqual([agent, !isText]);
    }
  });
});

/** Another key, and a smaller most. */
const FACT = {
  ...{ value: { key: 'acme/max', max: 90_000 }, source: 'https://acme.example', date: '2026-11-26' },
  sure: 'docs',
};

describe('what clients read that have no resources and prompts', () => {
  @Injectable()
  class Pages {
    @Resource('page://all', { description: 'All pages' }) all() {
      return 'all pages';
    }
    @Resource('page://long') long() {
      return `${LINE}\n`.repeat(5000);
    }
    @Prompt('Ask for much') much() {
      return `${LINE}\n`.repeat(5000);
    }
    @Resource('page://{id}') one({ id }: PageRef) {
      return `page ${id}`;
    }
    @Resource('page://secret') @Roles('clerk') secret() {
      return 'secret';
    }
    @Prompt('Ask for a review') review() {
      return 'Review this';
    }
  }
  @Module({ controllers: [Notes, Pages] })
  class PagesModule {}

  interface Rest {
    readonly id?: string;
    readonly offset?: number;
  }
  const rest = (text: string): Rest => JSON.parse(/read_result (\{.*?\})/.exec(text)?.[1] ?? '{}') as Rest;

  test.each([2025, 2026] as const)(
    '84, %s: a long text is read on to its end, each part within the limit',
    async (era) => {
      const { call, request, tools } = await connect(await open({ surface: 'auto' }), 'openai-mcp', era);
      expect(tools.map(({ name }) => name)).toContain('read_result');
      let text = textOf(await call('text'));
      let whole = '';
      for (let parts = 0; ; parts += 1) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3 * 8000);
        const { id, offset = 0 } = rest(text);
        whole += id === undefined ? text : text.slice(0, text.lastIndexOf('\n['));
        if (id === undefined) break;
        expect(offset).toBe(whole.length);
        expect(parts).toBeLessThan(10);
        text = textOf(await request('read_result', { id, offset }));
      }
      expect(whole).toBe(`${LINE}\n`.repeat(5000));
    },
  );

  test('84: a structure that cannot be cut is read as a text, by its caller alone', async () => {
    const app = await createAppWithCallers(NotesModule, {}, { surface: 'auto' });
    opened.push(app.app);
    const connectAs = async (sub: string) => {
      const client = new Client({ name: 'openai-mcp', version: '1' }, PINNED);
      opened.push(client);
      return connectHttp(client, await app.url(), { authorization: `Bearer ${tokenOf({ sub })}` });
    };
    const [ada, eve] = [await connectAs('ada'), await connectAs('eve')];
    const wide = (await ada.callTool({ name: 'notes_wide', arguments: {} })) as CallToolResult;
    expect(factsOf(wide)).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    const args = { ...rest(textOf(wide)) };
    const part = textOf(await ada.callTool({ name: 'read_result', arguments: args }));
    expect(part).toMatch(/^\{"text":"xxx/);
    const other = (await eve.callTool({ name: 'read_result', arguments: args })) as CallToolResult;
    expect(factsOf(other)).toMatchObject({ code: 'NOT_FOUND' });
    const wrong = (await eve.callTool({ name: 'read_result', arguments: { id: 7 } })) as CallToolResult;
    expect(factsOf(wrong)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('44, 45: are tools for clients that are known to read none, with what their caller may see', async () => {
    const open = await createAppWithCallers(PagesModule, {}, { surface: { use: 'auto', asTools: 'auto' } });
    opened.push(open.app);
    const connectAs = async (name: string, roles: readonly string[] = []) => {
      const client = new Client({ name, version: '1' }, PINNED);
      opened.push(client);
      return connectHttp(client, await open.url(), {
        authorization: `Bearer ${tokenOf({ sub: 'ada', roles })}`,
      });
    };
    const namesFor = async (name: string) =>
      (await (await connectAs(name)).listTools()).tools.map((tool) => tool.name);
    const added = ['read_resource', 'get_prompt'];
    expect(await namesFor('openai-mcp')).toEqual(expect.arrayContaining(added));
    expect(
      (await namesFor('claude-code')).filter((name) => [...added, 'read_result'].includes(name)),
    ).toEqual([]);
    const chat = await connectAs('openai-mcp');
    const { tools } = await chat.listTools();
    const read = tools.find(({ name }) => name === 'read_resource');
    expect(read?.description).toBe(
      'Reads a resource of this server.\npage://{id}: one\npage://all: All pages\npage://long: long',
    );
    const call = async (client: Client, name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult;
    expect(textOf(await call(chat, 'read_resource', { uri: 'page://7' }))).toBe('page 7');
    expect(textOf(await call(chat, 'get_prompt', { name: 'review' }))).toBe('Review this');
    // What a client would not read whole is read on to its end; by the protocol's own method it is never cut
    for (const [name, args] of [
      ['read_resource', { uri: 'page://long' }],
      ['get_prompt', { name: 'much' }],
    ] as const) {
      const long = textOf(await call(chat, name, args));
      expect(Buffer.byteLength(long)).toBeLessThanOrEqual(3 * 8000);
      const { id = '', offset = 0 } = rest(long);
      const more = textOf(await call(chat, 'read_result', { id, offset }));
      expect([name, more.slice(0, LINE.length)]).toEqual([name, LINE]);
    }
    const { contents } = await chat.readResource({ uri: 'page://long' });
    expect(contents).toEqual([expect.objectContaining({ text: `${LINE}\n`.repeat(5000) })]);
    const clerk = await connectAs('openai-mcp', ['clerk']);
    expect(textOf(await call(clerk, 'read_resource', { uri: 'page://secret' }))).toBe('secret');
    const hidden = await call(chat, 'read_resource', { uri: 'other://secret' });
    expect(hidden).toMatchObject({ isError: true });
    expect(textOf(await call(chat, 'read_resource', { uri: 'page://secret' }))).toBe('page secret');
  });

  test('are tools for all clients where the application says so', async () => {
    const app = await McpApplication.create(PagesModule, {
      ...{ logger: new MemoryLogger(), auth: false as const, surface: { asTools: true } },
    });
    opened.push(app);
    const { tools } = await connect(app, 'some-program');
    expect(tools.map(({ name }) => name)).toEqual(['notes', 'read_resource', 'get_prompt', 'read_result']);
  });
});
