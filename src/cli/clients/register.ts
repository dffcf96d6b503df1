import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSameJson } from '../../shared/canonical-json.ts';
import { isPlainObject } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';
import { commandLine, findProgram, runProgram } from './client-program.ts';
import {
  commonEntry,
  type Client,
  type ClientFile,
  type ClientProgram,
  type Registration,
  type Scope,
} from './clients.ts';
import { hideEntry, hideIn, hideValues } from './hidden-values.ts';
import type { Server } from './server.ts';
import { readMember, writeMember, type MemberPath } from './edit-json.ts';

/** A server, and the place where a client is to keep it. */
export interface Place {
  readonly client: Client;
  readonly server: Server;
  readonly scope: Scope;
  readonly registration: Registration;
  /** The path of the client's own program, where it is needed and there. */
  readonly program: string | undefined;
}

/** What was done: nothing, a file was written, or a program did it. */
export type Registered = { readonly file: string } | { readonly program: string } | undefined;

/** The scope that was asked for, or else the first one for which there is what it takes. */
export function choosePlace(client: Client, server: Server, asked: Scope | undefined): Place {
  let first: Place | undefined;
  for (const scope of asked === undefined ? client.scopes : [asked]) {
    const registration = client.register(server, scope, process.cwd());
    const { program: wanted, file } = registration;
    const program = wanted === undefined ? undefined : findProgram(wanted.name);
    const place = { client, server, scope, registration, program };
    if (program !== undefined || file?.isOurs === true) return place;
    first ??= place;
  }
  return first as Place;
}

/** Registers the server, unless the client has another one of that name. */
export async function register(place: Place, isForced: boolean): Promise<Registered> {
  const { registration, server, program: path } = place;
  const { program, file } = registration;
  const known = await knownServer(place);
  if (known !== undefined && isSameServer(known, server, file)) return undefined;
  if (known !== undefined && !isForced) throw taken(place, known);
  if (file?.isOurs === true) {
    await writeEntry(file, file.entry, hasValues(server));
    return { file: file.path };
  }
  if (program === undefined || path === undefined) throw programMissing(place);
  await addByProgram(place, program, path, isForced);
  return { program: path };
}

/** Whether the configuration of the server holds what may be secret. */
export function hasValues(server: Server): boolean {
  return server.kind === 'local' && Object.keys(server.env).length > 0;
}

async function knownServer({ registration: { program, file }, program: path }: Place): Promise<unknown> {
  if (file !== undefined) return readEntry(file);
  if (path === undefined || program?.show?.isAskedFirst !== true) return undefined;
  const { isDone, stdout } = await runProgram(path, program.show.args);
  return isDone ? program.show.read(stdout) : undefined;
}

function isSameServer(known: unknown, server: Server, file: ClientFile | undefined): boolean {
  return isSameJson(withoutEmptyEnv(known), withoutEmptyEnv(file?.entry ?? commonEntry(server)));
}

function withoutEmptyEnv(entry: unknown): unknown {
  if (!isPlainObject(entry) || !isPlainObject(entry['env'])) return entry;
  const { env, ...others } = entry;
  return Object.keys(env).length === 0 ? others : entry;
}

async function addByProgram(
  place: Place,
  { add, remove, show, name }: ClientProgram,
  path: string,
  isForced: boolean,
): Promise<void> {
  // It fails where there is none; what matters comes out when the server is added
  if (isForced && remove !== undefined) await runProgram(path, remove);
  const { isDone, output } = await runProgram(path, add);
  if (isDone) return;
  if (show !== undefined && /already exists/i.test(output))
    throw taken(place, show.read((await runProgram(path, show.args)).stdout));
  throw new CliError('TW_CLI_CLIENT', {
    where: name,
    what: `did not register the server.\n\n${hideIn(output, place.server).replaceAll(/^/gm, '  ')}\n`,
    fix: `see what it says; it was called like this: ${commandOf(place)}`,
  });
}

/** The command that registers the server, for a person. */
function commandOf({ client, server, scope }: Place): string {
  const { program } = client.register(hideValues(server), scope, process.cwd());
  return program === undefined ? '' : commandLine([program.name, ...program.add]);
}

function taken({ client, server, scope, registration }: Place, known: unknown): CliError {
  const where = registration.file?.path ?? `the scope ${scope}`;
  const entry = JSON.stringify(hideEntry(known), undefined, 2).replaceAll(/^/gm, '  ');
  return new CliError('TW_CLI_CLIENT_TAKEN', {
    where: client.title,
    what: `has another server called ${server.name}, in ${where}; it was not changed.\n\n${entry}\n`,
    fix: '--force to replace it, or --name for another name',
  });
}

function programMissing(place: Place): CliError {
  const { client, registration } = place;
  const other = client.scopes.length > 1 ? ', or try another --scope' : '';
  return new CliError('TW_CLI_CLIENT', {
    where: client.title,
    what: `is configured by its program \`${registration.program?.name ?? ''}\`, which is not on the PATH.`,
    ...(process.platform === 'win32' ? { why: 'a .cmd is not started, because that takes a shell.' } : {}),
    fix: `install it${other}, or run this where it is: ${commandOf(place)}`,
  });
}

/** An entry of a configuration file. */
interface ConfigPlace {
  readonly path: string;
  readonly member: MemberPath;
}

/** The entry that a file has already, or undefined. */
async function readEntry({ path, member }: ConfigPlace): Promise<unknown> {
  const text = await textOf(path);
  return text === undefined ? undefined : within(path, () => readMember(text, member));
}

/** Adds an entry to a file, or replaces it; the rest of the file stays as it is. */
async function writeEntry({ path, member }: ConfigPlace, entry: unknown, isSecret: boolean): Promise<void> {
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
