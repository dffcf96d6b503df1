import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../output/cli-error.ts';

/** What may be there before a project is. */
const IGNORED: readonly string[] = ['.git', '.DS_Store'];
const NAMED = 3;

/** Why a project cannot be made in a folder, as an error; undefined where it can. */
export function faultOfFolder(folder: string): CliError | undefined {
  let found: readonly string[];
  try {
    found = readdirSync(folder).filter((name) => !IGNORED.includes(name));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : notUsable(folder, cause);
  }
  if (found.length === 0) return undefined;
  const rest = found.length - NAMED;
  const names = [...found.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])];
  return new CliError('TW_CLI_FOLDER', {
    where: folder,
    what: `is not empty: it has ${listNames(names)}.`,
    fix: 'name a folder that is empty, or one that does not exist yet',
  });
}

/** Writes all files, or leaves the folder as it was. @throws CliError where a file cannot be written */
export function writeProject(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  let made: string | undefined;
  const written = new Set<string>();
  try {
    made = mkdirSync(folder, { recursive: true });
    for (const [path, content] of files) {
      written.add(path.split('/')[0] ?? path);
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { flag: 'wx' });
    }
  } catch (cause) {
    const remains = made === undefined ? [...written].map((name) => join(folder, name)) : [made];
    for (const path of remains) rmSync(path, { recursive: true, force: true });
    throw notUsable(folder, cause);
  }
}

function notUsable(folder: string, cause: unknown): CliError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const isFile = code === 'ENOTDIR' || code === 'EEXIST';
  return new CliError('TW_CLI_FOLDER', {
    where: folder,
    what: isFile ? 'is a file, or is inside of one.' : `cannot be written: ${message}.`,
    fix: isFile ? 'name a folder that does not exist yet' : 'name a folder in which you may write',
    cause,
  });
}

function listNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
