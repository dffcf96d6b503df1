import { fileURLToPath } from 'node:url';
import { LineProcess } from './line-process.ts';

/** The built command, as users have it. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** Where the entries of the tests are. */
export const ENTRIES = fileURLToPath(new URL('../cli/fixtures/', import.meta.url));

interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** All of stdin. */
  readonly input?: string;
}

/** A run of the command that has ended. */
export interface EndedCli {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command, with pipes, in an environment that says nothing of colours and CI. */
export function startCli(args: readonly string[], { env = {}, cwd = ENTRIES }: CliOptions = {}): LineProcess {
  // Also an empty one says something: of two of them, Node warns at a moment of its own
  const silent = { NO_COLOR: undefined, FORCE_COLOR: undefined };
  const plain = { ...silent, CI: '', TERM: 'xterm', NODE_ENV: '' };
  return new LineProcess({ args: [MAIN, ...args], cwd, env: { ...plain, ...env } });
}

/** Runs the command to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<EndedCli> {
  const started = startCli(args, options);
  started.end(options.input);
  const code = await started.ended;
  return { code, stdout: started.stdout.join('\n'), stderr: started.stderr.join('\n') };
}
