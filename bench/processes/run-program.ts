import { fork } from 'node:child_process';
import { join } from 'node:path';
import { COMPILED } from '../folders.ts';
import { NODE_OPTIONS, serverEnvironment } from './server-process.ts';

/** What a program sends to the process that runs it. */
export type ProgramMessage = { readonly progress: string } | { readonly result: unknown };

/** Runs a program of this folder in a process of its own, and gives the result that it sends. */
export async function runProgram<T>(
  program: string,
  args: object = {},
  onProgress: (text: string) => void = () => undefined,
): Promise<T> {
  const child = fork(join(COMPILED, 'programs', `${program}.js`), [JSON.stringify(args)], {
    execArgv: [...NODE_OPTIONS],
    env: serverEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message: ProgramMessage) => {
      if ('progress' in message) onProgress(message.progress);
      else resolve(message.result as T);
    });
    child.once('exit', (code) => reject(new Error(`${program} ended with ${String(code)} and no result`)));
  });
}
