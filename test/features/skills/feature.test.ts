import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  Action,
  Authenticated,
  McpApplication,
  Module,
  ReadOnly,
  Roles,
  Scopes,
  ToolGroup,
} from 'toolwright';
import { SkillsModule } from 'toolwright/skills';
import type { Client } from '@modelcontextprotocol/client';
import { client2025, client2026, connectHttp, post2026 } from '../../support/client-of-2026.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

const REFUNDS =
  '---\nname: refunds\ndescription: Give money back\nmetadata:\n  version: "2"\n---\n# Refunds\n';
const NESTED = '---\nname: large-sums\ndescription: Give much money back\n---\nAsk first.\n';
const REVIEW =
  '---\nname: review\ndescription: Look at code\nallowed-tools: Read Bash(git diff:*) desk_open desk_opne mcp__desk__desk.open\n---\n';
const PIXEL = Buffer.from([137, 80, 78, 71, 0, 255]);
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'billing/refunds/SKILL.md': REFUNDS,
  'billing/refunds/data/form 1.json': '{}',
  'billing/refunds/data/logo.png': PIXEL,
  'billing/refunds/large-sums/SKILL.md': NESTED,
  'billing/refunds/.DS_Store': 'hidden',
  'review/SKILL.md': REVIEW,
};
const ROOT = 'skill://billing/refunds';
const MANIFEST = `${ROOT}/SKILL.md`;
const anything = z.looseObject({});

@ToolGroup('desk')
class Desk {
  @Action('Open the desk') @ReadOnly() open(): string {
    return 'open';
  }
}

const home = mkdtempSync(join(tmpdir(), 'skills-'));
for (const [name, content] of Object.entries(FILES)) {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), content);
}
const closed = SkillsModule.forRoot({ directory: home });
const open = SkillsModule.forRoot({ directory: home, directoryRead: true });

@Module({ imports: [open], controllers: [Desk] })
class DeskModule {}

const apps: McpApplication[] = [];
const serve = async (module: Parameters<typeof McpApplication.create>[0]): Promise<string> => {
  const app = await McpApplication.create(module, { pageSize: 1 });
  apps.push(app);
  return (await app.listen({ port: 0, signals: false })).url;
};
let desk: string;
let bare: string;
beforeAll(async () => {
  desk = await serve(DeskModule);
  bare = await serve(closed);
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  rmSync(home, { recursive: true });
});

const digest = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

const eras = [
  ['2025-11-25', client2025, {}],
  ['2026-07-28', client2026, { ttlMs: 0, cacheScope: 'private', resultType: 'complete' }],
] as const;

test('an application with skills alone is not reported as empty', async () => {
  const logger = new MemoryLogger();
  apps.push(await McpApplication.create(closed, { logger }));
  expect(logger.records.map(({ event }) => event)).not.toContain('application.empty');
});

describe.each(eras)('a client of %s', (_era, createClient, hints) => {
  let client: Client;
  let other: Client;
  beforeAll(async () => {
    client = await connectHttp(createClient(), desk);
    other = await connectHttp(createClient(), bare);
  });
  afterAll(() => Promise.all([client.close(), other.close()]));

  const ask = (method: string, params: Record<string, unknown> = {}, of = client) =>
    of.request({ method, params }, anything);
  const everyPage = async (method: string, member: string, params = {}): Promise<unknown[]> => {
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await ask(method, { ...params, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...(page[member] as unknown[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return found;
  };

  test('is declared the extension beside resources, with directories where they are served', () => {
    const settings = [client, other].map((each) => each.getServerCapabilities()?.extensions);
    expect(settings).toEqual([
      { 'io.modelcontextprotocol/skills': { directoryRead: true } },
      { 'io.modelcontextprotocol/skills': {} },
    ]);
    expect(other.getServerCapabilities()?.resources).toBeDefined();
  });

  test('pages through entries with every file, the skill inside of another one too', async () => {
    const skills = await everyPage('skills/list', 'skills');
    const large = {
      uri: `${ROOT}/large-sums/SKILL.md`,
      digest: digest(NESTED),
      size: NESTED.length,
    };
    expect(skills).toEqual([
      {
        uri: MANIFEST,
        frontmatter: { name: 'refunds', description: 'Give money back', metadata: { version: '2' } },
        resources: [
          { uri: MANIFEST, digest: digest(REFUNDS), size: REFUNDS.length },
          { uri: `${ROOT}/data/form%201.json`, digest: digest('{}'), size: 2 },
          { uri: `${ROOT}/data/logo.png`, digest: digest(PIXEL), size: 6 },
          large,
        ],
      },
      {
        uri: large.uri,
        frontmatter: { name: 'large-sums', description: 'Give much money back' },
        resources: [large],
      },
      expect.objectContaining({ uri: 'skill://review/SKILL.md' }),
    ]);
    const { _meta, skill, ...rest } = await ask('skills/get', { uri: MANIFEST });
    // The SDK takes resultType for itself
    expect({ skill, rest: { ...hints, ...rest } }).toEqual({ skill: skills[0], rest: hints });
    expect(Object.keys(rest)).toEqual(
      expect.arrayContaining('ttlMs' in hints ? ['ttlMs', 'cacheScope'] : []),
    );
  });

  test('reads files as they are, and is listed the SKILL.md of each', async () => {
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({
      ...{ uri: MANIFEST, name: 'refunds', description: 'Give money back', mimeType: 'text/markdown' },
    });
    const text = await client.readResource({ uri: MANIFEST });
    expect(text.contents).toEqual([{ uri: MANIFEST, mimeType: 'text/markdown', text: REFUNDS }]);
    const picture = await client.readResource({ uri: `${ROOT}/data/logo.png` });
    const blob = PIXEL.toString('base64');
    expect(picture.contents).toEqual([{ uri: `${ROOT}/data/logo.png`, mimeType: 'image/png', blob }]);
  });

  test('lists the folders of a skill, one level at a time', async () => {
    const names = async (uri: string) =>
      (await everyPage('resources/directory/read', 'resources', { uri })).map((each) => {
        const { name, mimeType } = each as Record<string, unknown>;
        return `${String(name)} ${String(mimeType)}`;
      });
    expect(await names(ROOT)).toEqual([
      'refunds text/markdown',
      'data inode/directory',
      'large-sums inode/directory',
    ]);
    expect(await names(`${ROOT}/data`)).toEqual(['form 1.json application/json', 'logo.png image/png']);
    expect(await names('skill://billing')).toEqual(['refunds inode/directory']);
  });

  test.each([
    ['skills/get', 'skill://billing/none/SKILL.md'],
    ['skills/get', `${ROOT}/data/logo.png`],
    ['skills/get', `skill://billing/x/../refunds/SKILL.md`],
    ['skills/get', 'skill://billing/%2e%2e/billing/refunds/SKILL.md'],
    ['resources/directory/read', MANIFEST],
    ['resources/directory/read', `${ROOT}/`],
    ['resources/directory/read', `${ROOT}/data/..`],
    ['resources/directory/read', 'skill://__proto__'],
    ['resources/read', `${ROOT}/.DS_Store`],
    ['resources/read', 'skill://billing/refunds/../../../etc/passwd'],
  ])('gets -32602 from %s for %s', async (method, uri) => {
    await expect(ask(method, { uri })).rejects.toMatchObject({ code: -32602 });
  });

  test('gets -32602 for a wrong cursor and no URI, and -32601 for directories that are not served', async () => {
    await expect(ask('skills/list', { cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
    await expect(ask('skills/get', {})).rejects.toMatchObject({ code: -32602 });
    const closedRead = ask('resources/directory/read', { uri: ROOT }, other);
    await expect(closedRead).rejects.toThrow('Method not found');
  });
});

test('every result says that it is complete on 2026-07-28', async () => {
  for (const [method, params] of [
    ['skills/list', {}],
    ['skills/get', { uri: MANIFEST }],
    ['resources/directory/read', { uri: ROOT }],
  ] as const) {
    const { body } = await post2026(desk, method, params);
    expect(JSON.parse(body)).toMatchObject({ result: { resultType: 'complete', cacheScope: 'private' } });
  }
});

test('an application without skills declares nothing and has none of the methods', async () => {
  @Module({ controllers: [Desk] })
  class PlainModule {}
  const client = await connectHttp(client2026(), await serve(PlainModule));
  expect(client.getServerCapabilities()?.extensions).toBeUndefined();
  const listing = client.request({ method: 'skills/list', params: {} }, anything);
  await expect(listing).rejects.toThrow('Method not found');
  await client.close();
});

test('a tool that a skill allows, and the application does not have, is a note, without those of hosts', () => {
  const notes = apps[0]?.advice().filter(({ code }) => code === 'TW_NOTE_SKILL');
  expect(notes).toMatchObject([{ what: 'allows "desk_opne", which no tool or action here is called.' }]);
  expect(notes?.[0]?.fix).toBe('did you mean "desk_open"?');
});

test('an action that only some callers may call is a note for the skill that every caller reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skills-'));
  mkdirSync(join(folder, 'guard'));
  const allowed = 'vault.open vault.empty vault desk.open gate.shut';
  const skill = `---\nname: guard\ndescription: Guards\nallowed-tools: ${allowed}\n---\nGuard.\n`;
  writeFileSync(join(folder, 'guard/SKILL.md'), skill);
  @ToolGroup('vault')
  class Vault {
    @Action('Open it') @Scopes(['vault:read', 'vault:all']) open(): string {
      return 'open';
    }
    @Action('Empty it') @Scopes('vault:write') @Roles('owner') empty(): string {
      return 'empty';
    }
  }
  @ToolGroup('gate')
  class Gate {
    @Action('Shut it') @Authenticated() shut(): string {
      return 'shut';
    }
  }
  const imports = [SkillsModule.forRoot({ directory: folder })];
  @Module({ imports, controllers: [Vault, Gate, Desk] })
  class GuardModule {}
  const app = await McpApplication.create(GuardModule, { auth: false });
  apps.push(app);
  const notes = app.advice().filter(({ code }) => code === 'TW_NOTE_SKILL');
  expect(notes.map(({ what }) => what)).toEqual([
    'allows "vault.open", which only callers with the scope vault:read or vault:all may call.',
    'allows "vault.empty", which only callers with the scope vault:write and the role owner may call.',
    'allows "vault", which only callers with further rights may call.',
  ]);
  rmSync(folder, { recursive: true });
});
