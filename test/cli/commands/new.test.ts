import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from '../../../src/cli/commands/new.ts';
import {
  TEMPLATE_FILES,
  packageNameOf,
  projectFiles,
  type Template,
} from '../../../src/cli/new/project-files.ts';
import { findIdentityFaults, type ServerIdentity } from '../../../src/shared/server-identity.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { LineProcess } from '../../support/line-process.ts';
import { CTRL_C, DOWN, ENTER, TypedTerminal } from '../../support/typed-terminal.ts';
import { ROOT } from '../../pins/docs/example.ts';

const COMMAND = join(ROOT, 'dist/cli/main.js');

/** Stands for a packed Toolwright: what is in it is for npm to read. */
let packed: string;
let packedIn: string;
beforeAll(() => {
  packedIn = mkdtempSync(join(tmpdir(), 'packed-'));
  packed = join(packedIn, 'toolwright-9.9.9.tgz');
  writeFileSync(packed, gzipSync('packed'));
});
afterAll(() => {
  rmSync(packedIn, { recursive: true });
});

let folder: CommandFolder;
beforeEach(() => {
  folder = new CommandFolder();
});
afterEach(() => {
  folder.remove();
});

const read = (path: string): string => readFileSync(join(folder.path, path), 'utf8');

describe('a new project', () => {
  test('has the tests, the lock file, the workflow and the settings, and says what is next', async () => {
    const { exitCode, stdout, stderr } = await folder.run(['new', 'my-notes', '--package', packed]);
    expect([exitCode, stdout]).toEqual([0, `Made my-notes in ${join(folder.path, 'my-notes')}: 14 files.\n`]);
    expect(stderr).toMatch(
      /^It installs toolwright from vendor[^]*Next\n {2}cd my-notes\n {2}npm install\n {2}npm run dev/,
    );
    expect(readdirSync(join(folder.path, 'my-notes')).sort()).toEqual([
      '.github',
      '.gitignore',
      'AGENTS.md',
      'CLAUDE.md',
      'README.md',
      'package.json',
      'src',
      'test',
      'toolwright.lock.json',
      'tsconfig.build.json',
      'tsconfig.json',
      'vendor',
    ]);
    const { name, dependencies } = JSON.parse(read('my-notes/package.json')) as Manifest;
    expect(name).toBe('my-notes');
    expect(dependencies['toolwright']).toBe('file:vendor/toolwright-9.9.9.tgz');
    expect(readFileSync(join(folder.path, 'my-notes/vendor/toolwright-9.9.9.tgz'))).toEqual(
      readFileSync(packed),
    );
    expect(read('my-notes/src/server.ts')).toContain("name: 'my-notes'");
    const bytes = readFileSync(packed);
    for (const [path, text] of projectFiles('my-notes', 'http', { name: 'toolwright-9.9.9.tgz', bytes })) {
      if (typeof text !== 'string') continue;
      expect(read(`my-notes/${path}`)).toBe(text);
      expect(text.replaceAll(BLOCK_MARK, '')).not.toMatch(/\bstarter\b|<!--/);
    }
  });

  test('says to coding agents what they get wrong, in few lines, unless it is not to', async () => {
    await folder.run(['new', 'made', '--package', packed]);
    const agents = read('made/AGENTS.md');
    expect(agents.split('\n').length).toBeLessThanOrEqual(41);
    expect(agents).toMatch(
      /^# made\n[^]*node_modules\/toolwright\/docs\/llms\.txt[^]*<!-- END:toolwright -->\n$/,
    );
    expect(read('made/CLAUDE.md')).toBe('@AGENTS.md\n');
    const { stdout } = await folder.run(['new', 'plain', '--no-agents', '--json', '--package', packed]);
    const { files } = JSON.parse(stdout) as { readonly files: readonly string[] };
    expect(files).toContain('README.md');
    expect(files.filter((path) => /AGENTS|CLAUDE/.test(path))).toEqual([]);
    expect(existsSync(join(folder.path, 'plain/AGENTS.md'))).toBe(false);
  });

  test.each<Template>(['http', 'stdio', 'api-key', 'sign-in', 'openapi', 'nest'])(
    'passes its own tests and checks as %s',
    async (template) => {
      await folder.run(['new', 'made', '--template', template, '--package', packed]);
      const cwd = join(folder.path, 'made');
      mkdirSync(join(cwd, 'node_modules'));
      symlinkSync(ROOT, join(cwd, 'node_modules/toolwright'), 'junction');
      for (const name of ['class-validator', '@nestjs', 'reflect-metadata', 'rxjs', '@types', 'typescript'])
        symlinkSync(join(ROOT, 'node_modules', name), join(cwd, 'node_modules', name), 'junction');
      const { scripts } = JSON.parse(read('made/package.json')) as Manifest;
      expect(scripts['test']).toBe('node --import toolwright/register --test test/*.test.ts');
      for (const args of [
        ['--import', 'toolwright/register', '--test', ...testsOf(template)],
        // As the scripts and the workflow call them: package.json names the entry
        [COMMAND, ...(scripts['check'] ?? '').split(' ').slice(1), '--fail-on', 'advice'],
        [COMMAND, ...(scripts['check:clients'] ?? '').split(' ').slice(1)],
        [COMMAND, 'lock', '--check'],
        ...(template === 'stdio' ? [[COMMAND, 'pack', '--check']] : []),
      ]) {
        const started = new LineProcess({ args, cwd, env: { NODE_TEST_CONTEXT: '' } });
        expect([args, await started.ended, started.output()]).toEqual([args, 0, expect.any(String)]);
      }
    },
    120_000,
  );

  test('is a copy of all that the example has', () => {
    const tracked = execFileSync('git', ['ls-files', 'examples/starter'], { cwd: ROOT, encoding: 'utf8' });
    const copied = [...projectFiles('starter', 'http').keys()].filter(
      (path) => path !== 'package.json' && path !== '.gitignore',
    );
    const all = new Set([
      ...copied,
      ...Object.values(TEMPLATE_FILES).flatMap((files) => Object.values(files)),
    ]);
    expect(tracked.trim().split('\n')).toEqual([...all].map((path) => `examples/starter/${path}`).sort());
  });

  test('says how its keys are made, and hashes them alone', async () => {
    const files = projectFiles('made', 'api-key');
    const { scripts } = JSON.parse(String(files.get('package.json'))) as Manifest;
    expect(scripts['key']).toContain('createApiKey()');
    expect(files.get('README.md')).toMatch(/npm run key[^]*--header 'x-api-key: …'/);
    expect(files.get('src/server.ts')).toContain('apiKeys({ find: (hash) => keys.get(hash) })');
    for (const text of textsIn(files)) expect(text).not.toMatch(/<!--|server-(?:api-key|sign-in)/);
    expect(projectFiles('made', 'http').get('README.md')).not.toContain('api-key');
  });

  test('of people who sign in has a provider for this computer, and what it needs', async () => {
    const { stderr } = await folder.run(['new', 'made', '--template', 'sign-in', '--package', packed]);
    expect(stderr).toContain('npm run provider &');
    const { dependencies, scripts } = JSON.parse(read('made/package.json')) as Manifest;
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['oidc-provider', 'openid-client']));
    expect(scripts['provider']).toBe('node provider.mjs');
    expect(read('made/src/server.ts')).toContain("clientId: CLIENT_ID ?? 'made'");
    expect(read('made/provider.mjs')).toContain("client_id: 'made'");
    for (const text of textsIn(projectFiles('made', 'sign-in')))
      expect(text).not.toMatch(/<!--|server-(?:api-key|sign-in)/);
  });

  test.each([
    ['openapi', 'API_URL', ['api', 'plan'], 'toolwright'],
    ['nest', 'npm start` serves both', ['plan'], '@nestjs/core'],
  ] as const)('from %s says how to begin, and has nothing of the others', (template, words, own, needed) => {
    const files = projectFiles('made', template);
    const { dependencies, scripts } = JSON.parse(String(files.get('package.json'))) as Manifest;
    expect(files.get('README.md')).toContain(words);
    expect(files.get('README.md')).not.toContain('note-store');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...own]));
    expect(dependencies[needed]).toMatch(/\d/);
    expect(Object.values(dependencies)).not.toContain('*');
    for (const text of textsIn(files)) expect(text).not.toMatch(/<!--|\bstarter\b/);
  });

  test('can be published where clients start it', () => {
    const files = projectFiles('made', 'stdio');
    expect(JSON.parse(String(files.get('package.json')))).toMatchObject({
      bin: { made: 'dist/main.js' },
      files: ['dist'],
      scripts: { prepack: 'npm run build' },
      dependencies: { toolwright: expect.stringMatching(/^\^\d/) },
    });
    expect(files.get('README.md')).toContain('"args": ["-y", "made"]');
    expect(projectFiles('made', 'http').has('src/main.ts')).toBe(false);
  });

  test.each([
    ['made', 'com.example/made'],
    ['a', 'com.example/a-server'],
    ['my~notes', 'com.example/my-notes'],
    ['n'.repeat(207), `com.example/${'n'.repeat(180)}`],
  ])('%s has a name for the registry, which its workflow checks', (name, mcpName) => {
    const files = projectFiles(name, 'http');
    const { version, ...manifest } = JSON.parse(String(files.get('package.json'))) as ServerIdentity;
    expect(manifest).toMatchObject({ mcpName });
    expect(findIdentityFaults({ ...manifest, name: mcpName, version })).toEqual([]);
    expect(files.get('.github/workflows/ci.yml')).toContain('npx toolwright pack --check');
  });

  test('is made in the current folder, beside .git', async () => {
    mkdirSync(join(folder.path, '.git'));
    const { exitCode, stderr } = await folder.run(['new', '.', '--yes', '--package', packed]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('cd ');
    expect(existsSync(join(folder.path, 'src/server.ts'))).toBe(true);
  });

  test('is described in JSON', async () => {
    const { stdout } = await folder.run(['new', 'My Notes', '--json', '--package', packed]);
    const made = JSON.parse(stdout) as { readonly files: readonly string[] };
    expect(made).toMatchObject({
      directory: join(folder.path, 'My Notes'),
      name: 'my-notes',
      template: 'http',
    });
    expect(made.files).toContain('src/server.ts');
  });

  test('as stdio starts what it is for; as http it serves at an address', () => {
    const scriptsOf = (template: 'http' | 'stdio'): Manifest['scripts'] =>
      (JSON.parse(String(projectFiles('made', template).get('package.json'))) as Manifest).scripts;
    expect(scriptsOf('stdio')['start']).toBe('toolwright run --stdio');
    expect(scriptsOf('http')['start']).toBe('toolwright run');
    expect(String(projectFiles('made', 'stdio').get('README.md'))).toContain(
      'npx toolwright install claude-code',
    );
  });

  test('is entered with a line that shells understand', async () => {
    const { stderr } = await folder.run(['new', "it's a server", '--package', packed]);
    expect(stderr).toContain(String.raw`cd 'it'\''s a server'`);
  });
});

/** What stands around the part of AGENTS.md that `doctor --fix-agents` renews. */
const BLOCK_MARK = /<!-- (?:BEGIN|END):toolwright -->/g;

function textsIn(files: ReadonlyMap<string, string | Uint8Array>): readonly string[] {
  return [...files.values()].map((content) => String(content).replaceAll(BLOCK_MARK, ''));
}

function testsOf(template: Template): readonly string[] {
  return [...projectFiles('made', template).keys()].filter((path) => path.startsWith('test/'));
}

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

describe('the name of the package', () => {
  test.each([
    ['/projects/notes', 'notes'],
    ['/projects/My Notes', 'my-notes'],
    ['/projects/notes.v2/', 'notes.v2'],
    ['/projects/.hidden', 'hidden'],
    ['/projects/_private', 'private'],
    ['/projects/Größe', 'grosse'],
    ['/projects/サーバー', 'mcp-server'],
    ['/projects/---', 'mcp-server'],
    ['/', 'mcp-server'],
    ['/projects/toolwright', 'toolwright-server'],
    ['/projects/node_modules', 'node_modules-server'],
    ['/projects/http', 'http-server'],
    [`/projects/${'x'.repeat(250)}`, 'x'.repeat(207)],
  ])('of %s is %s', (directory, name) => {
    expect(packageNameOf(directory)).toBe(name);
  });
});

describe('a folder in which nothing can be made', () => {
  test('is refused with what is in it, and left as it is', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) folder.write(`full/${name}`, name);
    const { exitCode, stdout, stderr } = await folder.run(['new', 'full']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('is not empty: it has a.txt, b.txt, c.txt and 2 more.');
    expect(readdirSync(join(folder.path, 'full'))).toHaveLength(5);
  });

  test.each([
    [['new', 'file.txt'], 'is a file, or is inside of one'],
    [['new', 'file.txt/inside'], 'is a file, or is inside of one'],
    [['new', ''], 'names no folder'],
    [['new'], 'names no folder'],
    [['new', '--yes'], 'names no folder'],
    [['new', 'made', '--template', 'htp'], 'Allowed choices are http, stdio, api-key'],
    [['new', 'made', '--package', 'missing.tgz'], '--package missing.tgz does not exist'],
    [['new', 'made', '--package', 'file.txt'], 'file.txt is not a packed file'],
    [['new', 'made', '--package', '.'], 'is a folder without this package'],
    [['new', 'made', 'twice'], 'too many arguments'],
    [['nwe', 'made'], 'did you mean new?'],
  ])('%j', async (args, words) => {
    folder.write('file.txt', 'text');
    const { exitCode, stdout, stderr } = await folder.run(args);
    expect(stderr).toContain(words);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(readdirSync(folder.path)).toEqual(['file.txt']);
  });
});

describe('at a terminal', () => {
  /** Types an answer to each question, as it appears. */
  async function answer(values: readonly string[], answers: Readonly<Record<string, string>>) {
    const typed = new TypedTerminal(answers);
    const code = await run({ values, options: { package: packed }, commands: [] }, typed.terminal);
    await typed.terminal.end();
    return { code, asked: typed.asked, stdout: String(typed.stdout.read() ?? '') };
  }

  test('asks for what is open, and makes what was chosen', async () => {
    const directory = join(folder.path, 'typed');
    const { code, asked, stdout } = await answer([], {
      'which folder': directory + ENTER,
      'kind of project': DOWN + ENTER,
    });
    expect([code, asked]).toEqual([0, ['which folder', 'kind of project']]);
    expect(stdout).toContain(`Made typed in ${directory}`);
    expect(existsSync(join(directory, 'src/main.ts'))).toBe(true);
  });

  test.each(['which folder', 'kind of project'])(
    'ends with 130 at Ctrl-C where it asks: %s',
    async (question) => {
      const given = question === 'which folder' ? [] : [join(folder.path, 'typed')];
      const { code, stdout } = await answer(given, { [question]: CTRL_C });
      expect([code, stdout]).toEqual([130, '']);
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );
});
