import { execFile } from 'node:child_process';
import { chown, cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ordinaryUser, startProgram, type Started, type User } from './start-program.ts';

const run = promisify(execFile);

/** Nobody cuts the power: what a client lost by being killed does not depend on the disk. */
const SETTINGS = ['listen_addresses=', 'max_connections=200', 'fsync=off', 'full_page_writes=off'];

export interface StartedPostgres extends Started {
  /** Starts it again with its data, after it was killed. */
  again(): Promise<Started>;
}

/** A private server with an empty database. */
export async function startPostgres(program: string, directory: string): Promise<StartedPostgres> {
  const user = await ordinaryUser('postgres');
  if (user.uid !== undefined && user.gid !== undefined) await chown(directory, user.uid, user.gid);
  const file = await reachableProgram(program, user, directory);
  const data = join(directory, 'data');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(dirname(file), 'initdb'), options, { ...user, cwd: directory });
  // A socket in a directory that only its user may enter: no port to guess, nothing that others could reach.
  const args = ['-D', data, '-k', directory, ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const ready = 'database system is ready to accept connections';
  const address = `postgres://localhost/postgres?user=postgres&host=${encodeURIComponent(directory)}`;
  const again = (): Promise<Started> =>
    startProgram(address, { file, args, user, directory, ready, end: 'SIGINT' });
  return { ...(await again()), again };
}

/** The program itself, or a copy for a user who may not enter the folder that it is in. */
async function reachableProgram(program: string, user: User, directory: string): Promise<string> {
  const isReachable = await run(program, ['--version'], { ...user, cwd: directory }).then(
    () => true,
    () => false,
  );
  if (isReachable) return program;
  const copy = join(directory, 'programs');
  await cp(dirname(dirname(program)), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin', 'postgres');
}
