import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ClientFolder, FILE, SECRET } from '../../support/client-folder.ts';

let folder: ClientFolder;

beforeEach(() => {
  folder = new ClientFolder();
});

afterEach(() => {
  folder.remove();
});

describe('a client with a file', () => {
  test.each([
    ['cursor', [], '.cursor/mcp.json', 'mcpServers', {}],
    ['cursor', ['--scope', 'user'], 'home/.cursor/mcp.json', 'mcpServers', {}],
    ['vscode', [], '.vscode/mcp.json', 'servers', { type: 'stdio' }],
    ['gemini-cli', [], '.gemini/settings.json', 'mcpServers', {}],
    ['gemini-cli', ['--scope', 'user'], 'home/.gemini/settings.json', 'mcpServers', {}],
    ['claude-code', [], '.mcp.json', 'mcpServers', { type: 'stdio' }],
  ])('%s %j gets an entry in %s', async (client, options, path, group, more) => {
    const { exitCode, stdout } = await folder.install(client, FILE, ...options, '--env', `TOKEN=${SECRET}`);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(join(folder.path, path))]);
    expect(folder.json(path)).toEqual({
      [group]: { 'My-notes': { ...more, ...folder.served(), env: { TOKEN: SECRET } } },
    });
    expect(statSync(join(folder.path, path)).mode & 0o077).toBe(0);
    const again = await folder.install(client, FILE, ...options, '--env', `TOKEN=${SECRET}`, '--json');
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([
      0,
      expect.objectContaining({ changed: false }),
    ]);
  });

  test('gets the documentation with --docs, which is not a server of a file', async () => {
    const { exitCode } = await folder.install('cursor', '--docs');
    expect(exitCode).toBe(0);
    const args = [expect.stringMatching(/dist\/cli\/main\.js$/), 'docs'];
    expect(folder.json('.cursor/mcp.json')).toEqual({
      mcpServers: { 'toolwright-docs': { command: expect.stringMatching(/node$/), args } },
    });
    const refused = await folder.install('cursor', FILE, '--docs');
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('two servers')]);
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
    const refused = await folder.install('vscode', FILE);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('TW_CLI_CLIENT_TAKEN');
    expect(refused.stderr).toContain('"command": "old"');
    expect(refused.stderr).not.toContain('hidden too');
    expect(folder.read('.vscode/mcp.json')).toBe(before);
    expect((await folder.install('vscode', FILE, '--force')).exitCode).toBe(0);
    const [head = '', tail = ''] = before.split('{ "command": "old", "env": { "TOKEN": "hidden too" } }');
    const after = folder.read('.vscode/mcp.json');
    expect([after.startsWith(head), after.endsWith(tail)]).toEqual([true, true]);
    const entry: unknown = JSON.parse(after.slice(head.length, after.length - tail.length));
    expect(entry).toEqual({ type: 'stdio', ...folder.served() });
  });

  test('a file behind a link is written where it is, with its permissions', async () => {
    folder.write('dotfiles/mcp.json', '{}');
    chmodSync(join(folder.path, 'dotfiles/mcp.json'), 0o640);
    mkdirSync(join(folder.path, '.cursor'));
    symlinkSync('../dotfiles/mcp.json', join(folder.path, '.cursor/mcp.json'));
    expect((await folder.install('cursor', FILE)).exitCode).toBe(0);
    expect(folder.json('dotfiles/mcp.json')).toHaveProperty('mcpServers.My-notes');
    expect(statSync(join(folder.path, 'dotfiles/mcp.json')).mode & 0o777).toBe(0o640);
  });

  test.each([
    ['{ "mcpServers": { "a": 1, ]', 'line 1, column 27'],
    ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
    ['[]', 'it is not an object'],
  ])('%s is refused, and stays', async (text, words) => {
    folder.write('.cursor/mcp.json', text);
    const { exitCode, stdout, stderr } = await folder.install('cursor', FILE, '--force');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('TW_CLI_CLIENT_FILE');
    expect(stderr).toContain(words);
    expect(folder.read('.cursor/mcp.json')).toBe(text);
  });

  test('variables of the server are not those of the command', async () => {
    const HOME = join(folder.path, 'elsewhere');
    const options = ['--env', `HOME=${HOME}`, '--env', 'PATH=/nowhere', '--scope', 'user'];
    expect((await folder.install('cursor', FILE, ...options)).exitCode).toBe(0);
    const env = { HOME, PATH: '/nowhere' };
    const servers = { 'My-notes': { ...folder.served(), env } };
    expect(folder.json('home/.cursor/mcp.json')).toEqual({ mcpServers: servers });
  });

  test('what is not UTF-8, or not a file, is not touched', async () => {
    const path = join(folder.path, '.cursor/mcp.json');
    const bytes = Buffer.from('{ "x": "\u00e4" }', 'latin1');
    mkdirSync(dirname(path));
    writeFileSync(path, bytes);
    expect((await folder.install('cursor', FILE)).stderr).toContain('TW_CLI_CLIENT_FILE');
    expect(readFileSync(path).equals(bytes)).toBe(true);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect((await folder.install('cursor', FILE)).stderr).toContain('it is not a file');
    rmSync(path);
    symlinkSync('nowhere', path);
    expect((await folder.install('cursor', FILE)).stderr).toContain('TW_CLI_CLIENT_FILE');
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ['a file in place of the folder', '.cursor', ''],
    ['a folder in place of the file', '.cursor/mcp.json/x', ''],
  ])('%s is an error without a stack', async (_, path, text) => {
    folder.write(path, text);
    const { exitCode, stdout, stderr } = await folder.install('cursor', FILE);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('TW_CLI_CLIENT_FILE');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('--print', () => {
  test('gives a link of Cursor with absolute paths, and writes nothing', async () => {
    const { exitCode, stdout } = await folder.install('cursor', FILE, '--print', '--name', 'n1');
    const link = new URL(stdout.trim());
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
    expect([exitCode, link.searchParams.get('name'), JSON.parse(config)]).toEqual([0, 'n1', folder.served()]);
    expect(existsSync(join(folder.path, '.cursor'))).toBe(false);
  });

  test('hides values, and says so', async () => {
    const { stdout, stderr } = await folder.install('json', FILE, '--env', `TOKEN=${SECRET}`);
    const server = { ...folder.served(), env: { TOKEN: '<TOKEN>' } };
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { 'My-notes': server } });
    expect(stderr).toContain('put yours in place of <TOKEN>');
  });

  test('calls no program', async () => {
    folder.programs.add('claude', 'end(0);');
    const { stdout } = await folder.install('claude-code', FILE, '--print');
    expect(stdout).toMatch(
      /^claude mcp add My-notes --scope local -- \S+ \S+ run '[^ ]*it'\\''s mine\/server\.ts' --stdio\n$/,
    );
    expect(folder.programs.calls('claude')).toEqual([]);
  });
});

test('a URL is registered as it is', async () => {
  folder.programs.add('claude', 'end(0);');
  folder.programs.add('codex', "end(args[1] === 'get' ? 1 : 0);");
  const url = 'https://example.com:8080/mcp?a=b';
  for (const client of ['claude-code', 'codex', 'cursor', 'vscode', 'gemini-cli'])
    expect((await folder.install(client, url)).exitCode).toBe(0);
  const name = 'example-com-8080';
  expect(folder.programs.calls('claude')).toEqual([
    ['mcp', 'add', name, '--scope', 'local', '--transport', 'http', url],
  ]);
  expect(folder.programs.calls('codex').at(-1)).toEqual(['mcp', 'add', name, '--url', url]);
  expect(folder.json('.cursor/mcp.json')).toEqual({ mcpServers: { [name]: { url } } });
  expect(folder.json('.vscode/mcp.json')).toEqual({ servers: { [name]: { type: 'http', url } } });
  expect(folder.json('.gemini/settings.json')).toEqual({ mcpServers: { [name]: { type: 'http', url } } });
});

test.each([
  [['curser', FILE], 'did you mean "cursor"?'],
  [['cursor'], 'names no server'],
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
  const { exitCode, stdout, stderr } = await folder.install(...args);
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect([exitCode, stdout]).toEqual([2, '']);
});
