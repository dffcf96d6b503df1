import type { Writable } from 'node:stream';

/** The only way to a guarded stream, until it is restored. */
export interface StdoutGuard {
  /** Resolves when the text has left the process, which takes as long as the reader is slow. */
  readonly write: (text: string) => Promise<void>;
  /** Lets the next guard take over; until then the stream stays guarded. */
  retire(): void;
  restore(): void;
}

/** The mark of a guard on the function that replaces `write`. */
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
 *
 * @returns undefined where another guard is in use
 */
export function guardStdout(stdout: Writable, stderr: Writable): StdoutGuard | undefined {
  if (!takeOver(stdout)) return undefined;
  const write = Reflect.get(stdout, 'write') as (...written: unknown[]) => unknown;
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

/** Ends an unused guard; false while the guard is in use. */
function takeOver(stdout: Writable): boolean {
  const write = Reflect.get(stdout, 'write') as { readonly [GUARD]?: GuardMark } | undefined;
  const mark = write?.[GUARD];
  if (mark?.isRetired === false) return false;
  mark?.restore();
  return true;
}

/** @returns a function that restores the original, unless other code has wrapped the replacement */
function replace(stdout: Writable, name: 'write' | 'end', value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(stdout, name);
  Object.defineProperty(stdout, name, { value, configurable: true, writable: true });
  return () => {
    if (Reflect.get(stdout, name) !== value) return;
    if (own === undefined) Reflect.deleteProperty(stdout, name);
    else Object.defineProperty(stdout, name, own);
  };
}
