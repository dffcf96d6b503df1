import { realpath } from 'node:fs/promises';
import type { WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { ExpiringMap } from '../expiring-map.ts';
import { SharedLoad } from '../shared-load.ts';
import type { FileStorageSettings } from './file-storage-options.ts';
import { scanDirectory, type DirectoryScan, type FileIndex } from './scan-directory.ts';

/** With the documents where the index was made just now; they are not kept, and belong to several callers. */
export interface IndexReading {
  readonly index: FileIndex;
  readonly documents?: readonly WorkflowDocument[];
}

const ONLY = 'index';

/** Knows which workflow is in which file of a directory, and looks again after a while. */
export class DirectoryIndex {
  readonly #settings: FileStorageSettings;
  readonly #fresh: ExpiringMap<FileIndex>;
  readonly #scanning = new SharedLoad<DirectoryScan>();
  #latest: FileIndex | undefined;

  constructor(settings: FileStorageSettings) {
    this.#settings = settings;
    this.#fresh = new ExpiringMap({ clock: settings.clock, maximum: 1 });
  }

  /** Of now, as far as its time to live goes. Callers at the same time share one scan. */
  async current(): Promise<IndexReading> {
    const index = this.#fresh.get(ONLY);
    return index === undefined ? this.#scanning.run((isCurrent) => this.#scan(isCurrent)) : { index };
  }

  /** However old it is. */
  async latest(): Promise<IndexReading> {
    return this.#latest === undefined ? this.current() : { index: this.#latest };
  }

  forget(): void {
    this.#fresh.clear();
    this.#latest = undefined;
    this.#scanning.abandon();
  }

  async #scan(isCurrent: () => boolean): Promise<DirectoryScan> {
    const scan = await scanDirectory(await realpath(this.#settings.directory), this.#settings);
    if (isCurrent()) {
      this.#latest = scan.index;
      this.#fresh.set(ONLY, scan.index, this.#settings.indexTtlMs);
    }
    return scan;
  }
}
