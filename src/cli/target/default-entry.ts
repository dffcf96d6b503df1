import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { manifestsAbove, settingsIn } from '../manifest.ts';
import { CliError } from '../output/cli-error.ts';
import { isUrl } from './url.ts';

/** What an entry is called where package.json does not name it. */
const STEMS = ['src/server', 'server', 'src/main', 'main'] as const;
const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'] as const;
const CANDIDATES = STEMS.flatMap((stem) => EXTENSIONS.map((extension) => stem + extension));
const SHOWN = STEMS.map((stem) => `${stem}.ts`).join(', ');
const SETTING = '"toolwright": { "entry": "src/server.ts" }';

/**
 * The entry that a command line means: the one that it names; that of the folder that it names; or that of the current
 * folder, where it names none.
 * @throws CliError where that is not a file, or several could be meant
 */
export function chooseEntry(reference: string | undefined): string {
  if (reference !== undefined && reference !== '' && !isFolder(reference)) return reference;
  const folder = reference === undefined || reference === '' ? '.' : reference;
  const [entry, ...others] = findEntries(folder);
  if (entry === undefined) throw noEntry(reference, folder);
  if (others.length > 0) throw severalEntries(reference, [entry, ...others]);
  return entry;
}

/**
 * `toolwright.entry` of the nearest package.json; else the files of the folder that are called as entries are. Paths
 * count from the current folder.
 */
export function findEntries(folder: string): readonly string[] {
  const [nearest] = manifestsAbove(resolve(folder));
  const { entry } = settingsIn(nearest?.manifest);
  if (nearest !== undefined && entry !== undefined) {
    const path = join(nearest.folder, 'package.json');
    if (typeof entry !== 'string' || entry === '') throw entryIsNoPath(path);
    const named = relative('.', join(nearest.folder, entry));
    if (!isFile(named) && !isFile(named.replace(/#[^#/\\]+$/, ''))) throw namedEntryIsMissing(named, path);
    return [named];
  }
  return CANDIDATES.map((name) => join(folder, name)).filter(isFile);
}

/**
 * Whether the first value of a command line is a target, and not the name of something that the default entry offers:
 * a URL, a file that is there, or what is written as a path is.
 */
export function isTarget(value: string): boolean {
  if (isUrl(value)) return true;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return false;
  return isFile(value) || /^\.{1,2}$|[\\/]|\.[cm]?[jt]sx?(?:#[^#]*)?$/.test(value);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function noEntry(reference: string | undefined, folder: string): CliError {
  const isNamed = reference !== undefined && reference !== '';
  return new CliError(isNamed ? 'TW_CLI_ENTRY_MISSING' : 'TW_CLI_TARGET', {
    where: isNamed ? folder : 'The command line',
    what: isNamed ? 'is a folder in which no file is known to be its entry.' : 'names no server.',
    why: `package.json has no ${SETTING}, and there is none of ${SHOWN}.`,
    fix: 'name a file (server.ts), or the URL of a server (http://127.0.0.1:3000/mcp) where the command takes one',
  });
}

function severalEntries(reference: string | undefined, found: readonly string[]): CliError {
  return new CliError('TW_CLI_TARGET', {
    where: reference === undefined || reference === '' ? 'The command line' : reference,
    what: `does not say which entry it means: there are ${found.join(', ')}.`,
    fix: `name one of them, or write ${SETTING} into package.json`,
  });
}

function entryIsNoPath(manifest: string): CliError {
  return new CliError('TW_CLI_TARGET', {
    where: manifest,
    what: 'has a "toolwright.entry" that is not a path.',
    fix: SETTING,
  });
}

function namedEntryIsMissing(entry: string, manifest: string): CliError {
  return new CliError('TW_CLI_ENTRY_MISSING', {
    where: entry,
    what: `does not exist, and ${manifest} names it as "toolwright.entry".`,
    fix: 'correct the path there',
  });
}
