import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from '@jest/globals';

const run = promisify(execFile);

/** Debian keeps the programs out of PATH. */
const DEBIAN = '/usr/lib/postgresql';
const READY = 'database system is ready to accept connections';

/** Nobody cuts the power: what a client lost by being killed does not depend on the disk. */
const SETTINGS = ['listen_addresses=', 'max_connections=200', 'fsync=off', 'full_page_writes=off'];

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts a server before the tests of a file and stops it after them. It has no URL before. */
export function usePostgres(): { readonly url: string } {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  return {
    get url() {
      if (server === undefined) throw new Error('PostgreSQL was not started.');
      return server.url;
    },
  };
}

/** The server that TOOLWRIGHT_POSTGRES_URL names, or a private one in a temporary directory. */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env['TOOLWRIGHT_POSTGRES_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} };
  const programs = await findPrograms();
  const user = await serverUser();
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-pg-'));
  await chmod(directory, 0o700);
  if (user.uid !== undefined && user.gid !== undefined) await chown(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(programs, 'initdb'), options, { ...user, cwd: directory });
  // A socket in a directory that only its user may enter: no port to guess, nothing that others could reach.
  const settings = ['-D', data, '-k', directory, ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs, 'postgres'), settings, {
    ...user,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(server);
  return {
    url: `postgres://localhost/postgres?user=postgres&host=${encodeURIComponent(directory)}`,
    async stop() {
      const exit = once(server, 'exit');
      server.kill('SIGINT');
      await exit;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess): Promise<void> {
  const log: string[] = [];
  if (!server.stderr) throw new Error('PostgreSQL was started without a pipe for its log.');
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: server.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      log.push(line);
      if (line.includes(READY)) resolve();
    });
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${log.join('\n')}`)));
  });
}

async function findPrograms(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const newestFirst = versions.toSorted((left, right) => Number(right) - Number(left));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
  ];
  for (const folder of folders) {
    const both = ['initdb', 'postgres'].map((program) => access(join(folder, program)));
    const found = await Promise.all(both).then(
      () => true,
      () => false,
    );
    if (found) return folder;
  }
  throw new Error(
    'These tests need a PostgreSQL server. Install one (Debian: apt-get install postgresql), ' +
      'or set TOOLWRIGHT_POSTGRES_URL to a database that they may use. `.ci/postgres npm test` does all of that.',
  );
}

/** PostgreSQL refuses to run as root. */
async function serverUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string, name: string) => Number((await run('id', [flag, name])).stdout);
  const name = await id('-u', 'postgres').then(
    () => 'postgres',
    () => 'nobody',
  );
  return { uid: await id('-u', name), gid: await id('-g', name) };
}
