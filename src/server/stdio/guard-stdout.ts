import type { Writable } from 'node:stream';
import { ToolwrightError } from '../../errors/toolwright-error.ts';

/** The only way to a guarded stream, until it is restored. */
export interface StdoutGuard {
  /** Resolves when the text has left the process, so it waits as long as the reader is slow. */
  write(text: string): Promise<void>;
  /** Lets the next guard take over; until then the stream stays guarded. */
  retire(): void;
  restore(): void;
}

/** What a guard leaves on the function that it puts in the place of `write`. */
interface GuardMark {
  isRetired: boolean;
  restore: () => void;
}

const GUARD = Symbol.for('toolwright:stdout-guard');

/**
 * Keeps everything but the protocol off stdout: what user code writes there goes to stderr
 * (spec: basic/transports, stdio). It sees `console.log`, `process.stdout.write` and `end`, of this thread and
 * of its workers, from the time that it is made; nobody can see `fs.writeSync(1)` or a child process that
 * inherited stdout.
 */
export function guardStdout(stdout: Writable, stderr: Writable): StdoutGuard {
  takeOver(stdout);
  const write: unknown = Reflect.get(stdout, 'write');
  if (typeof write !== 'function') throw taken();
  const mark: GuardMark = { isRetired: false, restore: () => undefined };
  const divert = Object.assign(
    (...written: Parameters<Writable['write']>): boolean => {
      stderr.write(...written);
      // `false` would make a pipe wait for a `drain` of stdout that never comes.
      return true;
    },
    { [GUARD]: mark },
  );
  const restoreWrite = replace(stdout, 'write', divert);
  const restoreEnd = replace(stdout, 'end', (...given: unknown[]): Writable => {
    const callback = given.find((each) => typeof each === 'function');
    const [chunk, encoding] = given.filter((each) => each !== callback);
    if (chunk !== undefined && chunk !== null) stderr.write(chunk, encoding as BufferEncoding);
    if (callback !== undefined) process.nextTick(callback);
    return stdout;
  });
  mark.restore = () => {
    restoreWrite();
    restoreEnd();
  };

  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null): void => {
          if (error) reject(error);
          else resolve();
        };
        Reflect.apply(write, stdout, [text, 'utf8', done]);
      }),
    retire: () => {
      mark.isRetired = true;
    },
    restore: mark.restore,
  };
}

/** Ends a guard that nobody uses any more; one in use stays. */
function takeOver(stdout: Writable): void {
  const write = Reflect.get(stdout, 'write') as { readonly [GUARD]?: GuardMark } | undefined;
  const mark = write?.[GUARD];
  if (mark === undefined) return;
  if (!mark.isRetired) throw taken();
  mark.restore();
}

/** @returns a function that puts back what there was, unless somebody wrapped the replacement meanwhile */
function replace(stdout: Writable, name: 'write' | 'end', value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(stdout, name);
  Object.defineProperty(stdout, name, { value, configurable: true, writable: true });
  return () => {
    if (Reflect.get(stdout, name) !== value) return;
    if (own === undefined) Reflect.deleteProperty(stdout, name);
    else Object.defineProperty(stdout, name, own);
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
