import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ToolwrightError, type ErrorFacts } from '../../errors/toolwright-error.ts';
import { codeOf } from '../../shared/error-shape.ts';
import { CliError } from '../output/cli-error.ts';
import { packageRoot } from '../package-version.ts';
import { findImportCircle, type ImportCircle } from './import-circle.ts';

/**
 * The time that a file has to load. In this time, a promise that nobody awaits and that is rejected, as that of a
 * `main()`, fails the file as well, and so does a call of `process.exit()`: a command that ended with the code of the file
 * would say that all is well with an application that does not exist.
 */
export class LoadingTime {
  readonly #file: string;
  readonly #failed: Promise<never>;
  readonly #idle: Promise<void>;
  readonly #end: () => void;

  constructor(file: string, milliseconds: number) {
    this.#file = file;
    let reject: (reason: unknown) => void = () => undefined;
    let beIdle: () => void = () => undefined;
    const failed = new Promise<never>((_resolve, refuseWith) => {
      reject = refuseWith;
    });
    const idle = new Promise<void>((resolve) => {
      beIdle = resolve;
    });
    const refuse = (reason: unknown): void => {
      reject(loadingFailed(file, reason));
    };
    const timer = setTimeout(() => {
      reject(neverLoaded(file, `did not finish loading within ${String(milliseconds)} milliseconds.`));
    }, milliseconds).unref();
    const exit = Reflect.get<NodeJS.Process, 'exit'>(process, 'exit');
    const refuseToExit: typeof process.exit = (code = process.exitCode) => {
      const thrown = new Error(`process.exit(${String(code ?? '')}) was called`);
      Error.captureStackTrace(thrown, refuseToExit);
      reject(exited(file, thrown));
      throw thrown;
    };
    process.exit = refuseToExit;
    process.on('unhandledRejection', refuse).on('uncaughtException', refuse);
    process.once('beforeExit', beIdle);
    failed.catch(() => undefined);
    this.#failed = failed;
    this.#idle = idle;
    this.#end = () => {
      clearTimeout(timer);
      process.exit = exit;
      process.off('unhandledRejection', refuse).off('uncaughtException', refuse).off('beforeExit', beIdle);
    };
  }

  /** @throws CliError when the file does not load, or not in time; what the file threw when it is an error of ours */
  async load(importFile: () => Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
    const loading = importFile().catch((error: unknown) => {
      throw loadingFailed(this.#file, error);
    });
    const stuck = this.#idle.then(() => {
      throw neverLoaded(this.#file, 'waits for something that never comes.');
    });
    return (await Promise.race([loading, stuck, this.#failed])) as Readonly<Record<string, unknown>>;
  }

  /** @returns undefined when nothing is left that the process could do */
  async within<Value>(work: Promise<Value>): Promise<Value | undefined> {
    return Promise.race([work, this.#idle.then(() => undefined), this.#failed]);
  }

  end(): void {
    this.#end();
  }
}

/** The exports of a file, compiled first where it is TypeScript. */
export async function importFile(file: string): Promise<unknown> {
  if (/\.[cm]?js$/.test(file)) return import(pathToFileURL(file).href);
  const { openLoader } = await import('../../loader/index.ts');
  const loader = await openLoader();
  return loader.import(file);
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

function exited(file: string, cause: Error): CliError {
  return new CliError('TW_CLI_ENTRY_EXIT', {
    where: file,
    what: `ended the process while it was loaded.\n\n${indented(traceOf(cause))}\n`,
    fix: 'throw an error there, or do it in a file of its own that is the program',
    cause,
  });
}

function loadingFailed(file: string, cause: unknown): Error {
  if (ToolwrightError.is(cause)) return cause;
  const circle = findImportCircle(cause);
  if (circle !== undefined) return importCircle(file, circle, cause);
  const early = cause instanceof ReferenceError ? USED_EARLY.exec(cause.message)?.[1] : undefined;
  const lines = traceOf(cause);
  return new CliError('TW_CLI_ENTRY_FAILED', {
    where: file,
    what: `could not be loaded.\n\n${indented(lines)}\n`,
    ...(early === undefined ? { fix: repairOf(cause, lines) } : usedEarly(early)),
    cause,
  });
}

const USED_EARLY = /^Cannot access '([^']+)' before initialization$/;

/** TypeScript accepts it, because a type may stand anywhere; decorators read types when their class is made. */
function usedEarly(name: string): Pick<ErrorFacts, 'why' | 'fix'> {
  return {
    why: `a decorated class names ${name}, perhaps as the type of a parameter, and is made before it: it stands further up, or two files import each other.`,
    fix: `move ${name} above the class that names it, or into a file of its own`,
  };
}

function importCircle(file: string, { name, files }: ImportCircle, cause: unknown): Error {
  const [first = file, ...others] = files.map((each) => relative(process.cwd(), each));
  return new CliError('TW_CLI_ENTRY_FAILED', {
    where: file,
    what: `could not be loaded: files import each other: ${first}${others.map((each) => ` imports ${each}`).join(', which')}.`,
    why: `${first} uses ${name} before the file of ${name} has run.`,
    fix: `move what both need to a third file; or give the parameter the type of an interface: @Inject(() => ${name}) readonly other: ${name}Like`,
    cause,
  });
}

const OWN_FILES = pathToFileURL(join(packageRoot(), 'dist/')).href;

/** The stack without what belongs to Node and to this package, whose files no user can correct. */
function traceOf(cause: unknown): readonly string[] {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return text.split('\n').filter((line) => {
    const isFrame = /^\s+at /.test(line);
    return (
      !isFrame ||
      !(/\(?node:/.test(line) || line.includes(OWN_FILES) || line.includes(fileURLToPath(OWN_FILES)))
    );
  });
}

/** What an import that finds nothing, or no place in a file, asks for. */
function repairOf(cause: unknown, lines: readonly string[]): string {
  const missing = /Cannot find (package|module) '([^']+)'/.exec(lines[0] ?? '');
  if (missing !== null && codeOf(cause) === 'ERR_MODULE_NOT_FOUND') {
    const [, kind, name = ''] = missing;
    return kind === 'package' ? `npm install ${name}` : `correct the import of ${name}`;
  }
  const hasPlace = lines.some((line) => /:\d+(?::\d+)?\)?$/.test(line));
  return hasPlace ? 'correct the file at the line above' : 'correct what the message above says';
}

function neverLoaded(file: string, what: string): CliError {
  return new CliError('TW_CLI_ENTRY_TIMEOUT', {
    where: file,
    what,
    why: 'an await at the top level of this file, or of a file that it imports, has not ended.',
    fix: 'let it end, or give it more time: --timeout 120000',
  });
}
