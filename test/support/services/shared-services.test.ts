import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { askService } from './ask-service.ts';
import { SharedServices } from './shared-services.ts';
import { usePostgres } from './use-services.ts';

const SCRIPT = join(import.meta.dirname, 'run-service.ts');
const INSTALLER = join(import.meta.dirname, '../../../.ci/services');

const BEFORE = { ...process.env };
let home: string;
let services: SharedServices;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'toolwright-shared-'));
});

afterEach(async () => {
  await services.close();
  process.env = { ...BEFORE };
  await rm(home, { recursive: true });
});

async function openServices(script: string, variables: NodeJS.ProcessEnv = {}): Promise<void> {
  process.env = { ...BEFORE, ...variables };
  services = new SharedServices(script);
  await services.open();
}

/** A program under the name of another, found first. */
async function writeProgram(name: string, lines: readonly string[]): Promise<NodeJS.ProcessEnv> {
  await writeFile(join(home, name), ['#!/bin/sh', ...lines].join('\n'));
  await chmod(join(home, name), 0o755);
  return { PATH: [home, process.env['PATH']].join(delimiter) };
}

describe('services of one run', () => {
  test('are started once, for all who ask, and not before', async () => {
    const log = join(home, 'log');
    const script = join(home, 'script.mjs');
    await writeFile(
      script,
      `import { appendFileSync } from 'node:fs';
       appendFileSync(${JSON.stringify(log)}, process.argv[2] + ' ');
       console.log(JSON.stringify({ address: 'the ' + process.argv[2] }));
       process.stdin.resume().once('close', () => {
         appendFileSync(${JSON.stringify(log)}, 'stopped');
         process.exit();
       });`,
    );
    await openServices(script);
    await expect(stat(log)).rejects.toMatchObject({ code: 'ENOENT' });
    const both = Promise.all([askService('redis'), askService('redis')]);
    expect(await both).toEqual(['the redis', 'the redis']);
    await services.close();
    expect(await readFile(log, 'utf8')).toBe('redis stopped');
  });

  test('are those that environment variables name', async () => {
    await openServices(SCRIPT, { TOOLWRIGHT_CHROMIUM: '/opt/browser' });
    expect(await askService('chromium')).toBe('/opt/browser');
  });

  test('run as long as they are needed, and leave no file behind', async () => {
    const variables = await writeProgram('redis-server', [
      'echo "$2" > dump',
      'trap "exit 0" TERM',
      'pwd > "$DIRECTORY"',
      'echo "Ready to accept connections"',
      'while :; do sleep 0.02; done',
    ]);
    const directory = join(home, 'directory');
    await openServices(SCRIPT, { ...variables, DIRECTORY: directory, TOOLWRIGHT_REDIS_URL: '' });
    expect(await askService('redis')).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/);
    const own = (await readFile(directory, 'utf8')).trim();
    expect((await stat(join(own, 'dump'))).isFile()).toBe(true);
    await services.close();
    await expect(stat(own)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that do not start fail with what they wrote', async () => {
    const variables = await writeProgram('redis-server', ['echo "no memory" >&2', 'exit 1']);
    await openServices(SCRIPT, { ...variables, TOOLWRIGHT_REDIS_URL: '' });
    await expect(askService('redis')).rejects.toThrow(/redis-server did not start:\nno memory$/);
  });
});

describe('PostgreSQL', () => {
  const server = usePostgres();

  test('is the same for each test file', async () => {
    services = new SharedServices(SCRIPT);
    expect(server.url).toBe(await askService('postgres'));
  });
});

describe('the installer', () => {
  test('does nothing for an ordinary user', async () => {
    const variables = await writeProgram('id', ['echo 1000']);
    await writeProgram('apt-get', ['echo installed']);
    services = new SharedServices(SCRIPT);
    const env = { ...process.env, ...variables };
    const run = promisify(execFile)(INSTALLER, ['redis-server'], { env });
    await expect(run).rejects.toMatchObject({ code: 1, stdout: '', stderr: '' });
  });
});
