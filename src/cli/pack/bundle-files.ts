import { existsSync, lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { membersOf, type PlainObject } from '../../shared/json.ts';
import { readManifest } from '../manifest.ts';
import { CliError } from '../output/cli-error.ts';
import { findProgram, type PackedProject } from './project.ts';

/** A file of a bundle. */
export interface BundleFile {
  /** Its path in the bundle, with slashes between folders. */
  readonly name: string;
  /** Where it is read. */
  readonly path: string;
  readonly bytes: number;
}

/** With the manifest. In a zip, 65,535 says that the number is elsewhere (ZIP64). */
const MAX_FILES = 65_534;
/** All files together, before they are compressed. */
export const MAX_BUNDLE_BYTES = 512 * 1024 * 1024;

/** What a running server reads none of: types, source maps, what the compiler keeps, and earlier bundles. */
const UNUSED = /\.(?:map|d\.[cm]?ts|tsbuildinfo|mcpb(?:\.part)?)$/;
/** npm publishes none of it either, whatever `files` says: credentials, and the history of the project. */
const NEVER_PACKED = /(?:^|\/)\.(?:npmrc|git)(?:\/|$)/;
/** A file that ends like this is the key of a licence, not its text. */
const LICENCE = /^licen[cs]e(?!.*\.(?:key|pem)$)/i;
/** Texts for people that packages bring along. Licences stay. */
const FOR_PEOPLE = /^(?:readme|changelog|history|contributing|security)(?:\.(?:md|markdown))?$/i;
const PACKAGE_NAME = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/;

/**
 * What a bundle has of a project: the folder of the compiled program, what `files` of package.json names, and the packages
 * that it needs while it runs.
 * @throws CliError TW_CLI_PACK for a program that is not there, links that lead out, and what is too large
 */
export function listBundleFiles({ folder, manifest }: PackedProject): readonly BundleFile[] {
  const files = new FileList(folder);
  const program = findProgram(manifest);
  if (program === undefined) throw noProgram(join(folder, 'package.json'));
  files.checkInside(program);
  if (!files.isFile(program)) throw notBuilt(program);
  files.add('package.json');
  const [top = program] = program.split('/');
  const named = Array.isArray(manifest['files'])
    ? manifest['files'].filter((each) => typeof each === 'string')
    : [];
  for (const name of readdirSync(folder)) if (LICENCE.test(name)) files.add(name);
  const excluded = named.flatMap(excludedPaths);
  const isLeftOut = (path: string): boolean =>
    path !== program && excluded.some((pattern) => pattern.test(path));
  for (const name of new Set([top, ...named.flatMap(plainPath)])) files.add(name, isLeftOut);
  for (const path of findPackages(folder, manifest)) files.addPackage(path);
  return files.sorted();
}

/** The folder or file that an entry of `files` is about; a pattern stands for the folder before it. */
function plainPath(entry: string): readonly string[] {
  if (entry.startsWith('!')) return [];
  const plain = posix
    .normalize(entry.replace(/^\.?\//, ''))
    .replace(/\/?[^/]*[*?{[].*$/s, '')
    .replace(/\/$/, '');
  return plain === '' || plain === '.' ? [] : [plain];
}

/** What an entry with `!` leaves out, with all below it. A name without a slash is one in any folder, as in `.gitignore`. */
function excludedPaths(entry: string): readonly RegExp[] {
  if (!entry.startsWith('!')) return [];
  const pattern = posix.normalize(entry.slice(1)).replace(/\/(?:\*\*)?$/, '');
  const start = pattern.includes('/') ? '^' : '(?:^|/)';
  return [new RegExp(`${start}${writePattern(pattern.replace(/^\//, ''))}(?:/|$)`, 's')];
}

const PATTERN_PARTS = /\*\*\/|\*+|\?|\[[^\]/]+\]|\{[^{}]*\}|[^\w/-]/g;

/** A pattern of npm as a regular expression. A set of characters stands for any: leaving out too much is safer. */
function writePattern(pattern: string): string {
  return pattern.replaceAll(PATTERN_PARTS, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?' || /^\[.+\]$/s.test(part)) return '[^/]';
    if (part.length > 1 && part.startsWith('{'))
      return `(?:${part.slice(1, -1).split(',').map(writePattern).join('|')})`;
    return `\\${part}`;
  });
}

/** The files of a folder by their names, so that each is there once. */
class FileList {
  readonly #root: string;
  /** Behind all links. */
  readonly #place: string;
  readonly #files = new Map<string, BundleFile>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
    this.#place = realpathSync(root);
  }

  /** @throws CliError for a path that leaves the folder */
  checkInside(path: string): void {
    const isInside = !path.split(/[\\/]/).includes('..') && !path.startsWith('/') && !/^[a-z]:/i.test(path);
    if (!isInside) throw leadsOut(path);
  }

  isFile(path: string): boolean {
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.isFile() === true;
  }

  /** A file, or a folder with all that is in it. What is missing is left out: `files` may name what is not always there. */
  add(path: string, isLeftOut: (path: string) => boolean = () => false): void {
    if (NEVER_PACKED.test(path)) return;
    this.#checkFolders(path);
    this.#walk(path, isLeftOut);
  }

  /** A package of node_modules, without the packages inside of it. */
  addPackage(path: string): void {
    if (lstatSync(join(this.#root, path)).isSymbolicLink()) throw isLink(path);
    this.add(path, (inner) => FOR_PEOPLE.test(posix.basename(inner)));
  }

  sorted(): readonly BundleFile[] {
    return [...this.#files.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** @throws CliError for a path below a link, which may lead anywhere */
  #checkFolders(path: string): void {
    this.checkInside(path);
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      const found = lstatSync(join(this.#root, folder), { throwIfNoEntry: false });
      if (found?.isSymbolicLink() === true) throw isLink(folder);
    }
  }

  #walk(path: string, isLeftOut: (path: string) => boolean): void {
    this.checkInside(path);
    const full = join(this.#root, path);
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isDirectory()) {
      for (const name of readdirSync(full)) {
        const inner = `${path}/${name}`;
        // Hidden files hold settings and secrets of this machine
        if (name.startsWith('.') || name === 'node_modules' || UNUSED.test(name) || isLeftOut(inner))
          continue;
        this.#walk(inner, isLeftOut);
      }
    } else if (found.isSymbolicLink()) this.#addFile(path, this.#follow(full, path));
    // A pipe or a socket has nothing to read
    else if (found.isFile()) this.#addFile(path, found);
  }

  #addFile(name: string, { size: bytes }: Stats): void {
    if (this.#files.has(name)) return;
    this.#bytes += bytes;
    this.#files.set(name, { name, path: join(this.#root, name), bytes });
    if (this.#bytes > MAX_BUNDLE_BYTES) throw tooLarge(name, bytes);
    if (this.#files.size >= MAX_FILES) throw tooMany();
  }

  /** @throws CliError for a link to a folder or a hidden file, and for one that leads out */
  #follow(full: string, name: string): Stats {
    const target = existsSync(full) ? realpathSync(full) : undefined;
    if (target?.startsWith(this.#place + sep) !== true) throw isLink(name);
    const found = statSync(target);
    const isHidden = target
      .slice(this.#place.length)
      .split(sep)
      .some((part) => part.startsWith('.'));
    if (isHidden || !found.isFile()) throw isLink(name);
    return found;
  }
}

/** The packages that a project needs while it runs, as paths in its folder, found as Node finds them. */
function findPackages(root: string, manifest: PlainObject): readonly string[] {
  const found = new Set<string>();
  const open = [{ from: root, manifest }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { name, isOptional } of listNeeded(next.manifest)) {
      const folder = findPackage(name, next.from, root);
      if (folder === undefined) {
        if (isOptional) continue;
        throw notInstalled(name, relative(root, next.from));
      }
      const path = relative(root, folder).split(sep).join('/');
      if (found.has(path)) continue;
      found.add(path);
      open.push({ from: folder, manifest: readManifest(folder) ?? {} });
    }
  }
  return [...found];
}

/** What Toolwright compiles TypeScript with is left out: a bundle has what was compiled. */
function listNeeded(
  manifest: PlainObject,
): readonly { readonly name: string; readonly isOptional: boolean }[] {
  const members = (field: string): readonly string[] => Object.keys(membersOf(manifest[field]));
  const meta = membersOf(manifest['peerDependenciesMeta']);
  const peers = members('peerDependencies').filter((name) => membersOf(meta[name])['optional'] !== true);
  const optional = manifest['name'] === 'toolwright' ? [] : members('optionalDependencies');
  return [
    ...members('dependencies').map((name) => ({ name, isOptional: optional.includes(name) })),
    ...[...optional, ...peers].map((name) => ({ name, isOptional: true })),
  ];
}

function findPackage(name: string, from: string, root: string): string | undefined {
  if (!PACKAGE_NAME.test(name)) throw leadsOut(name);
  for (let place = from; place.startsWith(root); place = dirname(place)) {
    const folder = join(place, 'node_modules', name);
    if (existsSync(folder)) return folder;
    if (place === root) break;
  }
  return undefined;
}

function noProgram(manifest: string): CliError {
  return new CliError('TW_CLI_PACK', {
    where: manifest,
    what: 'names no program that clients start.',
    fix: '"bin": { "my-server": "dist/main.js" }, a compiled file that calls app.stdio()',
  });
}

function notBuilt(program: string): CliError {
  return new CliError('TW_CLI_PACK', {
    where: program,
    what: 'does not exist, and package.json names it as the program that clients start.',
    fix: 'npm run build, or correct "bin"',
  });
}

function leadsOut(path: string): CliError {
  return new CliError('TW_CLI_PACK', {
    where: JSON.stringify(path),
    what: 'leads out of the folder of the project.',
    why: 'a bundle is unpacked on another machine.',
    fix: 'a path below the folder of package.json',
  });
}

function isLink(name: string): CliError {
  return new CliError('TW_CLI_PACK', {
    where: name,
    what: 'is a link to a folder, to a hidden file, or to what is not in the project.',
    why: 'a bundle is unpacked on another machine.',
    fix: 'npm install --install-links, which copies packages of other folders; in pnpm, node-linker=hoisted',
  });
}

function notInstalled(name: string, neededBy: string): CliError {
  return new CliError('TW_CLI_PACK', {
    where: `node_modules/${name}`,
    what: `is not there, and ${neededBy === '' ? 'package.json' : neededBy} needs it.`,
    fix: 'npm install in this folder; a bundle takes nothing from the folders above it',
  });
}

function tooLarge(name: string, bytes: number): CliError {
  return new CliError('TW_CLI_PACK', {
    where: name,
    what: `has ${String(bytes)} bytes: with it, the bundle has more than ${String(MAX_BUNDLE_BYTES / 1024 / 1024)} MiB.`,
    why: 'each client downloads all of it.',
    fix: 'leave it out of `files` of package.json, and let the server fetch it',
  });
}

function tooMany(): CliError {
  return new CliError('TW_CLI_PACK', {
    where: 'The bundle',
    what: `has more than ${String(MAX_FILES)} files.`,
    fix: 'fewer packages in `dependencies`, or a program that esbuild has bundled',
  });
}
