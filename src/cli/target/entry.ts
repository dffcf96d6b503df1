import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { askWhether, nearestName } from '../../shared/did-you-mean.ts';
import { CliError } from '../output/cli-error.ts';
import { chooseEntry } from './default-entry.ts';
import { EntryHost, isHandedOver, type CreatedApplication, type HostOptions } from './entry-host.ts';
import { findApplication } from './find-application.ts';
import { importFile, LoadingTime } from './load-file.ts';

/** An application of a file, and what takes the place of its `listen()` and `stdio()`. */
export interface LoadedEntry {
  /** The absolute path. */
  readonly file: string;
  readonly host: EntryHost;
  readonly created: CreatedApplication;
  /** Closes all applications of the file. @returns whether every running call ended by itself */
  close(signal?: string): Promise<boolean>;
}

export interface EntryOptions extends HostOptions {
  /** Milliseconds for the file to load. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Loads the file in another way, such as again. */
  readonly importFile?: (file: string) => Promise<unknown>;
  /** Whether to wait for how the file wants its application to be served. */
  readonly waitsForServing?: boolean;
}

const TIMEOUT = 30_000;
/** Milliseconds for a file to ask for serving after it has created its application. */
const UNTIL_SERVED = 1000;

/**
 * Loads a file and finds its application.
 * @throws CliError for a file that is not there, fails to load, or gives none or several; ApplicationError for one with
 * problems
 */
export async function loadEntry(reference: string, options: EntryOptions = {}): Promise<LoadedEntry> {
  const { file, name } = readReference(reference);
  const host = new EntryHost(options);
  const time = new LoadingTime(file, options.timeout ?? TIMEOUT);
  // As if Node had been called with the file
  process.argv = [process.execPath, file];
  const close = async (signal?: string): Promise<boolean> => {
    const applications = host.applications.map(({ application }) => application);
    await Promise.all(applications.map((application) => application.close(signal)));
    host.release();
    return applications.every(({ isDrained }) => isDrained !== false);
  };
  try {
    const exports = await time.load(() => (options.importFile ?? importFile)(file));
    const isMade = host.applications.length > 0;
    const created = await findApplication({ file, name, exports, host, time });
    // A module that is exported is served by nobody but the command
    const isOurs = !isMade && Object.values(exports).includes(created.rootModule);
    if (options.waitsForServing === true && !isOurs) await servingOf(created, host, time);
    return { file, host, created, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    time.end();
  }
}

async function servingOf(created: CreatedApplication, host: EntryHost, time: LoadingTime): Promise<void> {
  const timeIsOver = pause(UNTIL_SERVED, true, { ref: false });
  while (!isHandedOver(created)) {
    const isOver = await time.within(Promise.race([timeIsOver, host.changed().then(() => false)]));
    if (isOver !== false) return;
  }
}

/** `file.ts#name`, a file whose own name has a `#`, or what {@link chooseEntry} takes for the default. */
export function readReference(reference: string): {
  readonly file: string;
  readonly name: string | undefined;
} {
  const chosen = chooseEntry(reference.startsWith('file:') ? pathOfUrl(reference) : reference);
  const whole = resolve(chosen);
  if (isFile(whole)) return { file: programAt(whole, chosen), name: undefined };
  const [, path = chosen, name] = /^(.+)#([^#/\\]+)$/s.exec(chosen) ?? [];
  const file = resolve(path);
  if (!isFile(file)) throw noSuchFile(path, file);
  return { file: programAt(file, path), name };
}

/** A URL as `import.meta.url` gives it; the name of an export stays behind its `#`. */
function pathOfUrl(url: string): string {
  const [, place = url, name = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  return URL.canParse(place) ? `${fileURLToPath(place)}${name}` : url;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Other files can be imported as well, and give nothing. */
function programAt(file: string, path: string): string {
  if (!/\.(?:jsonc?|md|html?|css|toml|ya?ml|lock|tgz)$/i.test(file)) return file;
  throw new CliError('TW_CLI_ENTRY_FAILED', {
    where: path,
    what: 'is not a file of TypeScript or JavaScript.',
    fix: NAME_IT,
  });
}

const NAME_IT = 'name the file with the application, such as server.ts';

function noSuchFile(path: string, file: string): CliError {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = dirname(file);
  if (!isFolder && !existsSync(folder)) {
    return new CliError('TW_CLI_ENTRY_MISSING', {
      where: path,
      what: `does not exist, and neither does its folder ${folder}.`,
      fix: 'bring the folder back, or name the file where it is now',
    });
  }
  const nearest = isFolder ? undefined : nearestName(basename(file), filesIn(folder));
  // As it is written on the command line, with its folder
  const meant = nearest === undefined ? undefined : path.slice(0, -basename(file).length) + nearest;
  return new CliError('TW_CLI_ENTRY_MISSING', {
    where: path,
    what: `does not exist${meant === undefined ? '.' : `; ${askWhether(`"${meant}"`)}`}`,
    fix: meant ?? NAME_IT,
  });
}

function filesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder);
}
