import { dirname, resolve } from 'node:path';
import type { ApplicationHost, Replacement } from '../../index.ts';
import type { SourceLoader } from '../../loader/index.ts';
import type { Opening } from '../target/entry-host.ts';
import { loadEntry, readReference, type LoadedEntry } from '../target/entry.ts';
import { changedFiles, filesIn, readContents, type FileContents } from './file-contents.ts';

export interface DevelopmentOptions {
  readonly timeout?: number | undefined;
  /** Each save loads all files again, and no instance lives on. */
  readonly isFresh: boolean;
  /** A change in one of these folders loads all files again. */
  readonly folders: readonly string[];
  readonly opening: Opening;
  readonly explorer?: ApplicationHost['explorer'];
  /** Opens what clients connect to; called once, for the first application. */
  readonly serve: (entry: LoadedEntry) => Promise<void>;
  readonly report: (event: DevelopmentEvent) => void;
  /**
   * Waits until a save is over. Gives whether nothing was written after `since`, a time of `performance.now()`. If
   * something was, what was loaded is not served, and a further update follows. Default: nothing is watched.
   */
  readonly isOver?: ((since: number) => Promise<boolean>) | undefined;
}

/** What a person at the terminal wants to know. */
export type DevelopmentEvent =
  | { readonly kind: 'served'; readonly entry: LoadedEntry }
  | {
      readonly kind: 'swapped';
      readonly entry: LoadedEntry;
      readonly files: readonly string[];
      readonly milliseconds: number;
      readonly replacement: Replacement;
      /** How many times, with this one. */
      readonly count: number;
    }
  /** @property isServing the application from before still answers */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isServing: boolean }
  /** What was saved last is what is served. */
  | { readonly kind: 'recovered' };

interface Loading {
  readonly entry: Promise<LoadedEntry>;
  /** Goes back to what was loaded before. */
  discard(): Promise<void>;
}

/** The application of a file, replaced after each save, behind transports that stay. */
export class Development {
  readonly #reference: string;
  readonly #loader: SourceLoader;
  readonly #options: DevelopmentOptions;
  readonly #entryFile: string;
  readonly #folders: readonly string[];
  /** Closed when nothing runs in them any more. */
  readonly #retiring = new Set<LoadedEntry>();
  #entry: LoadedEntry | undefined;
  /** What is served, and what failed since then. */
  #served: FileContents = new Map();
  #failed: FileContents | undefined;
  #swaps = 0;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @throws CliError for a file that does not exist */
  constructor(reference: string, loader: SourceLoader, options: DevelopmentOptions) {
    this.#reference = reference;
    this.#loader = loader;
    this.#options = options;
    this.#entryFile = readReference(reference).file;
    this.#folders = options.folders.map((folder) => resolve(folder));
  }

  /** Loads the file for the first time, or again where it has changed. Never rejects for a mistake in a file. */
  update(): Promise<void> {
    this.#work = this.#work.then(() => (this.#isClosed ? undefined : this.#update()));
    return this.#work;
  }

  /** The files whose changes matter, and folders of which those of all files do. */
  async watched(): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> {
    const files = [...(await this.#files())];
    const isComplete = (await this.#loader.incomplete()).size === 0;
    // The next save may bring what was not found, under whatever name
    return {
      files,
      folders: isComplete ? this.#folders : [...this.#folders, ...files.map((file) => dirname(file))],
    };
  }

  /** @returns whether every running call ended by itself */
  async close(signal?: string): Promise<boolean> {
    this.#isClosed = true;
    await this.#work;
    const entries = [...this.#retiring, ...(this.#entry === undefined ? [] : [this.#entry])];
    const drained = await Promise.all(entries.map((entry) => entry.close(signal)));
    return drained.every((isDrained) => isDrained);
  }

  async #update(): Promise<void> {
    const started = performance.now();
    const contents = readContents(await this.#files());
    const changed = changedFiles(this.#served, contents);
    if (changed.length === 0) return this.#recover(started);
    // A file that was missing is in no list: it may have come.
    const isComplete = (await this.#loader.incomplete()).size === 0;
    if (this.#failed !== undefined && isComplete && changedFiles(this.#failed, contents).length === 0) return;
    // The first application opens its port while it is loaded
    if (this.#entry === undefined && !(await this.#isOver(started))) return;
    const loading = await this.#load(changed);
    try {
      const entry = await loading.entry;
      // Read before clients are served: a file may be saved at once
      const loaded = await this.#withLoaded(contents);
      if (this.#entry !== undefined && !(await this.#isOver(started))) return await loading.discard();
      await this.#take(entry, changed, started);
      this.#failed = undefined;
      this.#served = loaded;
    } catch (error) {
      await loading.discard();
      if (!(await this.#isOver(started))) return;
      this.#failed = await this.#withLoaded(contents);
      this.#options.report({ kind: 'failed', error, isServing: this.#entry !== undefined });
    }
  }

  /** What is served is what is saved, perhaps again. */
  async #recover(started: number): Promise<void> {
    if (this.#failed === undefined || !(await this.#isOver(started))) return;
    this.#failed = undefined;
    this.#options.report({ kind: 'recovered' });
  }

  async #isOver(since: number): Promise<boolean> {
    return (await this.#options.isOver?.(since)) ?? true;
  }

  async #files(): Promise<ReadonlySet<string>> {
    const loaded = await this.#loader.files();
    return new Set([
      this.#entryFile,
      ...loaded,
      ...(await this.#loader.incomplete()),
      ...filesIn(this.#folders),
    ]);
  }

  /** Files that were loaded for the first time were read just now. */
  async #withLoaded(contents: FileContents): Promise<FileContents> {
    const others = [...(await this.#files())].filter((file) => !contents.has(file));
    return new Map([...contents, ...readContents(others)]);
  }

  async #load(changed: readonly string[]): Promise<Loading> {
    const { timeout, isFresh, opening, explorer } = this.#options;
    const loaded = await this.#loader.files();
    const again = isFresh || changed.some((file) => this.#isWatchedOnly(file, loaded)) ? loaded : changed;
    const undo = loaded.size === 0 ? undefined : await this.#refresh(again);
    const entry = loadEntry(this.#reference, {
      timeout,
      isDevelopment: true,
      importFile: (file) => this.#loader.import(file),
      ...(this.#entry === undefined ? { opening, waitsForServing: true, explorer } : {}),
      predecessor: () => (isFresh ? undefined : this.#entry?.created.application),
    });
    const discard = async (): Promise<void> => {
      await undo?.();
      await entry.then(
        (loadedEntry) => loadedEntry.close(),
        () => undefined,
      );
    };
    return { entry, discard };
  }

  async #refresh(files: Iterable<string>): Promise<() => Promise<void>> {
    const refresh = await this.#loader.refresh([...files, ...(await this.#loader.incomplete())]);
    return () => refresh.undo();
  }

  #isWatchedOnly(file: string, loaded: ReadonlySet<string>): boolean {
    return !loaded.has(file) && this.#folders.some((folder) => dirname(file) === folder);
  }

  async #take(entry: LoadedEntry, files: readonly string[], started: number): Promise<void> {
    const former = this.#entry;
    if (former === undefined) {
      await this.#options.serve(entry);
      this.#entry = entry;
      this.#options.report({ kind: 'served', entry });
      return;
    }
    const replacement = former.created.application.replaceWith(entry.created.application);
    this.#entry = entry;
    this.#swaps += 1;
    const milliseconds = performance.now() - started;
    this.#options.report({ kind: 'swapped', entry, files, milliseconds, replacement, count: this.#swaps });
    this.#retiring.add(former);
    void replacement.finished.then(() => former.close()).finally(() => this.#retiring.delete(former));
  }
}
