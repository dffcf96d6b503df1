import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../output/cli-error.ts';
import { readMember, writeMember, type MemberPath } from './edit-json.ts';

/** An entry of a configuration file. */
export interface ConfigPlace {
  readonly path: string;
  readonly member: MemberPath;
}

/** The entry that a file has already, or undefined. */
export async function readEntry({ path, member }: ConfigPlace): Promise<unknown> {
  const text = await textOf(path);
  return text === undefined ? undefined : within(path, () => readMember(text, member));
}

/** Adds an entry to a file, or replaces it; the rest of the file stays as it is. */
export async function writeEntry(
  { path, member }: ConfigPlace,
  entry: unknown,
  isSecret: boolean,
): Promise<void> {
  const text = await textOf(path);
  const written = await within(path, () => writeMember(text ?? '', member, entry));
  try {
    if (text === undefined) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, written, { flag: 'wx', mode: isSecret ? 0o600 : 0o666 });
    } else await replaceFile(path, written);
  } catch (cause) {
    throw unusable(path, `cannot be written: ${(cause as Error).message}`, cause);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    // A pipe would be waited for
    if (!(await stat(path)).isFile()) throw new Error('it is not a file');
    // Bytes that are no UTF-8 would not be written as they were
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, `cannot be read: ${(cause as Error).message}`, cause);
  }
}

/** Not in place: a disk that is full must not cost the old content. A link goes on to point at the file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  await access(file, constants.W_OK);
  const { mode } = await stat(file);
  const temporary = `${file}.${String(process.pid)}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function within<Value>(path: string, edit: () => Value): Promise<Value> {
  try {
    return edit();
  } catch (cause) {
    throw unusable(path, `is not a configuration that can be read: ${(cause as Error).message}`, cause);
  }
}

function unusable(path: string, what: string, cause: unknown): CliError {
  return new CliError('TW_CLI_CLIENT_FILE', {
    where: path,
    what: `${what}.`,
    fix: 'correct the file or its permissions, and run the command again; nothing was changed',
    cause,
  });
}
