import { Injectable, Notifier, type OnModuleInit } from 'toolwright';
import { PageFolder, type PageFile } from '../folder/page-folder.ts';
import { INDEX_URI, uriOf } from '../folder/page-path.ts';
import { toPage, type Page } from './page.ts';

type Pages = ReadonlyMap<string, Page>;

export interface Progress {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

/** All pages of the folder in memory. When it finds that one has changed, it notifies the client. */
@Injectable()
export class PageIndex implements OnModuleInit {
  #pages: Pages = new Map();
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(
    private readonly folder: PageFolder,
    private readonly notifier: Notifier,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  /** In the order of their paths. */
  get pages(): readonly Page[] {
    return [...this.#pages.values()];
  }

  get(path: string): Page | undefined {
    return this.#pages.get(path);
  }

  find(words: string): readonly Page[] {
    const wanted = words.trim().toLowerCase().split(/\s+/);
    return this.pages.filter(({ path, text }) => {
      const searched = `${path}\n${text}`.toLowerCase();
      return wanted.every((word) => searched.includes(word));
    });
  }

  /** Reads what has changed since the last time. However often it is called at once, one further run is enough. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#running.then(async () => {
      this.#waiting = undefined;
      await this.#update();
    });
    this.#running = this.#waiting.catch(() => undefined);
    return this.#waiting;
  }

  /** Reads every page again, and gives their number. */
  async *rebuild(): AsyncGenerator<Progress, number> {
    const files = await this.folder.list();
    const pages = new Map<string, Page>();
    for (const [index, file] of files.entries()) {
      await this.#read(file, pages);
      yield { progress: index + 1, total: files.length, message: file.path };
    }
    this.#publish(pages);
    // It may have taken a while, and pages may have changed since they were read.
    await this.refresh();
    return this.#pages.size;
  }

  async #update(): Promise<void> {
    const pages = new Map<string, Page>();
    for (const file of await this.folder.list()) {
      const known = this.#pages.get(file.path);
      if (known !== undefined && isSame(known, file)) pages.set(file.path, known);
      else await this.#read(file, pages);
    }
    this.#publish(pages);
  }

  async #read(file: PageFile, pages: Map<string, Page>): Promise<void> {
    const text = await this.folder.read(file.path);
    if (text !== undefined) pages.set(file.path, toPage(file, text));
  }

  #publish(pages: Pages): void {
    const before = this.#pages;
    this.#pages = pages;
    const paths = [...new Set([...before.keys(), ...pages.keys()])];
    const changed = paths.filter((path) => before.get(path)?.text !== pages.get(path)?.text);
    for (const path of changed) this.notifier.resourceUpdated(uriOf(path));
    if (changed.length > 0) this.notifier.resourceUpdated(INDEX_URI);
    if (paths.some((path) => before.get(path)?.title !== pages.get(path)?.title)) {
      this.notifier.resourcesChanged();
    }
  }
}

function isSame(one: PageFile, other: PageFile): boolean {
  return one.size === other.size && one.modified.getTime() === other.modified.getTime();
}
