import { resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asLoaderError, registerHooks, type RegisteredHooks } from './register-hooks.ts';
import { refuseFile, type LoaderEvent } from './source-hooks.ts';

/** Loads the files of a user, TypeScript and JavaScript, and replaces them while the process runs. */
export class SourceLoader {
  readonly #hooks: RegisteredHooks;
  readonly #graph: ModuleGraph;
  #versions: ReadonlyMap<string, number> = new Map();
  #last = 0;

  /** Use {@link openLoader}: the hooks belong to the process. */
  constructor(hooks: RegisteredHooks, graph: ModuleGraph) {
    this.#hooks = hooks;
    this.#graph = graph;
  }

  /**
   * Imports a file, and what it imports.
   * @throws ToolwrightError TW_LOADER_SYNTAX, TW_LOADER_REFUSED, TW_LOADER_EXPORT, TW_LOADER_TSCONFIG, and what the file itself throws.
   */
  async import(file: string): Promise<Readonly<Record<string, unknown>>> {
    const path = resolvePath(file);
    if (/\.[cm]?ts$/.test(path)) refuseFile(path);
    try {
      return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
    } catch (error) {
      throw asLoaderError(error);
    }
  }

  /** The files that were loaded, or would be if they were there to be read; without installed packages. */
  async files(): Promise<ReadonlySet<string>> {
    await this.#hooks.settle();
    return this.#graph.files;
  }

  /** Files of which an import was not found; the next save may bring it. */
  async incomplete(): Promise<ReadonlySet<string>> {
    await this.#hooks.settle();
    return this.#graph.incomplete;
  }

  /**
   * Has the next import of these files read them again, and with them all files that import one of them. All others
   * keep the identity of their classes.
   */
  async refresh(changed: Iterable<string>): Promise<Refresh> {
    await this.#hooks.settle();
    const before = this.#versions;
    const files = this.#graph.withImporters(changed);
    this.#last += 1;
    this.#versions = new Map([...before, ...[...files].map((file) => [file, this.#last] as const)]);
    await this.#hooks.setVersions(this.#versions);
    return {
      files,
      undo: async () => {
        this.#versions = before;
        await this.#hooks.setVersions(before);
      },
    };
  }
}

/** Files that are about to be replaced. */
export interface Refresh {
  readonly files: ReadonlySet<string>;
  /** The files from before are what is imported again; for a file that cannot be loaded. */
  undo(): Promise<void>;
}

/** Which file imports which. */
export class ModuleGraph {
  readonly files = new Set<string>();
  readonly incomplete = new Set<string>();
  readonly #importers = new Map<string, Set<string>>();

  record(event: LoaderEvent): void {
    if (event.kind === 'misses') this.incomplete.add(event.importer);
    else if (event.kind === 'loads') {
      this.files.add(event.file);
      this.incomplete.delete(event.file);
      // What it imports now is reported next.
      for (const importers of this.#importers.values()) importers.delete(event.file);
    } else if (event.importer !== undefined) {
      const importers = this.#importers.get(event.file) ?? new Set();
      this.#importers.set(event.file, importers.add(event.importer));
    }
  }

  /** The files, and all that import one of them, directly or not. */
  withImporters(files: Iterable<string>): ReadonlySet<string> {
    const found = new Set(files);
    for (const file of found) {
      for (const importer of this.#importers.get(file) ?? []) found.add(importer);
    }
    return found;
  }
}

let opened: Promise<SourceLoader> | undefined;

/** The loader of this process. */
export function openLoader(): Promise<SourceLoader> {
  return (opened ??= open());
}

async function open(): Promise<SourceLoader> {
  const graph = new ModuleGraph();
  return new SourceLoader(await registerHooks((event) => graph.record(event)), graph);
}

export { loadTransform, shownPath } from './transform.ts';
export { compilerOption } from './tsconfig-paths.ts';
