import { expect, test } from '@jest/globals';
import { CLIENTS, SCOPES } from '../../../src/cli/clients/clients.ts';
import { hideEntry, hideIn, hideValues } from '../../../src/cli/clients/hidden-values.ts';
import type { LocalServer } from '../../../src/cli/clients/server.ts';

/** As on Windows, where clients start a program with a list of arguments as well. */
const SERVER: LocalServer = {
  kind: 'local',
  name: 'notes',
  command: String.raw`C:\Program Files\nodejs\node.exe`,
  args: [String.raw`C:\it's "mine"\main.js`, 'run', String.raw`D:\a b\server.ts#App`, '--stdio'],
  env: { TOKEN: 'a=b "c"' },
};

test('paths go into files and arguments as they are', () => {
  for (const [name, { scopes, register }] of Object.entries(CLIENTS))
    for (const scope of scopes) {
      const { program, file } = register(SERVER, scope, '/project');
      const words = [...(program?.add ?? []), JSON.stringify(file?.entry ?? {})].join('\n');
      const plain = program?.add.includes('--') === true;
      const paths = [SERVER.command, ...SERVER.args];
      for (const path of paths)
        expect([name, words]).toEqual([name, expect.stringContaining(plain ? path : JSON.stringify(path))]);
    }
});

test('a link of Cursor carries what its file would have', () => {
  const link = new URL(CLIENTS['cursor']?.link?.(SERVER) ?? '');
  expect([link.protocol, link.hostname, link.pathname]).toEqual([
    'cursor:',
    'anysphere.cursor-deeplink',
    '/mcp/install',
  ]);
  expect(link.searchParams.get('name')).toBe('notes');
  const { command, args, env } = SERVER;
  const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
  expect(JSON.parse(config)).toEqual({ command, args, env });
});

test('every client has one of the scopes that the command knows', () => {
  for (const { scopes } of Object.values(CLIENTS)) {
    expect(scopes.length).toBeGreaterThan(0);
    for (const scope of scopes) expect(SCOPES).toContain(scope);
  }
});

test('values of variables are hidden in what is shown', () => {
  expect(hideValues(SERVER)).toEqual({ ...SERVER, env: { TOKEN: '<TOKEN>' } });
  expect(hideIn('bad value a=b "c" of TOKEN', SERVER)).toBe('bad value <TOKEN> of TOKEN');
  expect(hideEntry({ url: 'x', headers: { authorization: 'Bearer y' }, env: { A: 'b' } })).toEqual({
    url: 'x',
    headers: { authorization: '…' },
    env: { A: '…' },
  });
});
