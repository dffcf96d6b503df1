import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CliError } from '../output/cli-error.ts';
import { surfaceOfTarget } from '../surface/read-surface.ts';
import type { Surface } from '../surface/surface.ts';
import { loadClientId, type TargetOptions } from '../target/target.ts';
import { isLockFault, readLock, type AcceptedChange } from './lock-file.ts';

/** One side of a difference: a lock file, or a server as it is now. */
export interface LockSource {
  readonly surface: Surface;
  /** What a lock file accepts. */
  readonly accept: readonly AcceptedChange[];
  /** The version of its form; undefined for a server. */
  readonly version?: number;
  /** The lock file, for reports that point at a line of it; undefined for a server. */
  readonly file: { readonly path: string; readonly text: string } | undefined;
}

const REVISION = /^git:([^:]+):(.+)$/s;

/** Whether this names a lock file, and not a server. */
export function isLockReference(reference: string): boolean {
  return REVISION.test(reference) || (/\.json$/i.test(reference) && !/^https?:/i.test(reference));
}

/**
 * Reads `git:<ref>:<path>`, a lock file (`.json`), a URL, or a file with an application.
 * @throws CliError for what cannot be read; what loading a file and connecting to a server throw
 */
export async function openSource(reference: string, options: TargetOptions = {}): Promise<LockSource> {
  if (!isLockReference(reference))
    return { surface: await surfaceOfTarget(reference, options), accept: [], file: undefined };
  const [, revision, path = reference] = REVISION.exec(reference) ?? [];
  const text = revision === undefined ? await readText(path) : await readRevision(revision, path);
  const source = sourceOf(text, path);
  const isOwn = options.surface === undefined && options.client === undefined;
  return isOwn ? source : { ...source, surface: await listedIn(source.surface, options, path) };
}

/** What a lock file has of a surface or client. */
async function listedIn(
  locked: Surface,
  { surface, client }: TargetOptions,
  where: string,
): Promise<Surface> {
  const found = Object.entries(locked.surfaces ?? {});
  const id = client === undefined ? undefined : await loadClientId(client);
  const isAsked = ([key, { clients }]: (typeof found)[number]): boolean =>
    surface === undefined ? clients.includes(id ?? '') : key.split('/')[0] === surface;
  const [key, chosen] = found.find(isAsked) ?? [];
  const isDefault = surface === undefined ? chosen === undefined : surface === 'own';
  if (isDefault) return locked;
  if (chosen?.tools !== undefined) return { ...locked, tools: chosen.tools, surfaceHash: chosen.hash };
  throw new CliError('TW_CLI_OPTION', {
    where,
    what: `has ${key === undefined ? 'nothing' : 'only the names'} of the tools on the surface "${key ?? String(surface)}".`,
    fix: 'toolwright lock --full writes the tools of all surfaces; or name the file with the application',
  });
}

/** What a target offers, or offered when its lock file was written. */
export async function surfaceOfValues(values: readonly string[], options: TargetOptions): Promise<Surface> {
  const [reference] = options.command === undefined ? values : [];
  if (reference === undefined) return surfaceOfTarget(reference, options);
  return (await openSource(reference, options)).surface;
}

function sourceOf(text: string, path: string): LockSource {
  const read = readLock(text);
  if (isLockFault(read))
    throw new CliError('TW_CLI_LOCK', { where: path, what: `${read.what}.`, fix: read.fix });
  return { ...read, file: { path, text } };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError('TW_CLI_LOCK', {
      where: path,
      what: `cannot be read: ${(cause as Error).message}.`,
      fix: 'write it with `toolwright lock <entry>`, or name another file',
      cause,
    });
  }
}

const MOST_BYTES = 256 * 1024 * 1024;

/** A file as it was at a commit, branch or tag; the path counts from the current folder. */
async function readRevision(revision: string, path: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      ['show', '--end-of-options', `${revision}:./${path}`],
      {
        maxBuffer: MOST_BYTES,
      },
    );
    return stdout;
  } catch (cause) {
    const { stderr, message } = cause as { readonly stderr?: string; readonly message: string };
    throw new CliError('TW_CLI_LOCK', {
      where: `git:${revision}:${path}`,
      what: `cannot be read: ${(stderr ?? message).trim().replace(/^fatal: /, '')}.`,
      fix: 'name a revision that `git log` knows, and a file that it has, as in git:main:toolwright.lock.json',
      cause,
    });
  }
}
