import { watch, type FSWatcher } from 'node:fs';

/** Milliseconds without an event. One save by rename gives three of them, a millisecond apart; a person sees no delay. */
const QUIET = 20;

/**
 * Watches the files of single folders. A recursive watch would take one inotify watch for each file below, those of
 * node_modules included.
 */
export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onQuiet: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onQuiet called when files have changed, and no more do */
  constructor(onQuiet: () => void) {
    this.#onQuiet = onQuiet;
  }

  /**
   * Watches these folders too; one that does not exist is watched by the next call after it came.
   * @returns whether there are more than before
   */
  add(folders: Iterable<string>): boolean {
    const before = this.#watchers.size;
    for (const folder of new Set(folders)) {
      if (this.#watchers.has(folder)) continue;
      const watcher = this.#open(folder);
      if (watcher !== undefined) this.#watchers.set(folder, watcher);
    }
    return this.#watchers.size > before;
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(folder: string): FSWatcher | undefined {
    let watcher: FSWatcher;
    try {
      watcher = watch(folder, () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#onQuiet, QUIET);
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    // A folder that is removed ends its watch, and may come back.
    watcher.on('error', () => {
      watcher.close();
      this.#watchers.delete(folder);
    });
    return watcher;
  }
}
