import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { CommandFolder } from '../../support/command-line.ts';

const entry = (more = '', port = 0): string => `
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('List them') list(): string { return 'none'; }
  ${more}
}
@Module({ controllers: [Notes] })
class AppModule {}
const app = await McpApplication.create(AppModule, { name: 'notes' });
await app.listen(${String(port)});
`;

let folder: CommandFolder;

beforeEach(() => {
  folder = new CommandFolder({ 'server.ts': entry() });
});

afterEach(() => {
  folder.remove();
});

interface Examined {
  readonly exitCode: number | null;
  /** What was found, by what it is about. */
  readonly found: Readonly<Record<string, Finding>>;
}

async function examine(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Examined> {
  const { exitCode, stdout } = await folder.run(['doctor', ...args, '--json'], env);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Finding[] };
  return { exitCode, found: Object.fromEntries(checks.map((check) => [check.about, check])) };
}

describe('toolwright doctor', () => {
  test('says line by line what is well, and ends with 0', async () => {
    const { exitCode, stdout } = await folder.run(['doctor', 'server.ts']);
    expect(exitCode).toBe(0);
    const lines = stdout.trim().split('\n');
    for (const line of lines) expect(line).toMatch(/^(ok|advice| {7}) {2}/);
    expect(stdout).toContain('ok       class-validator: 0.1');
    expect(stdout).toContain('ok       loader: oxc-transform compiles TypeScript');
    expect(stdout).toContain('ok       application: starts, with 1 tool');
    expect(stdout).not.toContain('\u001b');
  });

  const signIn = (auth: string): string => `
import { providers, github, google } from 'toolwright/sign-in';
const registered = { clientId: 'desk', clientSecret: 'a secret' };
const provider = providers([google(registered), github(registered)]);
${entry().replace("{ name: 'notes' }", `{ name: 'notes', secrets: ['thirty-two bytes of a secret, or more'], auth: ${auth} }`)}`;

  test.each([
    ['resource', "{ resource: 'https://desk.example/mcp', signIn: provider }", 'https://desk.example'],
    [
      'issuer',
      "{ resource: 'https://desk.example/mcp', signIn: { provider, issuer: 'https://desk.example/people' } }",
      'https://desk.example/people',
    ],
  ])('says what to enter at the providers of a sign-in, from its %s', async (_name, auth, issuer) => {
    folder.write('server.ts', signIn(auth));
    const { exitCode, stdout } = await folder.run(['doctor', 'server.ts'], { COLUMNS: '300' });
    expect(exitCode).toBe(0);
    const lines = stdout.replace(/\n {9,}/g, ' ');
    expect(lines).toContain(
      `ok       redirect URI: enter ${issuer}/sign-in/callback at the provider (google, github)\n`,
    );
    expect(lines).toContain(
      `ok       back-channel logout: enter ${issuer}/sign-in/backchannel at the provider`,
    );
    expect(lines).toContain('note     provider: Google: a project in "Testing" ends sign-ins after 7 days.');
    expect(lines).toContain('note     provider: GitHub: create an "OAuth App"');
  });

  test('does not guess a redirect URI whose port is not known yet', async () => {
    folder.write('server.ts', signIn('{ signIn: provider }'));
    const { exitCode, found } = await examine(['server.ts']);
    expect([exitCode, found['redirect URI']?.state]).toEqual([0, 'note']);
    expect(found['redirect URI']?.fix).toContain('auth: { resource:');
    expect(found['back-channel logout']).toBeUndefined();
  });

  test('says nothing of a sign-in where there is none', async () => {
    const { found } = await examine(['server.ts']);
    expect([found['redirect URI'], found['provider']]).toEqual([undefined, undefined]);
  });

  test('ends with 1 for an application that does not start', async () => {
    folder.write('server.ts', entry("@Action('Again') @Action('Twice') twice(): string { return ''; }"));
    const { exitCode, found } = await examine(['server.ts']);
    expect(exitCode).toBe(1);
    expect(found['application']).toMatchObject({ state: 'problem', fix: 'toolwright check server.ts' });
    expect(found['port']).toBeUndefined();
    const { stderr } = await folder.run(['doctor', 'server.ts']);
    expect(stderr).toContain('1 problem.');
  });

  test('a port in use is advice: your own server may be what uses it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    folder.write('server.ts', entry('', port));
    const { exitCode, found } = await examine(['server.ts']);
    other.close();
    expect(exitCode).toBe(0);
    expect(found['port']).toMatchObject({ state: 'advice', found: `127.0.0.1:${String(port)} is in use` });
  });

  test.each([
    [
      '{ "compilerOptions": { /* none */ }, }',
      'advice',
      'lacks experimentalDecorators and emitDecoratorMetadata',
    ],
    ['{ "extends": "./base.json" }', 'ok', 'has experimentalDecorators'],
    [
      '{ "extends": "./base.json", "compilerOptions": { "emitDecoratorMetadata": false } }',
      'advice',
      'lacks emitDecoratorMetadata',
    ],
    ['{ "extends": ["./base.json", "./self.json"] }', 'ok', 'has experimentalDecorators'],
    ['{', 'problem', 'TW_LOADER_TSCONFIG'],
  ])('tsconfig.json with %s is %s', async (text, state, words) => {
    folder.write('tsconfig.json', text);
    folder.write('self.json', '{ "extends": "./self.json" }');
    const flags = { experimentalDecorators: true, emitDecoratorMetadata: true };
    folder.write('base.json', JSON.stringify({ compilerOptions: flags }));
    const { exitCode, found } = await examine([]);
    expect(found['tsconfig.json']).toMatchObject({ state, found: expect.stringContaining(words) });
    expect(exitCode).toBe(state === 'problem' ? 1 : 0);
  });

  test.each([
    [{ module: 'nodenext' }, {}, 'advice', '"type": "module" in package.json'],
    [{ module: 'NodeNext' }, { type: 'module' }, 'ok', undefined],
    [{ module: 'commonjs' }, { type: 'module' }, 'advice', '"module": "nodenext" in tsconfig.json'],
    [{ module: 'esnext', moduleResolution: 'Node' }, { type: 'module' }, 'advice', '"moduleResolution"'],
    [{ module: 'esnext', moduleResolution: 'bundler' }, {}, 'ok', undefined],
  ])('modules of %j and %j are %s', async (compilerOptions, manifest, state, fix) => {
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions }));
    folder.write('package.json', JSON.stringify(manifest));
    const { found } = await examine([]);
    expect(found['modules']?.state).toBe(state);
    if (fix !== undefined) expect(found['modules']?.fix).toContain(fix);
  });

  test('names a compiler that is not there', async () => {
    const hooks = `data:text/javascript,${encodeURIComponent(
      "export const resolve = (name, context, next) => { if (name === 'oxc-transform') throw new Error('gone'); return next(name, context); };",
    )}`;
    const start = `import { register } from 'node:module'; register(${JSON.stringify(hooks)});`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(start)}`;
    const { exitCode, found } = await examine([], { NODE_OPTIONS });
    expect(exitCode).toBe(1);
    expect(found['loader']).toMatchObject({
      state: 'problem',
      fix: expect.stringContaining('oxc-transform'),
    });
    folder.write('server.js', 'export {};');
    expect((await examine(['server.js'], { NODE_OPTIONS })).found['loader']?.state).toBe('advice');
  });

  test('compares the lock, where there is one', async () => {
    expect((await examine(['server.ts'])).found).not.toHaveProperty(['toolwright.lock.json']);
    await folder.run(['lock', 'server.ts']);
    expect((await examine(['server.ts'])).found['toolwright.lock.json']?.state).toBe('ok');
    folder.write('server.ts', entry("@Action('One more') more(): string { return ''; }"));
    const changed = await examine(['server.ts']);
    expect([changed.exitCode, changed.found['toolwright.lock.json']?.state]).toEqual([0, 'advice']);
    folder.write('toolwright.lock.json', '{');
    const broken = await examine(['server.ts']);
    expect([broken.exitCode, broken.found['toolwright.lock.json']?.state]).toEqual([1, 'problem']);
  });

  test('renews what AGENTS.md says of Toolwright, and leaves the rest byte for byte', async () => {
    folder.write('package.json', '{ "type": "module" }');
    expect((await examine(['server.ts', '--fix-agents'])).exitCode).toBe(1);
    const [before, after] = ['# Mine\r\n\r\n  as it is\t\r\n', '\r\nMine as well, without an end'];
    const old = '<!-- BEGIN:toolwright -->\r\nOld.\r\n<!-- END:toolwright -->';
    folder.write('AGENTS.md', `${before}${old}${after}`);
    const stale = await examine(['server.ts']);
    expect([stale.exitCode, stale.found['AGENTS.md']]).toEqual([
      0,
      expect.objectContaining({ state: 'advice', fix: 'npx toolwright doctor --fix-agents' }),
    ]);
    expect((await examine(['server.ts', '--fix-agents'])).found['AGENTS.md']).toEqual({
      about: 'AGENTS.md',
      state: 'ok',
      found: 'has the part about Toolwright of this release now',
    });
    const text = readFileSync(join(folder.path, 'AGENTS.md'), 'utf8');
    expect([text.startsWith(before), text.endsWith(after)]).toEqual([true, true]);
    expect(text).toMatch(/toolwright check`[^]*ToolError/);
    expect(text).not.toMatch(/[^\r]\n/);
  });

  test('a file that is not there is a mistake of the command line', async () => {
    const { exitCode, stdout, stderr } = await folder.run(['doctor', 'sever.ts']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('did you mean "server.ts"?');
  });

  test('examines the project of the file, from wherever it runs', async () => {
    folder.write('package.json', JSON.stringify({ type: 'module' }));
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'nodenext' } }));
    folder.write('inner/package.json', JSON.stringify({ type: 'commonjs' }));
    const { found } = await examine([join('..', folder.path.split('/').at(-1) ?? '', 'server.ts')]);
    expect(found['modules']?.state).toBe('ok');
  });
});
