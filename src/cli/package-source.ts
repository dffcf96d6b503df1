import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isPlainObject } from '../shared/json.ts';
import { manifestsAbove, readManifest } from './manifest.ts';
import { CliError } from './output/cli-error.ts';
import { packageRoot, packageVersion } from './package-version.ts';

/** Where a project can get this package from: a registry, a packed file, or a folder that npm packs first. */
export type PackageSource =
  | { readonly kind: 'registry' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** This package, packed. */
export interface PackedPackage {
  /** The name of the file, such as `toolwright-0.1.0.tgz`. */
  readonly name: string;
  readonly bytes: Buffer;
}

const NAME = 'toolwright';
const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** Where this package came from: what the package.json says that it was installed for. */
export function findPackageSource(root = packageRoot()): PackageSource {
  const isInstalled = basename(dirname(root)) === 'node_modules';
  if (!isInstalled) return { kind: 'folder', path: root };
  for (const { folder, manifest } of manifestsAbove(dirname(root))) {
    const ranges = FIELDS.map((field) => manifest[field]).filter(isPlainObject);
    const range = ranges.map((each) => each[NAME]).find((each) => typeof each === 'string');
    if (range === undefined) continue;
    const [, path] = /^(?:file:)?(.*\.(?:tgz|tar\.gz))$/.exec(range) ?? [];
    if (path === undefined || /^https?:/.test(range)) return { kind: 'registry' };
    const file = resolve(folder, path);
    return existsSync(file) ? { kind: 'file', path: file } : { kind: 'folder', path: root };
  }
  return { kind: 'registry' };
}

/** The command line that adds this package to a project. */
export function installLine(source = findPackageSource()): string {
  if (source.kind === 'registry') return `npm install ${NAME}`;
  if (source.kind === 'file') return `npm install ${source.path}`;
  const file = join(source.path, packedName());
  return `npm pack, in ${source.path}, then npm install ${file}`;
}

/**
 * The packed file of a source.
 * @param named the path that a person named, as a file or a folder
 * @returns undefined for a source that has no file, because it is a registry
 * @throws CliError for a path that is not of this package, and where npm cannot pack
 */
export async function packedPackage(named: string | undefined): Promise<PackedPackage | undefined> {
  const source = named === undefined ? findPackageSource() : sourceAt(named);
  if (source.kind === 'registry') return undefined;
  return source.kind === 'file' ? readPacked(source.path) : packFolder(source.path);
}

function sourceAt(named: string): PackageSource {
  const path = resolve(named);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true) return { kind: 'file', path };
  if (found?.isDirectory() !== true) throw notPacked(named, 'does not exist');
  if (readManifest(path)?.['name'] !== NAME) throw notPacked(named, 'is a folder without this package');
  return { kind: 'folder', path };
}

const GZIP = Buffer.from([0x1f, 0x8b]);

function readPacked(path: string): PackedPackage {
  const bytes = readFileSync(path);
  const isPacked = /\.(?:tgz|tar\.gz)$/.test(path) && bytes.subarray(0, GZIP.length).equals(GZIP);
  if (!isPacked) throw notPacked(path, 'is not a packed file');
  // What npm reads as a path in package.json
  return { name: basename(path).replaceAll(/[^\w.+-]/g, '-'), bytes };
}

async function packFolder(root: string): Promise<PackedPackage> {
  const into = mkdtempSync(join(tmpdir(), 'toolwright-pack-'));
  try {
    await runNpm(['pack', '--silent', '--ignore-scripts', '--pack-destination', into], root);
    const [name = ''] = readdirSync(into);
    return readPacked(join(into, name));
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw notPacked(root, `cannot be packed by npm: ${(cause as Error).message}`, cause);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

/** npm is a script of the shell on Windows, where the words have to be quoted. */
async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const shell = process.platform === 'win32';
  const words = shell ? args.map((word) => `"${word}"`) : args;
  // What npm passes on to its scripts would steer this npm as well
  const env = Object.entries(process.env).filter(([name]) => !/^npm_(?:config|package)_/i.test(name));
  await promisify(execFile)('npm', words, { cwd, shell, env: Object.fromEntries(env) });
}

function packedName(): string {
  return `${NAME}-${packageVersion()}.tgz`;
}

function notPacked(path: string, what: string, cause?: unknown): CliError {
  return new CliError('TW_CLI_OPTION', {
    where: `--package ${path}`,
    what: `${what}.`,
    fix: `--package ${packedName()}, which npm pack writes in a clone of Toolwright`,
    cause,
  });
}
