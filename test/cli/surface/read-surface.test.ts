import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  ReadOnly,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { McpClient } from '../../../src/client/mcp-client.ts';
import { HttpTransport } from '../../../src/client/http-transport.ts';
import { readSurfaceOfTarget } from '../../../src/cli/surface/read-surface.ts';
import { asListed } from '../../../src/cli/surface/surface.ts';
import type { TargetOptions } from '../../../src/cli/target/target.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @ReadOnly() @Action('List them') list(): string {
    return 'none';
  }
  @Destructive() @Action('Clear them') clear(): string {
    return 'done';
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

const FACTS = {
  clients: { acme: { title: 'Acme', match: ['acme-*'], facts: {}, choices: { surface: 'flat' } } },
} as const;
const OPTIONS = {
  ...{ name: 'notes', logger: new MemoryLogger() },
  surface: { use: 'auto', clients: { zed: 'grouped' }, profiles: FACTS },
} as const satisfies ApplicationOptions;

let app: McpApplication;
let plain: McpApplication;
let url: string;
beforeAll(async () => {
  app = await McpApplication.create(NotesModule, OPTIONS);
  plain = await McpApplication.create(NotesModule, { name: 'notes', logger: new MemoryLogger() });
  url = (await app.listen({ port: 0 })).url;
});
afterAll(async () => {
  await app.close();
  await plain.close();
});

/** What is shown of an application in this process. */
async function read(
  application: McpApplication,
  options: TargetOptions,
  given: ApplicationOptions = OPTIONS,
) {
  const target = {
    application,
    options: given,
    connect: () => Promise.reject(new Error('No client')),
    close: async () => undefined,
  };
  const surface = await readSurfaceOfTarget(target, options);
  return { ...surface, listed: surface.tools.map(asListed), names: surface.tools.map(({ name }) => name) };
}

async function listAs(name: string): Promise<readonly { readonly name: string }[]> {
  const client = await McpClient.connect(new HttpTransport(url), { name });
  const tools = await client.listTools();
  await client.close();
  return tools;
}

describe.each([
  ['codex', 'codex-mcp-client', ['notes_read', 'notes_destructive', 'read_result']],
  ['Visual Studio Code - Insiders', 'Visual Studio Code - Insiders', ['notes_read', 'notes_destructive']],
  ['zed', 'Zed', ['notes', 'read_result']],
  ['acme-desk', 'acme-desk', ['notes_list', 'notes_clear', 'read_result']],
  ['ai-sdk', 'ai-sdk-mcp-client', ['notes']],
])('--client %s', (client, sent, names) => {
  test('shows the very list that a client of this name gets', async () => {
    const shown = await read(app, { client });
    expect(shown.names).toEqual(names);
    expect(JSON.parse(JSON.stringify(shown.listed))).toEqual(JSON.parse(JSON.stringify(await listAs(sent))));
  });
});

test.each([
  ['grouped', ['notes']],
  ['grouped-by-risk', ['notes_read', 'notes_destructive']],
  ['flat', ['notes_list', 'notes_clear']],
] as const)(
  '--surface %s counts before a client, also where no client can choose it',
  async (surface, names) => {
    expect((await read(app, { surface, client: 'codex' })).names).toEqual(names);
    const { tools, surfaceHash } = await read(plain, { surface }, {});
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(surfaceHash).not.toBe(plain.surfaceHash);
    expect(tools.flatMap(({ actions = [] }) => actions).length).toBe(surface === 'flat' ? 0 : 2);
  },
);

test('an application that does not look at clients has one list', async () => {
  expect((await read(plain, { client: 'codex' }, {})).names).toEqual(['notes']);
  expect((await read(plain, { surface: 'own' }, {})).surfaceHash).toBe(plain.surfaceHash);
});

test('a server at a distance is asked as the client, or on the surface', async () => {
  const names = async (...args: string[]) =>
    (await runInProcess(['list', url, '--names', ...args])).stdout.trim().split('\n');
  expect(await names()).toEqual(['notes.list', 'notes.clear']);
  expect(await names('--client', 'codex')).toEqual([
    'notes_read.list',
    'notes_destructive.clear',
    'read_result',
  ]);
  expect(await names('--client', 'claude-code', '--surface', 'flat')).toEqual(['notes_list', 'notes_clear']);
});

test('knows the clients that toolwright clients lists, and no directories', async () => {
  for (const [client, text] of [
    ['codx', 'did you mean "codex"?'],
    ['claude-directory', 'knows no "claude-directory"'],
  ] as const)
    expect(await runInProcess(['list', url, '--client', client])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(text),
    });
  expect(await runInProcess(['inspect', 'old.json', '--client', 'codex'])).toMatchObject({ code: 2 });
});
