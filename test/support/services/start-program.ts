import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';

import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

/** A program that a test may treat badly. */
export interface Started extends Running {
  readonly pid: number;
  /** Resolves when it has ended, where the signal ends it. */
  signal(name: NodeJS.Signals): Promise<void>;
}

export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly user: User;
  readonly directory: string;
  /** What it writes once it answers. */
  readonly ready: string;
  readonly end: NodeJS.Signals;
}

/** Resolves once it answers. */
export async function startProgram(address: string, program: Program): Promise<Started> {
  const child = spawn(program.file, program.args, {
    ...program.user,
    cwd: program.directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  await new Promise<void>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        log.push(line);
        if (line.includes(program.ready)) resolve();
      });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${program.file} did not start:\n${log.join('\n')}`)));
  });
  return {
    address,
    pid: child.pid ?? 0,
    async stop() {
      const exit = once(child, 'exit');
      if (child.kill(program.end)) await exit;
    },
    async signal(name) {
      const exit = once(child, 'exit');
      child.kill(name);
      if (name === 'SIGKILL' || name === 'SIGTERM') await exit;
    },
  };
}

/** Some programs refuse to run as root. */
export async function ordinaryUser(preferred: string): Promise<User> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string, name: string) =>
    Number((await promisify(execFile)('id', [flag, name])).stdout);
  const name = await id('-u', preferred).then(
    () => preferred,
    () => 'nobody',
  );
  return { uid: await id('-u', name), gid: await id('-g', name) };
}
