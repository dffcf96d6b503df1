import type { Writable } from 'node:stream';
import { ToolwrightError } from '../../errors/toolwright-error.ts';

/** The only way to a guarded stream, until it is restored. */
export interface StdoutGuard {
  /** Resolves when the text has left the process, so it waits as long as the reader is slow. */
  write(text: string): Promise<void>;
  restore(): void;
}

const GUARD = Symbol.for('toolwright:stdout-guard');

/**
 * Keeps everything but the protocol off stdout: what user code writes there goes to stderr
 * (spec: basic/transports, stdio). It sees `console.log` and `process.stdout.write`, of this thread and of
 * its workers; nobody can see `fs.writeSync(1)` or a child process that inherited stdout.
 */
export function guardStdout(stdout: Writable, stderr: Writable): StdoutGuard {
  const write: unknown = Reflect.get(stdout, 'write');
  if (typeof write !== 'function' || GUARD in write) throw taken();
  const own = Object.getOwnPropertyDescriptor(stdout, 'write');

  const divert = Object.assign(
    (...written: Parameters<Writable['write']>): boolean => {
      stderr.write(...written);
      // `false` would make a pipe wait for a `drain` of stdout that never comes.
      return true;
    },
    { [GUARD]: true },
  );
  Object.defineProperty(stdout, 'write', { value: divert, configurable: true, writable: true });

  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null): void => {
          if (error) reject(error);
          else resolve();
        };
        Reflect.apply(write, stdout, [text, 'utf8', done]);
      }),
    restore: () => {
      // Somebody who wrapped the guard meanwhile keeps the wrapping.
      const current: unknown = Reflect.get(stdout, 'write');
      if (current !== divert) return;
      if (own === undefined) Reflect.deleteProperty(stdout, 'write');
      else Object.defineProperty(stdout, 'write', own);
    },
  };
}

function taken(): ToolwrightError {
  return new ToolwrightError('TW_SERVER_STDIO_TAKEN', {
    where: 'stdio()',
    what: 'was called while it already serves',
    why: 'a process has one standard output, and two servers would mix their messages on it',
    fix: 'call stdio() once, or close the first serving before the second',
  });
}
