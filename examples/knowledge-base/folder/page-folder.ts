import { randomUUID } from 'node:crypto';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ToolError } from 'toolwright';
import { codeOf, whenThere } from './file-errors.ts';
import { PAGE_PATH } from './page-path.ts';

export interface PageFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
}

/** The Markdown files of one folder. Whatever path it is given, it never leaves the folder, not even by a link. */
export class PageFolder {
  private constructor(readonly root: string) {}

  /** A folder that is not there yet begins as a copy of the sample. */
  static async open(folder: string, sample: string): Promise<PageFolder> {
    if ((await whenThere(stat(folder))) === undefined) await copyAtOnce(sample, folder);
    return new PageFolder(await realpath(folder));
  }

  /** In the order of their paths; links are left out. */
  async list(): Promise<readonly PageFile[]> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
    const pages = files.map(({ parentPath, name }) => this.#describe(join(parentPath, name)));
    return (await Promise.all(pages))
      .filter((page) => page !== undefined)
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async read(path: string): Promise<string | undefined> {
    const file = await this.#locate(path);
    return file === undefined ? undefined : whenThere(readFile(file, 'utf8'));
  }

  /** Never overwrites. */
  async create(path: string, text: string): Promise<void> {
    const file = await this.#place(path);
    try {
      await writeFile(file, text, { flag: 'wx' });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new ToolError('PAGE_EXISTS', `There is a page "${path}" already`);
      throw error;
    }
  }

  async append(path: string, text: string): Promise<void> {
    await appendFile(await this.#existing(path), text);
  }

  /** All at once: nobody reads half of the new text. */
  async replace(path: string, text: string): Promise<void> {
    const file = await this.#existing(path);
    const draft = `${file}.${randomUUID()}.draft`;
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, file);
  }

  async remove(path: string): Promise<void> {
    await rm(await this.#existing(path));
  }

  async #existing(path: string): Promise<string> {
    const file = await this.#locate(path);
    if (file === undefined) throw new ToolError('UNKNOWN_PAGE', `There is no page "${path}"`);
    return file;
  }

  /** The file of a page, all links followed; one that leads out of the folder leads nowhere. */
  async #locate(path: string): Promise<string | undefined> {
    if (!PAGE_PATH.test(path)) return undefined;
    const file = await whenThere(realpath(`${join(this.root, path)}.md`));
    return file !== undefined && this.#contains(file) ? file : undefined;
  }

  /** The file of a new page. The folders above it are made one by one, so that none is made behind a link. */
  async #place(path: string): Promise<string> {
    if (!PAGE_PATH.test(path)) throw refused(path);
    const names = path.split('/');
    const name = `${names.pop() ?? ''}.md`;
    let folder = this.root;
    for (const each of names) {
      const made = join(folder, each);
      await mkdir(made).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      const real = await whenThere(realpath(made));
      if (real === undefined || !this.#contains(real)) throw refused(path);
      folder = real;
    }
    return join(folder, name);
  }

  #contains(file: string): boolean {
    return file.startsWith(this.root + sep);
  }

  async #describe(file: string): Promise<PageFile | undefined> {
    const path = relative(this.root, file).slice(0, -'.md'.length).split(sep).join('/');
    const facts = PAGE_PATH.test(path) ? await whenThere(stat(file)) : undefined;
    return facts && { path, size: facts.size, modified: facts.mtime };
  }
}

function refused(path: string): ToolError {
  return new ToolError('PAGE_REFUSED', `No page can be kept at "${path}"`);
}

/** Of servers that start together one makes the folder, and none sees half of it. */
async function copyAtOnce(sample: string, folder: string): Promise<void> {
  const draft = `${folder}.${randomUUID()}`;
  await cp(sample, draft, { recursive: true });
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true });
    if ((await whenThere(stat(folder))) === undefined) throw error;
  }
}
