import { PassThrough } from 'node:stream';
import { nextTurn } from '../../src/shared/platform.ts';
import { runCommand } from '../../src/cli/program.ts';

interface Place {
  /** Whether stdout and stderr are a terminal. */
  readonly isTerminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command of the sources in this process: one that looks at a server, and loads no file of a user. */
export async function runInProcess(args: readonly string[], { isTerminal = false, env = {} }: Place = {}) {
  const written = { stdout: '', stderr: '' };
  const streamOf = (name: 'stdout' | 'stderr') => {
    const stream = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 100 });
    return stream.setEncoding('utf8').on('data', (text: string) => (written[name] += text));
  };
  const [stdout, stderr] = [streamOf('stdout'), streamOf('stderr')];
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const code = await runCommand(args, { stdin, stdout, stderr, env: { CI: 'true', NO_COLOR: '1', ...env } });
  // What was written arrives in a later turn
  await nextTurn();
  return { code, ...written };
}
