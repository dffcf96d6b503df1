import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** How a command ended. */
export interface CommandEnd {
  /** `undefined` where it was stopped at its limit. */
  readonly exitCode: number | undefined;
  readonly output: string;
}

export interface CommandLimits {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** What is kept of the end of an output. */
const MAX_OUTPUT = 1_000_000;

const TICK_MS = 500;

/** Time for tests to stop their servers. */
const GRACE_MS = 5000;

/** Runs a file of Node in a folder, and ends it with all that it started when its time is over. */
export async function runCommand(
  args: readonly string[],
  cwd: string,
  { seconds, signal }: CommandLimits,
): Promise<CommandEnd> {
  const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules`;
  const child = spawn(process.execPath, args, {
    cwd,
    // A group of its own can be ended whole
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS },
  });
  const endGroup = (by: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, by);
    } catch {
      // It ended by itself
    }
  };
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MAX_OUTPUT)));
  }
  const stopped = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    stopped.abort();
    endGroup('SIGTERM');
    grace ??= setTimeout(endGroup, GRACE_MS, 'SIGKILL');
  };
  // Counted, so that a machine that slept has not used up the time
  let left = seconds;
  const timer = setInterval(() => {
    left -= TICK_MS / 1000;
    if (left <= 0) stop();
  }, TICK_MS);
  signal.addEventListener('abort', stop);
  // What it left behind may hold its output open
  const closed = once(child, 'close');
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  clearTimeout(grace);
  signal.removeEventListener('abort', stop);
  endGroup('SIGKILL');
  await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })]);
  return { exitCode: stopped.signal.aborted ? undefined : (exitCode ?? 1), output };
}
