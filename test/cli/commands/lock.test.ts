import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runInProcess } from '../../support/command-in-process.ts';
import { CommandFolder } from '../../support/command-line.ts';

const entry = (title: string, fields = ''): string => `
import { IsOptional, IsString } from 'class-validator';
import { Action, Input, Module, ToolGroup } from 'toolwright';

class Create {
  @IsString() title!: string;
  @IsOptional() @IsString() note?: string;
  ${fields}
}

@ToolGroup({ name: 'tasks', description: 'Tasks' })
class Tasks {
  @Action('${title}') create(@Input(Create) input: Create): string {
    return input.title;
  }
  @Action('List tasks') list(): string {
    return 'none';
  }
}

@Module({ controllers: [Tasks] })
export class AppModule {}
`;

const LOCK = 'toolwright.lock.json';

let folder: CommandFolder;

beforeAll(async () => {
  folder = new CommandFolder({
    'server.ts': entry('Create a task'),
    'changed.ts': entry('Add a task'),
    'required.ts': entry('Create a task', '@IsString() team!: string;'),
    'optional.ts': entry('Create a task', '@IsOptional() @IsString() team?: string;'),
  });
  await folder.run(['lock', 'server.ts']);
});

afterAll(() => {
  folder.remove();
});

const locked = (): string => readFileSync(join(folder.path, LOCK), 'utf8');

describe('toolwright lock', () => {
  test('writes the same bytes at each start, without a path, a time or a version of the framework', async () => {
    const first = locked();
    rmSync(join(folder.path, LOCK));
    expect(await folder.run(['lock', 'server.ts'])).toEqual({
      exitCode: 0,
      stdout: `Wrote ${LOCK}.\n`,
      stderr: '',
    });
    expect(locked()).toBe(first);
    expect(first).not.toContain(folder.path);
    const again = await folder.run(['lock', 'server.ts']);
    expect(again.stdout).toBe(`Nothing has changed in ${LOCK}.\n`);
    expect(locked()).toBe(first);
    expect((await folder.run(['lock', 'server.ts', '--check'])).exitCode).toBe(0);
  });

  test('--check shows what differs, ends with 1, and leaves the file as it is', async () => {
    const before = locked();
    const { exitCode, stdout, stderr } = await folder.run(['lock', 'changed.ts', '--check']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('risky     tasks.create  ');
    expect(stderr).toContain('Write it again: toolwright lock changed.ts');
    expect(locked()).toBe(before);
  });

  test('--check without a lock file is a mistake in the use', async () => {
    const { exitCode, stdout, stderr } = await folder.run([
      'lock',
      'server.ts',
      '--check',
      '-o',
      'none.json',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('TW_CLI_LOCK: none.json cannot be read');
  });

  test('keeps what was accepted when it writes again', async () => {
    const accept = [{ rule: 'tool-removed', where: 'notes', reason: 'nobody calls it' }];
    folder.write('kept.json', JSON.stringify({ ...(JSON.parse(locked()) as object), accept }));
    await folder.run(['lock', 'server.ts', '-o', 'kept.json']);
    expect(JSON.parse(readFileSync(join(folder.path, 'kept.json'), 'utf8'))).toMatchObject({ accept });
  });
});

describe('an application whose callers sign in', () => {
  const server = `
    import { Action, McpApplication, Module, Roles, Scopes, ToolGroup } from 'toolwright';
    @ToolGroup('tasks') @Scopes('tasks:read')
    class Tasks {
      @Action('List tasks') list(): string { return 'none'; }
      @Action('Drop all tasks') @Roles('admin') drop(): string { return 'dropped'; }
    }
    @Module({ controllers: [Tasks] })
    class AppModule {}
    const verify = { verify: () => undefined };
    const app = await McpApplication.create(AppModule, { auth: { verify } });
    await app.listen(0);
  `;

  beforeAll(() => {
    folder.write('protected.ts', server);
  });

  test('is locked as a whole, without a token', async () => {
    const { exitCode, stderr } = await folder.run(['lock', 'protected.ts', '-o', 'protected.json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(folder.path, 'protected.json'), 'utf8')).toContain('Drop all tasks');
  });

  test('is called by its developer, who may do everything', async () => {
    const { exitCode, stdout } = await folder.run(['call', 'protected.ts', 'tasks.drop']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'dropped\n' });
  });
});

describe('an application that looks at clients', () => {
  const auto = (surface: string): string =>
    `${entry('Create a task')}\nexport const app = McpApplication.create(AppModule, { name: 'tasks', surface: ${surface} });`
      .replace('import { Action,', 'import { Action, McpApplication,')
      .replace('export class AppModule', 'class AppModule');

  beforeAll(async () => {
    folder.write('auto.ts', auto("'auto'"));
    folder.write('chosen.ts', auto("{ use: 'auto', clients: { codex: 'flat' } }"));
    await folder.run(['lock', 'auto.ts', '-o', 'auto.json']);
  });

  test('has in its lock who gets which surface, in short', async () => {
    const { surfaces, profiles } = JSON.parse(readFileSync(join(folder.path, 'auto.json'), 'utf8')) as {
      surfaces: Record<string, { clients: string[]; names: string[] }>;
      profiles: string;
    };
    expect(profiles).toMatch(/^\d{4}-\d\d$/);
    expect(surfaces['grouped-by-risk/signatures']).toEqual({
      beside: { read_result: expect.arrayContaining(['codex']) as unknown },
      clients: expect.arrayContaining(['codex', 'claude']) as unknown,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      tokens: expect.any(Number) as unknown,
      names: ['tasks_write'],
    });
    expect(surfaces['flat']?.clients).toEqual(['chatgpt']);
    expect((await folder.run(['lock', 'auto.ts', '--check', '-o', 'auto.json'])).exitCode).toBe(0);
  });

  test('90: --check finds another choice for a client, which is risky', async () => {
    const { exitCode, stdout } = await folder.run(['lock', 'chosen.ts', '--check', '-o', 'auto.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'risky     surface flat  Clients get another surface: codex had "grouped-by-risk/signatures".',
    );
  });

  test('90: a file of the first version is read, and says nothing of clients', async () => {
    const {
      surfaces: _surfaces,
      profiles: _profiles,
      ...own
    } = JSON.parse(readFileSync(join(folder.path, 'auto.json'), 'utf8')) as Record<string, unknown>;
    folder.write('first.json', `${JSON.stringify({ ...own, lockVersion: 1 }, null, 2)}\n`);
    expect(await folder.run(['lock', 'chosen.ts', '--check', '-o', 'first.json'])).toMatchObject({
      exitCode: 0,
      stdout: 'first.json is up to date.\n',
    });
  });

  test('has the tools of all surfaces with --full, which list can look at', async () => {
    await folder.run(['lock', 'auto.ts', '--full', '-o', 'full.json']);
    const list = (file: string, ...args: string[]) =>
      runInProcess(['list', join(folder.path, file), '--names', ...args]);
    expect((await list('full.json', '--client', 'chatgpt')).stdout).toBe('tasks_create\ntasks_list\n');
    expect((await list('full.json', '--surface', 'own')).stdout).toBe('tasks.create\ntasks.list\n');
    expect(await list('auto.json', '--surface', 'flat')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only the names') as unknown,
    });
  });
});

describe('toolwright diff', () => {
  /** Of two locks, in this process: no file of a user is loaded. */
  const diff = async (before: string, after: string, ...args: string[]) => {
    const [left, right] = [before, after].map((file) => join(folder.path, file)) as [string, string];
    const { code: exitCode, ...written } = await runInProcess(['diff', left, right, ...args]);
    return { exitCode, ...written };
  };

  beforeAll(async () => {
    folder.write('longer.ts', entry(`Create a task. ${'It says more than it has to. '.repeat(20)}`));
    const entries = ['server', 'changed', 'required', 'optional', 'longer'];
    await Promise.all(entries.map((name) => folder.run(['lock', `${name}.ts`, '-o', `${name}.json`])));
  });

  test('a required field is breaking and ends with 1, an optional one safe and ends with 0', async () => {
    const required = await folder.run(['diff', LOCK, 'required.ts']);
    expect(required.exitCode).toBe(1);
    expect(required.stdout).toContain('breaking  tasks.create(team)  A required field is new');
    const optional = await diff(LOCK, 'optional.json');
    expect(optional.exitCode).toBe(0);
    expect(optional.stdout).toContain('safe      tasks.create(team)  An optional field is new');
  });

  test('a surface that costs over a tenth more tokens is risky', async () => {
    const { exitCode, stdout } = await diff(LOCK, 'longer.json');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^risky +server  The whole costs over a tenth more tokens: \d+ tokens became \d+\.$/m,
    );
    expect((await diff(LOCK, 'changed.json')).stdout).not.toContain('tokens');
  });

  test('--fail-on decides what ends with 1', async () => {
    expect((await diff(LOCK, 'changed.json')).exitCode).toBe(0);
    expect((await diff(LOCK, 'changed.json', '--fail-on', 'risky')).exitCode).toBe(1);
    expect((await diff(LOCK, 'required.json', '--fail-on', 'none')).exitCode).toBe(0);
    expect((await diff(LOCK, 'changed.json', '--fail-on', 'all')).exitCode).toBe(2);
  });

  test('reads a file of an earlier commit; a revision that does not exist is a mistake in the use', async () => {
    const repository = new CommandFolder({ [LOCK]: locked(), 'server.ts': entry('Create a task') });
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: repository.path,
      });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    git('commit', '--quiet', '--allow-empty', '-m', 'second');
    expect(await repository.run(['diff', `git:HEAD~1:${LOCK}`, 'server.ts'])).toEqual({
      exitCode: 0,
      stdout: 'No difference.\n',
      stderr: '',
    });
    const unknown = await repository.run(['diff', `git:HEAD~9:${LOCK}`, 'server.ts']);
    expect({ exitCode: unknown.exitCode, stdout: unknown.stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain(`TW_CLI_LOCK: git:HEAD~9:${LOCK} cannot be read`);
    repository.remove();
  });

  test.each([
    [
      'newer',
      (text: string) => text.replace('"lockVersion": 2', '"lockVersion": 3'),
      'has the lock version 3',
    ],
    ['cut off', (text: string) => text.slice(0, 100), 'is not complete JSON'],
  ])('a lock that is %s ends with 2 and says so', async (_, damage, message) => {
    folder.write('damaged.json', damage(locked()));
    const { exitCode, stdout, stderr } = await diff('damaged.json', 'server.json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('passes what was accepted; an entry without a change ends with 1', async () => {
    const accepting = (where: string): string =>
      JSON.stringify({
        ...(JSON.parse(locked()) as object),
        accept: [{ rule: 'field-required-added', where, reason: 'all clients send it' }],
      });
    folder.write('accepting.json', accepting('tasks.create(team)'));
    const passed = await folder.run(['diff', 'accepting.json', 'required.ts']);
    expect(passed.exitCode).toBe(0);
    expect(passed.stdout).toContain(
      'accepted  tasks.create(team)  field-required-added: all clients send it',
    );
    folder.write('stale.json', accepting('tasks.list(team)'));
    const stale = await folder.run(['diff', 'stale.json', 'server.ts']);
    expect(stale.exitCode).toBe(1);
    expect(stale.stdout).toContain('tasks.list(team)  field-required-added is accepted, and did not happen');
  });

  test('writes JSON, and points at the line of the lock for GitHub and SARIF', async () => {
    const json = await diff(LOCK, 'required.json', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ level: 'breaking', advice: 'major', failed: true });
    writeFileSync(join(folder.path, 'summary.md'), '');
    const github = await folder.run(['diff', LOCK, 'required.ts', '--format', 'github'], {
      GITHUB_STEP_SUMMARY: join(folder.path, 'summary.md'),
    });
    const line =
      locked()
        .split('\n')
        .findIndex((text) => text.includes('"name": "tasks"')) + 1;
    expect(github.stdout).toContain(
      `::error file=${LOCK},line=${line},title=tasks.create(team)::A required field`,
    );
    expect(readFileSync(join(folder.path, 'summary.md'), 'utf8')).toContain(
      '| breaking | `tasks.create(team)` |',
    );
    const sarif = await diff(LOCK, 'required.json', '--format', 'sarif');
    const { version, runs } = JSON.parse(sarif.stdout) as {
      version: string;
      runs: [{ results: { level: string }[] }];
    };
    expect(version).toBe('2.1.0');
    expect(runs[0].results.map(({ level }) => level)).toEqual(['error', 'warning']);
  });
});
