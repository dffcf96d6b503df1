import 'reflect-metadata';
import { afterEach, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  Budget,
  Destructive,
  McpApplication,
  Module,
  Prompt,
  ReadOnly,
  Resource,
  ToolGroup,
} from 'toolwright';
import type { ApplicationOptions } from 'toolwright';
import { View } from 'toolwright/apps';
import { apiKeys, jwt } from 'toolwright/auth';
import { countTools, readServer } from '../../../src/cli/client-rules/read-server.ts';
import { EntryHost } from '../../../src/cli/target/entry-host.ts';

class Note {
  @IsString() text!: string;
}

@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @ReadOnly()
  @Budget({ tokens: 2000 })
  @Action({ description: 'List them', output: Note })
  list(): Note {
    return new Note();
  }

  @Destructive({ confirm: true })
  @Action({ description: 'Clear them', result: 'toon' })
  clear(): string {
    return 'done';
  }

  @Prompt('Sum up') sum(): string {
    return 'Sum up';
  }

  @Resource('notes://all') all(): string {
    return 'none';
  }
}

@Module({ controllers: [Notes] })
class AppModule {}

let host: EntryHost | undefined;
afterEach(() => host?.release());

async function read(options: ApplicationOptions = {}, module = AppModule) {
  host = new EntryHost({ compilesOnly: true });
  await McpApplication.create(module, options);
  const server = readServer(host.applications[0]!);
  host.release();
  return server;
}

test('reads tools as clients get them, with the marks of their actions', async () => {
  const server = await read({ name: 'desk', openWorld: false });
  expect(server).toMatchObject({ name: 'desk', prompts: 1, resources: 1, auth: 'none', changesLists: false });
  const [tool] = server.tools;
  expect(tool).toMatchObject({ name: 'notes', title: 'Notes', annotations: { openWorldHint: false } });
  expect(tool?.actions).toMatchObject([
    {
      key: 'list',
      isReadOnly: true,
      isDestructive: false,
      hasBudget: true,
      result: 'json',
      outputSchema: {},
    },
    { key: 'clear', isReadOnly: false, isDestructive: true, hasBudget: false, result: 'toon', confirm: true },
  ]);
});

test('reads the options that clients notice', async () => {
  const { instructions, pageSize } = await read({ instructions: 'Notes of the team.', pageSize: 5 });
  expect([instructions, pageSize]).toEqual(['Notes of the team.', 5]);
  expect(await read({ instructions: false })).not.toHaveProperty('instructions');
  const flat = await read({ expose: 'flat', title: 'Desk' });
  expect(flat.instructions).toMatch(/^Desk\.\nnotes: Notes/);
  expect(flat.tools.map(({ actions }) => actions.map(({ key }) => key))).toEqual([['list'], ['clear']]);
});

@ToolGroup({ name: 'board', description: 'The board' })
class Board {
  @ReadOnly()
  @View('ui://board/page', { html: '<!doctype html>', csp: { connectDomains: ['https://*.example.com'] } })
  @Action('Show it')
  show(): string {
    return 'shown';
  }

  @View('ui://board/page') @Action('Add to it') add(): string {
    return 'added';
  }

  @Destructive() @View({ visibility: ['app'] }) @Action('Clear it') clear(): string {
    return 'cleared';
  }
}

@Module({ controllers: [Board] })
class BoardModule {}

test('reads each view once, and an action that only views call as a tool of its own', async () => {
  const { tools, views } = await read({}, BoardModule);
  expect(views).toEqual([{ uri: 'ui://board/page', csp: { connectDomains: ['https://*.example.com'] } }]);
  const marks = tools.map(({ name, actions: [only] }) => [name, only?.isReadOnly, only?.isDestructive]);
  expect(marks).toEqual([
    ['board_show', true, false],
    ['board_add', false, false],
    ['board_clear', false, true],
  ]);
});

test('knows keys from a sign-in', async () => {
  const keys = apiKeys({ find: () => ({ clientId: 'desk' }) });
  const issued = jwt({ issuer: 'https://id.example' });
  const of = async (verify: never) =>
    (await read({ auth: { resource: 'https://desk.example/mcp', verify } })).auth;
  expect(await of(keys as never)).toBe('headers');
  expect(await of(issued as never)).toBe('oauth');
  expect(await of([issued, keys] as never)).toBe('oauth');
});

test('counts the tokens of each tool', async () => {
  const { tools } = await countTools(await read());
  expect(tools[0]?.tokens).toBeGreaterThan(50);
});
