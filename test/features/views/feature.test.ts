import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsString } from 'class-validator';
import { Action, Destructive, McpApplication, Module, ReadOnly, Roles, ToolGroup } from 'toolwright';
import { View, type ViewResult } from 'toolwright/apps';
import { testVerifier, tokenOf } from '../../support/callers.ts';
import { client2025, client2026, connectHttp } from '../../support/client-of-2026.ts';

const HTML = '<!doctype html><title>Board</title>';
const BOARD = 'ui://tasks/board';
const VIEW_TYPE = 'text/html;profile=mcp-app';
const SHOWING = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] } } };
const CSP = { connectDomains: ['https://api.example.com'] };

class TaskRef {
  @IsString() id!: string;
}

@ToolGroup('tasks')
class Tasks {
  @Action('Show the board')
  @ReadOnly()
  @View(BOARD, { html: HTML, title: 'The board', csp: CSP, permissions: ['clipboardWrite'] })
  board() {
    return { columns: ['open', 'done'] };
  }

  @Action('Move a task')
  @View({ visibility: ['app'] })
  move({ id }: TaskRef): string {
    return `${id} is moved`;
  }

  @Action('Add a task')
  @View(BOARD)
  add({ id }: TaskRef): string {
    return `${id} is added`;
  }

  @Action('Read a task') @ReadOnly() read({ id }: TaskRef): string {
    return id;
  }

  @Action('Remove a task') @Destructive() remove({ id }: TaskRef): string {
    return `${id} is removed`;
  }
}

@Module({ controllers: [Tasks] })
class TasksModule {}

const board: ViewResult<Tasks, 'board'> = { columns: [] };

let app: McpApplication;
const serve = async (options: Parameters<typeof McpApplication.create>[1] = {}): Promise<URL> => {
  app = await McpApplication.create(TasksModule, options);
  return new URL((await app.listen({ port: 0, signals: false })).url);
};
afterEach(() => app.close());

const eras = [
  ['2025-11-25', client2025],
  ['2026-07-28', client2026],
] as const;

describe.each(eras)('a client of %s', (_era, createClient) => {
  const connect = async (capabilities: object, options = {}) =>
    connectHttp(createClient({ capabilities }), (await serve(options)).href);

  test('that shows views is listed the view of each action, which is a tool of its own', async () => {
    const client = await connect(SHOWING);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([
      ['tasks', undefined],
      ['tasks_board', { ui: { resourceUri: BOARD }, 'ui/resourceUri': BOARD }],
      ['tasks_move', { ui: { visibility: ['app'] } }],
      ['tasks_add', { ui: { resourceUri: BOARD }, 'ui/resourceUri': BOARD }],
    ]);
    const { properties } = tools[0]?.inputSchema ?? {};
    expect(properties?.['action']).toMatchObject({ enum: ['read', 'remove'] });
    await client.close();
  });

  test('that shows none is listed the same tools without views, and none that is for views alone', async () => {
    const client = await connect({});
    const { tools } = await client.listTools();
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([
      ['tasks', undefined],
      ['tasks_board', undefined],
      ['tasks_add', undefined],
    ]);
    expect((await client.listResources()).resources).toEqual([]);
    const { content } = await client.callTool({ name: 'tasks_board', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify({ columns: ['open', 'done'] }) }]);
    await client.close();
  });

  test('reads a view with what its list says of it', async () => {
    const client = await connect(SHOWING);
    const _meta = { ui: { csp: CSP, permissions: { clipboardWrite: {} } } };
    expect((await client.listResources()).resources).toEqual([
      { uri: BOARD, name: 'board', title: 'The board', mimeType: VIEW_TYPE, _meta },
    ]);
    const { contents } = await client.readResource({ uri: BOARD });
    expect(contents).toEqual([{ uri: BOARD, mimeType: VIEW_TYPE, text: HTML, _meta }]);
    await expect(client.readResource({ uri: 'ui://tasks/other' })).rejects.toThrow(/not found|ui:/i);
    await client.close();
  });

  test.each(['own', 'grouped', 'grouped-by-risk', 'flat', 'progressive'] as const)(
    'gets the view on the surface %s, and calls its actions there',
    async (surface) => {
      const client = await connect(SHOWING, { surface });
      const { tools } = await client.listTools();
      const viewed = tools.filter(({ _meta }) => _meta?.['ui'] !== undefined);
      expect(viewed.map(({ name }) => name)).toEqual(['tasks_board', 'tasks_move', 'tasks_add']);
      const moved = await client.callTool({ name: 'tasks_move', arguments: { id: '7' } });
      expect(moved.content).toEqual([{ type: 'text', text: '7 is moved' }]);
      await client.close();
    },
  );

  test('finds no action that is for views alone', async () => {
    const client = await connect({}, { surface: 'progressive' });
    const { content } = await client.callTool({ name: 'find_actions', arguments: { query: 'task' } });
    expect(JSON.stringify(content)).toContain('tasks.read');
    expect(JSON.stringify(content)).not.toContain('tasks.move');
    await client.close();
  });
});

test('A caller who may see none of the actions of a view does not see the view', async () => {
  @ToolGroup('staff')
  class Staff {
    @Action('Show the plan') @Roles('staff') @View('ui://staff/plan', { html: HTML }) plan(): string {
      return 'plan';
    }
    @Action('Say hello') hello(): string {
      return 'hello';
    }
  }
  @Module({ controllers: [Staff] })
  class StaffModule {}
  app = await McpApplication.create(StaffModule, { auth: { verify: testVerifier } });
  const { url } = await app.listen({ port: 0, signals: false });
  const uris = [];
  for (const role of ['staff', 'guest']) {
    const client = await connectHttp(client2026({ capabilities: SHOWING }), url, {
      authorization: `Bearer ${tokenOf({ sub: role, roles: [role] })}`,
    });
    const { resources } = await client.listResources();
    const { tools } = await client.listTools();
    const read = client.readResource({ uri: 'ui://staff/plan' });
    uris.push([resources.map(({ uri }) => uri), tools.map(({ name }) => name)]);
    if (role === 'staff') expect((await read).contents).toHaveLength(1);
    else await expect(read).rejects.toMatchObject({ code: expect.any(Number) });
    await client.close();
  }
  expect(uris).toEqual([
    [['ui://staff/plan'], ['staff', 'staff_plan']],
    [[], ['staff']],
  ]);
});

test('Models in the process, and instructions, are given no action that is for views alone', async () => {
  app = await McpApplication.create(TasksModule, { name: 'tasks' });
  const { tools, dispatch } = await app.export('anthropic');
  expect(tools.map((tool) => (tool as { name: string }).name)).toEqual(['tasks', 'tasks_board', 'tasks_add']);
  const called = await dispatch({ type: 'tool_use', id: '1', name: 'tasks_move', input: { id: '7' } });
  expect(called).toMatchObject({ is_error: true });
  const client = await connectHttp(client2026(), (await app.listen({ port: 0, signals: false })).url);
  expect(client.getInstructions()).toBe('Tasks.\ntasks (read, remove, board, add)');
  await client.close();
});

test('A view that only hidden actions have is hidden, and one that others have as well is not', async () => {
  @ToolGroup('shop')
  class Shop {
    @Action({ description: 'Draft', tags: ['internal'] })
    @View('ui://shop/draft', { html: HTML })
    draft(): void {}
    @Action({ description: 'Buy', tags: ['internal'] }) @View('ui://shop/cart', { html: HTML }) buy(): void {}
    @Action('Fill') @View('ui://shop/cart') fill(): void {}
  }
  @Module({ controllers: [Shop] })
  class ShopModule {}
  app = await McpApplication.create(ShopModule, { exclude: ['internal'] });
  const { url } = await app.listen({ port: 0, signals: false });
  const client = await connectHttp(client2026({ capabilities: SHOWING }), url);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['ui://shop/cart']);
  await expect(client.readResource({ uri: 'ui://shop/draft' })).rejects.toThrow(/not found/i);
  expect((await client.readResource({ uri: 'ui://shop/cart' })).contents).toHaveLength(1);
  await client.close();
});

test('A view is hidden while all actions that have it are switched off', async () => {
  const client = await connectHttp(client2026({ capabilities: SHOWING }), (await serve()).href);
  const uris = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  app.registry.disable('tasks', 'board');
  expect(await uris()).toEqual([BOARD]);
  app.registry.disable('tasks', 'add');
  expect(await uris()).toEqual([]);
  await expect(client.readResource({ uri: BOARD })).rejects.toThrow(/not found/i);
  app.registry.enable('tasks', 'add');
  expect(await uris()).toEqual([BOARD]);
  expect((await client.readResource({ uri: BOARD })).contents).toMatchObject([{ text: HTML }]);
  await client.close();
});

test('Clients are notified where only the page or the policy of a view is another one', async () => {
  const createShop = (options: object) => {
    @ToolGroup('shop')
    class Shop {
      @Action('Show the cart') @View('ui://shop/cart', { html: HTML, ...options }) cart(): void {}
    }
    @Module({ controllers: [Shop] })
    class ShopModule {}
    return McpApplication.create(ShopModule);
  };
  app = await createShop({});
  const changed = [];
  for (const options of [{}, { html: `${HTML}<p>new</p>` }, { csp: CSP }, { csp: CSP }]) {
    const next = await createShop(options);
    const replacement = app.replaceWith(next);
    await replacement.finished;
    await app.close();
    app = next;
    changed.push(replacement.changed);
  }
  expect(changed).toEqual([[], ['resources'], ['resources'], []]);
});

describe('a page in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'views-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('is read again after it has changed', async () => {
    const file = join(folder, 'page.html');
    writeFileSync(file, HTML);
    @ToolGroup('one')
    class One {
      @Action('Show') @View('ui://one/page', { file }) show(): void {}
    }
    @Module({ controllers: [One] })
    class OneModule {}
    app = await McpApplication.create(OneModule);
    const { url } = await app.listen({ port: 0, signals: false });
    const client = await connectHttp(client2026({ capabilities: SHOWING }), url);
    const read = async () => (await client.readResource({ uri: 'ui://one/page' })).contents[0];
    expect(await read()).toMatchObject({ text: HTML });
    writeFileSync(file, `${HTML}<p>new</p>`);
    expect(await read()).toMatchObject({ text: `${HTML}<p>new</p>` });
    await client.close();
  });
});

describe('what cannot be shown is a problem of the start', () => {
  test('a view without a page, and one with two', async () => {
    @ToolGroup('wrong')
    class Wrong {
      @Action('A') @View('ui://wrong/none') first(): void {}
      @Action('B') @View('ui://wrong/two', { html: HTML }) second(): void {}
      @Action('C') @View('ui://wrong/two', { html: HTML }) third(): void {}
    }
    @Module({ controllers: [Wrong] })
    class WrongModule {}
    await expect(McpApplication.create(WrongModule)).rejects.toMatchObject({
      problems: [
        { code: 'TW_SCAN_VIEW', what: expect.stringContaining('ui://wrong/none, which no action declares') },
        { code: 'TW_SCAN_VIEW', what: expect.stringContaining('declares the view ui://wrong/two again') },
      ],
    });
  });

  const wrongOptions: readonly (readonly [string, object])[] = [
    ['http://example.com', {}],
    ['ui://a', {}],
    ['ui://a/b\u0000', { html: HTML }],
    ['ui://a/\u202Eb', { html: HTML }],
    ['ui://a/b', { html: '<p>no document</p>' }],
    ['ui://a/b', { html: HTML, csp: { connectDomains: ['*'] } }],
    ['ui://a/b', { html: HTML, csp: { connectDomains: ["https://a.example; script-src 'none'"] } }],
    ['ui://a/b', { html: HTML, permissions: ['everything'] }],
    ['ui://a/b', { html: HTML, visibility: ['nobody'] }],
  ];
  test.each(wrongOptions)('%s with %j', async (uri, options) => {
    @ToolGroup('wrong')
    class Wrong {
      @Action('A') @View(uri, options) first(): void {}
    }
    @Module({ controllers: [Wrong] })
    class WrongModule {}
    await expect(McpApplication.create(WrongModule)).rejects.toMatchObject({
      problems: [{ code: expect.stringMatching(/^TW_/) }],
    });
  });

  test('a file that is not there', () => {
    expect(() => View('ui://a/b', { file: '/no/such/file.html' })).toThrow(/TW_VIEW_FILE/);
  });
});

test('the code of a page has the type of what its action returns', () => {
  expect(board.columns).toEqual([]);
});
