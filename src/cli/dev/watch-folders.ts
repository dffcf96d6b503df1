import { watch, type FSWatcher } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';

/** Milliseconds without an event. One save by rename gives three of them, a millisecond apart. */
const PAUSE = 4;
/** Milliseconds without an event after which a save is over; a person sees no delay. */
const QUIET = 20;

/**
 * Watches the files of single folders. A recursive watch would take one inotify watch for each file below, those of
 * node_modules included.
 */
export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onChange: () => void;
  #files: ReadonlySet<string> = new Set();
  #folders: ReadonlySet<string> = new Set();
  /** The folders of all these, and those above them, which may be renamed or removed. */
  #places: ReadonlySet<string> = new Set();
  #lastEvent = -Infinity;
  /** Whether the first look at a save is done: one is at its first pause, another when it is over. */
  #isSeen = false;
  #pause: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;

  /** @param onChange called while a save may still be written, and again when it is over */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /**
   * Watches these files, all files of these folders, and whether the folders are where they were; one that does not exist
   * is watched by the next call after it came.
   * @returns whether more folders are watched than before
   */
  follow(files: readonly string[], folders: readonly string[]): boolean {
    this.#files = new Set(files.map(keyOf));
    this.#folders = new Set(folders);
    const near = new Set([...folders, ...files.map((file) => dirname(file))]);
    const places = new Set([...near].flatMap(withFoldersAbove));
    this.#places = new Set([...places].map(keyOf));
    let watchesMore = false;
    for (const folder of places) {
      if (this.#watchers.has(folder)) continue;
      const watcher = this.#open(folder, near.has(folder));
      if (watcher === undefined) continue;
      this.#watchers.set(folder, watcher);
      watchesMore ||= near.has(folder);
    }
    return watchesMore;
  }

  /** Waits for the end of a save. @returns whether nothing was written after `since`, a time of `performance.now()` */
  async isOver(since: number): Promise<boolean> {
    // Events that have not arrived yet do so in one whole turn of the event loop
    await turn();
    await turn();
    const left = this.#lastEvent + QUIET - performance.now();
    if (left > 0 && this.#lastEvent <= since) await pause(left);
    return this.#lastEvent <= since;
  }

  close(): void {
    clearTimeout(this.#pause);
    clearTimeout(this.#quiet);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(folder: string, isNear: boolean): FSWatcher | undefined {
    let watcher: FSWatcher;
    try {
      watcher = watch(folder, (_event, name) => {
        if (name !== null && this.#places.has(keyOf(join(folder, name)))) this.#moved(join(folder, name));
        else if (isNear && (name === null || this.#matters(folder, name))) this.#changed();
      });
    } catch (error) {
      // A folder above may be none that this person may read
      if (!isNear || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    // A folder that is removed ends its watch, and may come back.
    watcher.on('error', () => {
      watcher.close();
      this.#watchers.delete(folder);
    });
    return watcher;
  }

  /** An application may write into its own folder all the time. */
  #matters(folder: string, name: string): boolean {
    return this.#folders.has(folder) || this.#files.has(keyOf(join(folder, name)));
  }

  /** A folder went away, or came: a watch follows the folder to its new name, and is of no use there. */
  #moved(place: string): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folder !== place && !folder.startsWith(place + sep)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    this.#changed();
  }

  #changed(): void {
    this.#lastEvent = performance.now();
    clearTimeout(this.#pause);
    clearTimeout(this.#quiet);
    if (!this.#isSeen) this.#pause = setTimeout(() => this.#tell(true), PAUSE);
    this.#quiet = setTimeout(() => this.#tell(false), QUIET);
  }

  #tell(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#onChange();
  }
}

function withFoldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withFoldersAbove(above)];
}

/** File systems that ignore case, or the form of accents, report names as they were once written. */
function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
