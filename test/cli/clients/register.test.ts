import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ClientFolder, FILE, SECRET } from '../../support/client-folder.ts';

let folder: ClientFolder;

beforeEach(() => {
  folder = new ClientFolder();
});

afterEach(() => {
  folder.remove();
});

describe('a client with a program', () => {
  const taken = `if (args[1] === 'add') end(1, '', 'MCP server My-notes already exists in local config');
if (args[1] === 'get') end(0, 'My-notes:\\n  Scope: Local config\\n  Command: old\\n  Environment:\\n    KEY=hidden too\\n');`;

  test('claude gets words, and no shell line', async () => {
    folder.programs.add('claude', 'end(0);');
    const { exitCode, stdout } = await folder.install(
      'claude-code',
      FILE,
      '--env',
      `TOKEN=${SECRET}`,
      '--env',
      'B=',
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('scope local')]);
    const { command, args } = folder.served();
    expect(folder.programs.calls('claude')).toEqual([
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
    folder.programs.add('claude', taken);
    const { exitCode, stderr } = await folder.install('claude-code', FILE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"command": "old"');
    expect(stderr).not.toContain('hidden too');
    folder.programs.add('claude', 'end(0);');
    expect((await folder.install('claude-code', FILE, '--force', '--scope', 'user')).exitCode).toBe(0);
    expect(
      folder.programs
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
    folder.programs.add('codex', `end(0, ${JSON.stringify(JSON.stringify({ transport }))});`);
    const { exitCode, stderr } = await folder.install('codex', FILE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"command": "old"');
    expect(stderr).not.toContain('hidden too');
    expect(folder.programs.calls('codex')).toEqual([['mcp', 'get', 'My-notes', '--json']]);
    expect((await folder.install('codex', FILE, '--force')).exitCode).toBe(0);
    const { command, args } = folder.served();
    expect(folder.programs.calls('codex').at(-1)).toEqual(['mcp', 'add', 'My-notes', '--', command, ...args]);
  });

  test('code gets one word of JSON', async () => {
    folder.programs.add('code', 'end(0);');
    expect((await folder.install('vscode', FILE, '--env', `TOKEN=${SECRET}`)).exitCode).toBe(0);
    const [[option, text = ''] = []] = folder.programs.calls('code');
    expect([option, JSON.parse(text)]).toEqual([
      '--add-mcp',
      { name: 'My-notes', type: 'stdio', ...folder.served(), env: { TOKEN: SECRET } },
    ]);
    folder.write('home/.config/Code/User/mcp.json', '{ "servers": { "My-notes": { "url": "x" } } }');
    expect((await folder.install('vscode', FILE)).exitCode).toBe(2);
    expect(folder.programs.calls('code')).toHaveLength(1);
  });

  test('a program that is not there is named, with the command for a person', async () => {
    const { exitCode, stdout, stderr } = await folder.install('codex', FILE, '--env', `TOKEN=${SECRET}`);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('`codex`, which is not on the PATH');
    expect(stderr).toContain("codex mcp add My-notes --env 'TOKEN=<TOKEN>' -- ");
    expect((await folder.install('vscode', FILE, '--scope', 'user')).stderr).toContain('code --add-mcp');
  });

  test('a program that fails is quoted, without values', async () => {
    folder.programs.add('claude', "end(3, '', 'no such option: ' + args.join(' '));");
    const { exitCode, stderr } = await folder.install('claude-code', FILE, '--env', `TOKEN=${SECRET}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no such option: mcp add My-notes --scope local --env TOKEN=<TOKEN>');
  });
});
