import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { Problem } from '../errors/problem-list.ts';
import type { SkillDefinition, SkillFile, SkillFolder } from '../features/skills/skill-folder.ts';
import { readFrontmatter, type SayProblem } from './frontmatter.ts';
import { readMediaType } from './media-types.ts';

/** What every host takes of one skill (SEP-2640: Limits). */
const MAX_FILE_COUNT = 512;
const MAX_SKILL_BYTES = 16 * 1024 * 1024;
const MANIFEST = 'SKILL.md';

/** Reads the skills in a folder and in all folders below it. What is wrong is among the problems, and never thrown. */
export function readSkillFolder(directory: string): Omit<SkillFolder, 'directoryRead'> {
  const reader = new SkillReader(basename(directory));
  reader.readRoot(directory);
  return { skills: Object.freeze(reader.skills), problems: Object.freeze(reader.problems) };
}

/** A file that a skill has, before it is read. */
interface FoundFile {
  /** Behind all links. */
  readonly path: string;
  /** The names of its folders, from the folder of skills on, and its own. */
  readonly names: readonly string[];
  readonly size: number;
}

/** The files of a skill while they are counted. */
interface SkillCount {
  /** Behind all links. */
  readonly root: string;
  readonly files: FoundFile[];
  size: number;
}

/** Stops at the first problem of a skill. */
class SkillRefusal extends Error {
  readonly fix: string;

  constructor(what: string, fix: string) {
    super(what);
    this.fix = fix;
  }
}

class SkillReader {
  readonly skills: SkillDefinition[] = [];
  readonly problems: Problem[] = [];
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  readRoot(directory: string): void {
    this.#guard([], () => {
      const root = realpathSync(directory);
      const entries = readEntries(root);
      if (entries.some(({ name }) => name === MANIFEST))
        throw new SkillRefusal(`has a ${MANIFEST} itself.`, 'name the folder above it');
      for (const entry of entries) this.#readTop(root, entry);
      return true;
    });
  }

  #readTop(root: string, entry: Dirent): void {
    const names = [entry.name];
    const isBare = this.#guard(names, () => this.#visit(root, entry, names));
    if (isBare)
      this.#report(names, `has no ${MANIFEST}.`, `a ${MANIFEST} in it, or another place for the folder`);
  }

  /** Looks for skills in a folder. @returns whether it is a folder without any */
  #visit(parent: string, entry: Dirent, names: readonly string[]): boolean {
    if (entry.isSymbolicLink()) throw linkOut('is a link');
    if (!entry.isDirectory()) return false;
    checkName(entry.name);
    const folder = join(parent, entry.name);
    const entries = readEntries(folder);
    if (entries.some(({ name }) => name === MANIFEST)) {
      const count: SkillCount = { root: folder, files: [], size: 0 };
      collect(folder, entries, names, count);
      this.#readSkills(count.files);
      return false;
    }
    const inner = entries.map((each) => {
      const path = [...names, each.name];
      return this.#guard(path, () => this.#visit(folder, each, path)) || each.isFile();
    });
    return inner.every(Boolean);
  }

  /** Each folder with a manifest is a skill, also inside of another one, which has its files too. */
  #readSkills(found: readonly FoundFile[]): void {
    const files = new Map(found.map((each) => [each.names.join('/'), readSkillFile(each)] as const));
    for (const { names } of found) {
      if (names.at(-1) !== MANIFEST) continue;
      const folder = names.slice(0, -1);
      const start = `${folder.join('/')}/`;
      const own = [...files].filter(([path]) => path.startsWith(start)).map(([, file]) => file);
      const manifest = files.get(names.join('/'));
      if (manifest !== undefined) this.#addSkill(folder, manifest, own);
    }
  }

  #addSkill(folder: readonly string[], manifest: SkillFile, files: readonly SkillFile[]): void {
    const say: SayProblem = (what, fix) => {
      this.#report(folder, what, fix);
    };
    if (!isUtf8(manifest.content)) {
      say(`has a ${MANIFEST} that is not UTF-8.`, 'save it as UTF-8');
      return;
    }
    const frontmatter = readFrontmatter(manifest.content.toString(), folder.at(-1) ?? '', say);
    if (frontmatter === undefined) return;
    const where = this.#whereIs(folder);
    this.skills.push(Object.freeze({ uri: manifest.uri, where, frontmatter, files: Object.freeze(files) }));
  }

  /** @returns what was read; false where that failed, which is reported */
  #guard(names: readonly string[], read: () => boolean): boolean {
    try {
      return read();
    } catch (cause) {
      if (cause instanceof SkillRefusal) this.#report(names, cause.message, cause.fix);
      else {
        const reason = cause instanceof Error ? cause.message : String(cause);
        this.#report(names, `cannot be read: ${reason}.`, "directory: new URL('skills/', import.meta.url)");
      }
      return false;
    }
  }

  #report(names: readonly string[], what: string, fix: string): void {
    this.problems.push({ code: 'TW_SCAN_SKILL', where: this.#whereIs(names), what, fix });
  }

  /** Names of files may have anything in them. */
  #whereIs(names: readonly string[]): string {
    return [this.#name, ...names].map((name) => quote(name).slice(1, -1)).join('/');
  }
}

/** Without hidden files, such as `.git` and `.DS_Store`; in the order of their names. */
function readEntries(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Counts the files of a skill before any of them is read. */
function collect(
  folder: string,
  entries: readonly Dirent[],
  names: readonly string[],
  count: SkillCount,
): void {
  for (const entry of entries) {
    checkName(entry.name);
    const path = join(folder, entry.name);
    const inner = [...names, entry.name];
    if (entry.isDirectory()) collect(path, readEntries(path), inner, count);
    else addFile(entry.isSymbolicLink() ? followLink(path, count.root) : path, inner, count);
  }
}

function addFile(path: string, names: readonly string[], count: SkillCount): void {
  const stats = lstatSync(path);
  if (!stats.isFile())
    throw new SkillRefusal(
      `has ${quote(names.at(-1) ?? '')}, neither a file nor a folder.`,
      'files and folders only',
    );
  count.files.push({ path, names, size: stats.size });
  count.size += stats.size;
  if (count.files.length > MAX_FILE_COUNT)
    throw new SkillRefusal(`has more than ${String(MAX_FILE_COUNT)} files.`, 'fewer files, or two skills');
  if (count.size > MAX_SKILL_BYTES)
    throw new SkillRefusal('has more than 16 MiB in its files.', 'smaller files, or two skills');
}

/** A link inside of the skill is followed, as mounted volumes have such; one to a folder could lead in circles. */
function followLink(path: string, root: string): string {
  const target = realpathSync(path);
  const name = quote(basename(path));
  if (!target.startsWith(root + sep)) throw linkOut(`has ${name}, a link out of its folder`);
  if (statSync(target).isDirectory()) throw linkOut(`has ${name}, a link to a folder`);
  return target;
}

function linkOut(what: string): SkillRefusal {
  return new SkillRefusal(`${what}.`, 'a copy in place of the link');
}

/** Control characters, and what is not Unicode. */
const UNSHOWN = /[\p{Cc}\uFFFD]/u;

function checkName(name: string): void {
  if (UNSHOWN.test(name))
    throw new SkillRefusal(`has the name ${quote(name)} in it, with control characters.`, 'another name');
}

/** A name of a file as a message shows it, without what a terminal would obey. */
function quote(name: string): string {
  return JSON.stringify(name).replaceAll(/\p{Cc}/gu, '\uFFFD');
}

function readSkillFile({ path, names }: FoundFile): SkillFile {
  const content = Buffer.from(readFileSync(path));
  const name = names.at(-1) ?? '';
  return Object.freeze({
    uri: `skill://${names.map((each) => encodeURIComponent(each)).join('/')}`,
    name,
    mimeType: readMediaType(name, isUtf8(content)),
    content,
    digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
  });
}
