import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PageFolder } from '../../examples/knowledge-base/folder/page-folder.ts';
import { addressOf, EXAMPLES, runExample } from '../support/example-process.ts';
import { latch } from '../support/fake-application.ts';
import type { LineProcess } from '../support/line-process.ts';
import { factsOf } from '../support/text-of.ts';

let directory: string;
let folder: string;
const processes: LineProcess[] = [];
const clients: Client[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolwright-'));
  folder = join(directory, 'pages');
});

afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
  await rm(directory, { recursive: true, force: true });
});

/** A client of a server of its own, that cannot be asked; what it receives comes in the order it was sent. */
async function connect() {
  const server = runExample('knowledge-base/main.ts', [], { KNOWLEDGE_BASE_FOLDER: folder });
  processes.push(server);
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const hasStream = latch();
  const heard: string[] = [];
  let waiting: () => void = () => undefined;
  client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push([method, (params as { uri?: string } | undefined)?.uri].filter(Boolean).join(' '));
    waiting();
  };
  const hears = async (what: string): Promise<void> => {
    while (!heard.includes(what)) await new Promise<void>((resolve) => (waiting = resolve));
  };
  /** Looks again with each notification. */
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (let count = heard.length; !(await isSo()); count = heard.length) {
      while (heard.length === count) await new Promise<void>((resolve) => (waiting = resolve));
    }
  };
  const transport = new StreamableHTTPClientTransport(new URL(await addressOf(server)), {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') hasStream.open();
      return response;
    },
  });
  await client.connect(transport);
  clients.push(client);
  await hasStream.promise;
  return { client, hears, until, server };
}

const listed = async (client: Client): Promise<readonly string[]> =>
  (await client.listResources()).resources.map(({ name }) => name);

const pages = (client: Client, action: string, args: object): ReturnType<Client['callTool']> =>
  client.callTool({ name: 'pages', arguments: { action, ...args } });

describe('the folder', () => {
  test('begins as a copy of the sample, and is left as it is when it is there already', async () => {
    const sample = ['contents', 'guides/searching', 'guides/writing', 'welcome'];
    expect(await listed((await connect()).client)).toEqual(sample);
    await rm(join(folder, 'guides'), { recursive: true });
    expect(await listed((await connect()).client)).toEqual(['contents', 'welcome']);
  });

  test('is there once, whole, for servers that start together', async () => {
    const sample = join(EXAMPLES, 'knowledge-base/sample');
    const opened = await Promise.all(Array.from({ length: 5 }, () => PageFolder.open(folder, sample)));
    for (const each of opened) expect(await each.list()).toHaveLength(3);
    expect(await readdir(directory)).toEqual(['pages']);
  });

  test('may be changed: clients are notified of pages that come, change and go', async () => {
    const { client, hears, until } = await connect();
    await mkdir(join(folder, 'new'));
    await writeFile(join(folder, 'new/bees.md'), '# Bees');
    await hears('notifications/resources/list_changed');
    await until(async () => (await listed(client)).includes('new/bees'));

    await client.subscribeResource({ uri: 'kb://pages/new/bees' });
    await writeFile(join(folder, 'new/bees.md'), '# Bees\n\nThey dance.');
    await hears('notifications/resources/updated kb://pages/new/bees');
    expect(await client.readResource({ uri: 'kb://pages/new/bees' })).toMatchObject({
      contents: [{ text: '# Bees\n\nThey dance.' }],
    });

    await rm(join(folder, 'new/bees.md'));
    await until(async () => !(await listed(client)).includes('new/bees'));
  });

  test('is never left, not even by a link', async () => {
    const secret = join(directory, 'secret');
    await mkdir(secret);
    await writeFile(join(secret, 'plan.md'), '# Secret');
    await mkdir(folder);
    await writeFile(join(folder, 'real.md'), '# Real');
    await symlink(secret, join(folder, 'linked'));
    await symlink(join(secret, 'plan.md'), join(folder, 'plan.md'));
    await symlink(join(secret, 'new.md'), join(folder, 'dangling.md'));
    await symlink(join(folder, 'real.md'), join(folder, 'alias.md'));
    const { client } = await connect();
    expect(await listed(client)).toEqual(['contents', 'real']);
    for (const path of ['plan', 'linked/plan', 'dangling', 'linked', 'a'.repeat(200)]) {
      await expect(client.readResource({ uri: `kb://pages/${path}` })).rejects.toMatchObject({
        code: -32602,
      });
    }
    for (const path of ['linked/new', 'linked/deep/new', 'dangling', 'plan']) {
      const result = await pages(client, 'write', { path, text: 'overwritten' });
      expect([path, result.isError]).toEqual([path, true]);
      expect(JSON.stringify(result)).not.toContain(directory);
    }
    expect(await readdir(secret)).toEqual(['plan.md']);
    expect(await readFile(join(secret, 'plan.md'), 'utf8')).toBe('# Secret');
    expect(await client.readResource({ uri: 'kb://pages/alias' })).toMatchObject({
      contents: [{ text: '# Real' }],
    });
  });
});

test('a client that cannot ask its user may add pages, and neither change nor delete any', async () => {
  const { client, server } = await connect();
  expect((await pages(client, 'write', { path: 'mine', text: '# Mine' })).isError).not.toBe(true);
  for (const [action, args] of [
    ['write', { path: 'welcome', text: 'gone' }],
    ['delete', { path: 'welcome' }],
  ] as const) {
    expect(factsOf(await pages(client, action, args))).toMatchObject({
      code: 'CLIENT_CAPABILITY_MISSING',
      details: { capability: 'elicitation' },
    });
  }
  expect(await readFile(join(folder, 'welcome.md'), 'utf8')).toMatch(/^# Welcome/);
  server.kill('SIGINT');
  expect(await server.ended).toBe('SIGINT');
  expect(server.stderr).toEqual([]);
});
