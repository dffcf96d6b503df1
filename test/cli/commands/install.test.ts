import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CommandFolder, type CommandEnd } from '../../support/command-line.ts';
import { FakePrograms } from '../../support/fake-programs.ts';

const ENTRY = `
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('List them') list(): string { return 'none'; }
}
@Module({ controllers: [Notes] })
class AppModule {}
export default await McpApplication.create(AppModule, { name: 'My notes' });
`;
const SECRET = 'pa$$ "word" = x';
const FILE = "it's mine/server.ts";

let folder: CommandFolder;
let programs: FakePrograms;

beforeEach(() => {
  folder = new CommandFolder({ [FILE]: ENTRY });
  programs = new FakePrograms(folder);
  folders.push(folder);
});

const folders: CommandFolder[] = [];
afterAll(() => {
  for (const each of folders) each.remove();
});

/** No client of the machine is found, and no file of the person is touched. */
async function install(...args: readonly string[]): Promise<CommandEnd> {
  const PATH = [programs.path, dirname(process.execPath)].join(delimiter);
  const env = { PATH, HOME: join(folder.path, 'home'), XDG_CONFIG_HOME: '' };
  const end = await folder.run(['install', ...args], env);
  expect(end.stdout + end.stderr).not.toContain(SECRET);
  return end;
}

const read = (path: string): string => readFileSync(join(folder.path, path), 'utf8');
const json = (path: string): unknown => JSON.parse(read(path));

/** The command that clients start. */
function served(): { command: string; args: string[] } {
  const bin = expect.stringMatching(/^\/.*\/dist\/cli\/main\.js$/) as unknown as string;
  const args = [bin, 'run', join(folder.path, FILE), '--stdio'];
  return { command: expect.stringMatching(/^\/.*node$/) as unknown as string, args };
}

describe('a client with a file', () => {
  test.each([
    ['cursor', [], '.cursor/mcp.json', 'mcpServers', {}],
    ['cursor', ['--scope', 'user'], 'home/.cursor/mcp.json', 'mcpServers', {}],
    ['vscode', [], '.vscode/mcp.json', 'servers', { type: 'stdio' }],
    ['gemini-cli', [], '.gemini/settings.json', 'mcpServers', {}],
    ['gemini-cli', ['--scope', 'user'], 'home/.gemini/settings.json', 'mcpServers', {}],
    ['claude-code', [], '.mcp.json', 'mcpServers', { type: 'stdio' }],
  ])('%s %j gets an entry in %s', async (client, options, path, group, more) => {
    const { exitCode, stdout } = await install(client, FILE, ...options, '--env', `TOKEN=${SECRET}`);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(join(folder.path, path))]);
    expect(json(path)).toEqual({ [group]: { 'My-notes': { ...more, ...served(), env: { TOKEN: SECRET } } } });
    expect(statSync(join(folder.path, path)).mode & 0o077).toBe(0);
    const again = await install(client, FILE, ...options, '--env', `TOKEN=${SECRET}`, '--json');
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([
      0,
      expect.objectContaining({ changed: false }),
    ]);
  });

  test('an existing other entry is shown and stays; --force replaces it, and leaves the rest byte for byte', async () => {
    const before = `{
\t// from the wiki
\t"servers": {
\t\t"other": { "url": "http://x" },
\t\t"My-notes": { "command": "old", "env": { "TOKEN": "hidden too" } }, // by hand
\t},
}`;
    folder.write('.vscode/mcp.json', before);
    const refused = await install('vscode', FILE);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('TW_CLI_CLIENT_TAKEN');
    expect(refused.stderr).toContain('"command": "old"');
    expect(refused.stderr).not.toContain('hidden too');
    expect(read('.vscode/mcp.json')).toBe(before);
    expect((await install('vscode', FILE, '--force')).exitCode).toBe(0);
    const [head = '', tail = ''] = before.split('{ "command": "old", "env": { "TOKEN": "hidden too" } }');
    const after = read('.vscode/mcp.json');
    expect([after.startsWith(head), after.endsWith(tail)]).toEqual([true, true]);
    const entry: unknown = JSON.parse(after.slice(head.length, after.length - tail.length));
    expect(entry).toEqual({ type: 'stdio', ...served() });
  });

  test('a file behind a link is written where it is, with its permissions', async () => {
    folder.write('dotfiles/mcp.json', '{}');
    chmodSync(join(folder.path, 'dotfiles/mcp.json'), 0o640);
    mkdirSync(join(folder.path, '.cursor'));
    symlinkSync('../dotfiles/mcp.json', join(folder.path, '.cursor/mcp.json'));
    expect((await install('cursor', FILE)).exitCode).toBe(0);
    expect(json('dotfiles/mcp.json')).toHaveProperty('mcpServers.My-notes');
    expect(statSync(join(folder.path, 'dotfiles/mcp.json')).mode & 0o777).toBe(0o640);
  });

  test.each([
    ['{ "mcpServers": { "a": 1, ]', 'line 1, column 27'],
    ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
    ['[]', 'it is not an object'],
  ])('%s is refused, and stays', async (text, words) => {
    folder.write('.cursor/mcp.json', text);
    const { exitCode, stdout, stderr } = await install('cursor', FILE, '--force');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('TW_CLI_CLIENT_FILE');
    expect(stderr).toContain(words);
    expect(read('.cursor/mcp.json')).toBe(text);
  });

  test.each([
    ['a file in place of the folder', '.cursor', ''],
    ['a folder in place of the file', '.cursor/mcp.json/x', ''],
  ])('%s is an error without a stack', async (_, path, text) => {
    folder.write(path, text);
    const { exitCode, stdout, stderr } = await install('cursor', FILE);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('TW_CLI_CLIENT_FILE');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('a client with a program', () => {
  const taken = `if (args[1] === 'add') end(1, '', 'MCP server My-notes already exists in local config');
if (args[1] === 'get') end(0, 'My-notes:\\n  Scope: Local config\\n  Command: old\\n  Environment:\\n    KEY=hidden too\\n');`;

  test('claude gets words, and no shell line', async () => {
    programs.add('claude', 'end(0);');
    const { exitCode, stdout } = await install(
      'claude-code',
      FILE,
      '--env',
      `TOKEN=${SECRET}`,
      '--env',
      'B=',
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('scope local')]);
    const { command, args } = served();
    expect(programs.calls('claude')).toEqual([
      [
        'mcp',
        'add',
        'My-notes',
        '--scope',
        'local',
        '--env',
        `TOKEN=${SECRET}`,
        '--env',
        'B=',
        '--',
        command,
        ...args,
      ],
    ]);
    expect(existsSync(join(folder.path, '.mcp.json'))).toBe(false);
  });

  test('what claude has is shown; --force removes it first', async () => {
    programs.add('claude', taken);
    const { exitCode, stderr } = await install('claude-code', FILE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"command": "old"');
    expect(stderr).not.toContain('hidden too');
    programs.add('claude', 'end(0);');
    expect((await install('claude-code', FILE, '--force', '--scope', 'user')).exitCode).toBe(0);
    expect(
      programs
        .calls('claude')
        .slice(-2)
        .map((args) => args.slice(0, 5)),
    ).toEqual([
      ['mcp', 'remove', 'My-notes', '--scope', 'user'],
      ['mcp', 'add', 'My-notes', '--scope', 'user'],
    ]);
  });

  test('codex is asked first, because it replaces without a word', async () => {
    const transport = { type: 'stdio', command: 'old', args: [], env: { KEY: 'hidden too' } };
    programs.add('codex', `end(0, ${JSON.stringify(JSON.stringify({ transport }))});`);
    const { exitCode, stderr } = await install('codex', FILE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"command": "old"');
    expect(stderr).not.toContain('hidden too');
    expect(programs.calls('codex')).toEqual([['mcp', 'get', 'My-notes', '--json']]);
    expect((await install('codex', FILE, '--force')).exitCode).toBe(0);
    const { command, args } = served();
    expect(programs.calls('codex').at(-1)).toEqual(['mcp', 'add', 'My-notes', '--', command, ...args]);
  });

  test('code gets one word of JSON', async () => {
    programs.add('code', 'end(0);');
    expect((await install('vscode', FILE, '--env', `TOKEN=${SECRET}`)).exitCode).toBe(0);
    const [[option, text = ''] = []] = programs.calls('code');
    expect([option, JSON.parse(text)]).toEqual([
      '--add-mcp',
      { name: 'My-notes', type: 'stdio', ...served(), env: { TOKEN: SECRET } },
    ]);
    folder.write('home/.config/Code/User/mcp.json', '{ "servers": { "My-notes": { "url": "x" } } }');
    expect((await install('vscode', FILE)).exitCode).toBe(2);
    expect(programs.calls('code')).toHaveLength(1);
  });

  test('a program that is not there is named, with the command for a person', async () => {
    const { exitCode, stdout, stderr } = await install('codex', FILE, '--env', `TOKEN=${SECRET}`);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('`codex`, which is not on the PATH');
    expect(stderr).toContain("codex mcp add My-notes --env 'TOKEN=<TOKEN>' -- ");
    expect((await install('vscode', FILE, '--scope', 'user')).stderr).toContain('code --add-mcp');
  });

  test('a program that fails is quoted, without values', async () => {
    programs.add('claude', "end(3, '', 'no such option: ' + args.join(' '));");
    const { exitCode, stderr } = await install('claude-code', FILE, '--env', `TOKEN=${SECRET}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no such option: mcp add My-notes --scope local --env TOKEN=<TOKEN>');
  });
});

describe('--print', () => {
  test('gives a link of Cursor with absolute paths, and writes nothing', async () => {
    const { exitCode, stdout } = await install('cursor', FILE, '--print', '--name', 'n1');
    const link = new URL(stdout.trim());
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
    expect([exitCode, link.searchParams.get('name'), JSON.parse(config)]).toEqual([0, 'n1', served()]);
    expect(existsSync(join(folder.path, '.cursor'))).toBe(false);
  });

  test('hides values, and says so', async () => {
    const { stdout, stderr } = await install('json', FILE, '--env', `TOKEN=${SECRET}`);
    const server = { ...served(), env: { TOKEN: '<TOKEN>' } };
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { 'My-notes': server } });
    expect(stderr).toContain('put yours in place of <TOKEN>');
  });

  test('calls no program', async () => {
    programs.add('claude', 'end(0);');
    const { stdout } = await install('claude-code', FILE, '--print');
    expect(stdout).toMatch(
      /^claude mcp add My-notes --scope local -- \S+ \S+ run '[^ ]*it'\\''s mine\/server\.ts' --stdio\n$/,
    );
    expect(programs.calls('claude')).toEqual([]);
  });
});

test('a URL is registered as it is', async () => {
  programs.add('claude', 'end(0);');
  programs.add('codex', "end(args[1] === 'get' ? 1 : 0);");
  const url = 'https://example.com:8080/mcp?a=b';
  for (const client of ['claude-code', 'codex', 'cursor', 'vscode', 'gemini-cli'])
    expect((await install(client, url)).exitCode).toBe(0);
  const name = 'example-com-8080';
  expect(programs.calls('claude')).toEqual([
    ['mcp', 'add', name, '--scope', 'local', '--transport', 'http', url],
  ]);
  expect(programs.calls('codex').at(-1)).toEqual(['mcp', 'add', name, '--url', url]);
  expect(json('.cursor/mcp.json')).toEqual({ mcpServers: { [name]: { url } } });
  expect(json('.vscode/mcp.json')).toEqual({ servers: { [name]: { type: 'http', url } } });
  expect(json('.gemini/settings.json')).toEqual({ mcpServers: { [name]: { type: 'http', url } } });
});

test.each([
  [['curser', FILE], 'did you mean "cursor"?'],
  [['cursor'], "missing required argument 'target'"],
  [['cursor', 'missing.ts'], 'does not exist'],
  [['cursor', FILE, '--env', SECRET], 'takes the name of a variable'],
  [['cursor', FILE, '--env', `2=${SECRET}`], 'takes the name of a variable'],
  [['cursor', FILE, '--name', '-rf'], '--name rf'],
  [['cursor', FILE, '--name', 'a b/../"c'], '--name a-b-c'],
  [['cursor', FILE, '--name', ''], 'takes letters'],
  [['cursor', FILE, '--name', '__proto__'], 'takes letters'],
  [['codex', FILE, '--scope', 'local'], 'Codex has user'],
  [['json', FILE, '--scope', 'user'], 'is for clients that keep the server'],
  [['cursor', FILE, '--scope', 'global'], 'Allowed choices are local, project, user'],
  [['cursor', 'http://[', '--print'], 'is not a URL'],
  [['cursor', 'http://me:pw@example.com/mcp'], 'a user name or a password'],
  [['cursor', 'http://example.com/mcp', '--env', 'A=b'], 'for a server that the client starts'],
])('%j is refused', async (args, words) => {
  const { exitCode, stdout, stderr } = await install(...args);
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect([exitCode, stdout]).toEqual([2, '']);
});
