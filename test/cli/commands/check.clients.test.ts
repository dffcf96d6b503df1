import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFolder } from '../../support/command-line.ts';

const entry = (options: string): string => `
import { Action, Destructive, McpApplication, Module, ReadOnly, ToolGroup } from 'toolwright';
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @ReadOnly() @Action('List them') list(): string { return 'none'; }
  @Destructive() @Action('Clear them') clear(): string { return 'done'; }
}
@Module({ controllers: [Notes] })
class AppModule {}
export const app = McpApplication.create(AppModule, { name: 'notes', openWorld: false, ${options} });
`;

const folder = new CommandFolder({
  'server.ts': entry(''),
  'flat.ts': entry("expose: 'flat'"),
  'risk.ts': entry("surface: 'grouped-by-risk'"),
  'found.ts': entry("surface: 'progressive'"),
  'broken.ts': entry("expos: 'flat'"),
  'facts.json': JSON.stringify({
    clients: {
      'acme-*': {
        title: 'Acme',
        facts: {
          'name.length': {
            value: 3,
            source: 'https://example.com/acme',
            date: '2020-01-31',
            sure: 'docs',
            then: 'refused',
          },
        },
      },
    },
  }),
});
afterAll(() => {
  folder.remove();
});
const run = (...args: readonly string[]) => folder.run(['check', ...args]);
const DIRECTORIES = ['--for', 'claude-directory,chatgpt-directory'];

let mixed: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  mixed = await run('server.ts', ...DIRECTORIES);
});

test('fails where a directory would refuse a tool, and says who says so', () => {
  expect([mixed.exitCode, mixed.stdout]).toEqual([1, '']);
  expect(mixed.stderr).toContain(
    'problem claude-directory TW_FOR_MIXED: tool "notes" reads (list) and writes (clear)',
  );
  expect(mixed.stderr).toContain(
    'why: 2026-11-26, in its documentation: https://claude.com/docs/connectors/building/review-criteria',
  );
  expect(mixed.stderr).toContain(
    '1 tool for claude-directory, chatgpt-directory: 1 problem, 1 advice, 1 note.',
  );
});

test.each(['flat.ts', 'risk.ts'])('passes where reads are tools of their own: %s', async (file) => {
  const { exitCode, stderr } = await run(file, ...DIRECTORIES);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('2 tools for claude-directory')]);
  expect(stderr).toContain('no problems, no advice, 2 notes.');
});

test('fails in directories where tools take any action', async () => {
  const { exitCode, stdout } = await run('found.ts', ...DIRECTORIES, '--json');
  expect(exitCode).toBe(1);
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly Record<string, unknown>[] };
  expect(problems.map(({ code, client, where }) => [code, client, where])).toEqual(
    ['claude-directory', 'chatgpt-directory'].flatMap((client) =>
      ['read_action', 'call_action'].map((name) => ['TW_FOR_CATCH_ALL', client, `tool "${name}"`]),
    ),
  );
  expect((await run('found.ts', '--for', 'vscode,codex')).exitCode).toBe(0);
});

test('accepts codes, and lets advice count', async () => {
  const accepted = [...DIRECTORIES, '--accept', 'TW_FOR_MIXED'];
  expect((await run('server.ts', ...accepted)).exitCode).toBe(0);
  expect((await run('server.ts', ...accepted, '--fail-on', 'note')).exitCode).toBe(1);
  expect((await run('flat.ts', ...DIRECTORIES, '--fail-on', 'advice')).exitCode).toBe(0);
});

test('is JSON, SARIF and annotations, with the client in each finding', async () => {
  const json = JSON.parse((await run('server.ts', ...DIRECTORIES, '--json')).stdout) as object;
  expect(json).toMatchObject({
    problems: [{ code: 'TW_FOR_MIXED', client: 'claude-directory', where: 'tool "notes"' }],
    advice: [{ code: 'TW_FOR_MIXED', client: 'chatgpt-directory' }],
    notes: [{ code: 'TW_FOR_OUTPUT', client: 'chatgpt-directory' }],
  });
  const { stdout } = await run('server.ts', ...DIRECTORIES, '--format', 'sarif');
  const { runs } = JSON.parse(stdout) as {
    readonly runs: readonly {
      readonly tool: {
        readonly driver: {
          readonly rules: readonly {
            readonly id: string;
            readonly shortDescription: { readonly text: string };
          }[];
        };
      };
      readonly results: readonly { readonly level: string; readonly partialFingerprints: object }[];
    }[];
  };
  expect(runs[0]?.tool.driver.rules[0]).toMatchObject({
    id: 'TW_FOR_MIXED',
    shortDescription: { text: 'A tool reads and writes.' },
  });
  expect(runs[0]?.results.map(({ level }) => level)).toEqual(['error', 'warning', 'note']);
  const prints = runs[0]?.results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
  expect(new Set(prints).size).toBe(3);
  const github = await run('server.ts', ...DIRECTORIES, '--format', 'github');
  expect(github.stdout).toMatch(/^::error file=server\.ts,title=TW_FOR_MIXED::tool "notes" reads/m);
});

test.each([
  ['a client that is not known', ['--for', 'codx'], 'did you mean "codex"?'],
  ['a table for programs that take none', ['--matrix', '--format', 'sarif'], '--matrix is a table'],
  ['facts that are not there', ['--for', 'codex', '--profiles', 'none.json'], 'none.json does not exist'],
])('ends with 2 for %s', async (_what, args, text) => {
  const { exitCode, stderr } = await run('server.ts', ...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text)]);
});

test('reports an application that does not start as without clients', async () => {
  const { exitCode, stderr } = await run('broken.ts', '--for', 'all');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('"expos"')]);
});

test('prints a table of all clients', async () => {
  const { exitCode, stdout, stderr } = await run('server.ts', '--matrix');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^claude-directory +problem MIXED$/m);
  expect(stdout).toMatch(/^zed +ok$/m);
  expect(stdout).not.toMatch(/^generic /m);
  expect(stderr).toContain('1 tool for all clients: ');
  const json = await run('server.ts', '--matrix', '--json', '--for', 'Zed, claude-directory');
  expect(JSON.parse(json.stdout)).toMatchObject({
    matrix: { zed: {}, 'claude-directory': { TW_FOR_MIXED: 'problem' } },
  });
});

test('goes by your own facts, and says that they are old', async () => {
  const { exitCode, stderr } = await run('server.ts', '--for', 'acme-desk', '--profiles', 'facts.json');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('problem acme-* TW_FOR_NAME_LENGTH: tool "notes" has a name of 5 characters');
  expect(stderr).toContain('note acme-* TW_FOR_STALE');
});

test('writes a submission to edit', async () => {
  const { exitCode, stderr } = await run('flat.ts', '--justify');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Wrote chatgpt-app-submission.json')]);
  const path = join(folder.path, 'chatgpt-app-submission.json');
  const { tools } = JSON.parse(readFileSync(path, 'utf8')) as { tools: Record<string, object> };
  expect(Object.keys(tools)).toEqual(['notes_list', 'notes_clear']);
  expect(tools['notes_clear']).toMatchObject({
    annotations: { destructiveHint: true, openWorldHint: false },
  });
  folder.write('chatgpt-app-submission.json', '[');
  const unreadable = await run('flat.ts', '--justify');
  expect([unreadable.exitCode, unreadable.stderr]).toEqual([
    2,
    expect.stringContaining('--justify cannot read'),
  ]);
});
