import { logEntry } from './visible-text.ts';

type Inspect = (value: unknown) => string;

/**
 * A module of Node, or undefined where the runtime has none of that name. An import would keep a bundle of the package
 * from starting where the module is missing, though most calls never need it.
 */
export function builtin<Name extends 'node:module' | 'node:os' | 'node:util' | 'node:zlib'>(
  name: Name,
): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  return host()?.getBuiltinModule?.(name);
}

/**
 * A package that is loaded when synchronous code first needs it.
 * @param bundled `require` with the name as a literal: bundlers read it and bring the package along. In a module of
 *   Node there is no such function.
 */
export function loadLazily<Package>(name: string, bundled: () => unknown): Package {
  const modules = builtin('node:module');
  if (typeof require !== 'function' && modules !== undefined) {
    return modules.createRequire(import.meta.url)(name) as Package;
  }
  return bundled() as Package;
}

/** Workers have no process, or one with little in it. */
function host(): Partial<NodeJS.Process> | undefined {
  return (globalThis as { readonly process?: Partial<NodeJS.Process> }).process;
}

/** All variables of the environment. */
export function environmentVariables(): Readonly<Record<string, string | undefined>> {
  return host()?.env ?? {};
}

/** A variable of the environment. */
export function environmentVariable(name: string): string | undefined {
  return host()?.env?.[name];
}

/** Cloudflare Workers allow `new Function` until the first request, and refuse it from then on. */
export function makesCodeOnlyAtStart(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return navigator?.userAgent === 'Cloudflare-Workers';
}

/** Whether people read what is written to stderr. */
export function isTerminal(): boolean {
  return host()?.stderr?.isTTY === true;
}

/** The name of this process among those of an application: `host:4711`. */
export function instanceName(): string {
  return `${builtin('node:os')?.hostname() ?? 'unknown'}:${String(host()?.pid ?? 0)}`;
}

/** Writes an entry of a log to stderr, because stdout may belong to the protocol. */
export function writeToStderr(text: string): void {
  const line = logEntry(text);
  const stderr = host()?.stderr;
  // oxlint-disable-next-line no-console -- what workers have instead of stderr
  if (stderr === undefined) console.error(line);
  else stderr.write(`${line}\n`);
}

/** A value as text. */
export function inspect(value: unknown): string {
  const known = builtin('node:util')?.inspect as Inspect | undefined;
  if (known !== undefined) return known(value);
  if (typeof value === 'object') return JSON.stringify(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- objects are gone
  return String(value);
}

/** The answer, if it comes in time. @throws Error if it does not, and what the answer rejects with */
export function within<Value>(answer: PromiseLike<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = (): void => {
      reject(new Error(`No answer within ${String(milliseconds)} ms`));
    };
    // An answer may have come while this process was busy: it is read before
    const timer = setTimeout(() => void nextTurn().then(late), milliseconds);
    unref(timer);
    void Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}

/** The process need not live on for this timer. Where a timer is a number, it never does. */
export function unref(timer: NodeJS.Timeout | number): void {
  if (typeof timer === 'object') timer.unref();
}

/**
 * Calls back when the code that runs now has ended: for what is kept while nothing can change. Not by `queueMicrotask`, which the
 * fake timers of a test hold back, for as long as they like.
 */
export function afterThisTurn(work: () => void): void {
  void Promise.resolve().then(work);
}

/** Resolves after everything that is waiting now has run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}

/** Resolves after a time, or as soon as the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
