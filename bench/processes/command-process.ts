import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BENCH, PROJECT } from '../folders.ts';
import { serverEnvironment } from './server-process.ts';

/** The built command. */
export const COMMAND = join(PROJECT, 'dist/cli/main.js');

/** Files that are compiled while they are loaded. */
const FILES = join(BENCH, 'command');

/** Milliseconds of a process that does nothing. */
export function timeOfNothing(): Promise<number> {
  return timed(['--eval', ''], '');
}

export function timeOfVersion(): Promise<number> {
  return timed([COMMAND, '--version'], undefined);
}

export function timeOfCall(): Promise<number> {
  return timed([COMMAND, 'call', 'math.ts', 'math.add', 'a=40', 'b=2'], '42\n');
}

/** The same call by a file of its own. */
export function timeOfCallByHand(): Promise<number> {
  return timed(['--import', 'toolwright/register', 'call-by-hand.ts'], '42\n');
}

/** @throws Error for another output than the expected one; undefined expects any */
async function timed(args: readonly string[], expected: string | undefined): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: FILES, env: serverEnvironment() });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const time = performance.now() - start;
  if (code === 0 && (expected ?? output) === output) return time;
  throw new Error(`node ${args.join(' ')} ended with ${String(code)}: ${output}${errors}`.slice(0, 500));
}
