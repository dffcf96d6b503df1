import { watch, type FSWatcher } from 'node:fs';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from 'toolwright';
import { PageFolder } from '../folder/page-folder.ts';
import { PageIndex } from './page-index.ts';

/** Lets the index look again when anybody changes the folder. */
@Injectable()
export class FolderWatch implements OnApplicationBootstrap, OnModuleDestroy {
  #watcher: FSWatcher | undefined;

  constructor(
    private readonly folder: PageFolder,
    private readonly index: PageIndex,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // An event says that something happened; what it was, the index finds out by itself.
    this.#watcher = watch(this.folder.root, { recursive: true, persistent: false }, () => {
      this.index.refresh().catch((error: unknown) => this.#report(error));
    }).on('error', (error) => this.#report(error));
  }

  onModuleDestroy(): void {
    this.#watcher?.close();
  }

  #report(error: unknown): void {
    this.logger.log({
      level: 'warning',
      event: 'folder:watch',
      message: 'The folder cannot be watched',
      error,
    });
  }
}
