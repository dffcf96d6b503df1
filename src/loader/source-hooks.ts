import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isInPackages, SourceFinder } from './find-source.ts';
import { shownPath, withHelpers, withoutFrames, type Transform } from './transform.ts';

/** What the hooks report of the files that a process loads. */
export type LoaderEvent =
  | { readonly kind: 'loads'; readonly file: string }
  | { readonly kind: 'imports'; readonly importer: string | undefined; readonly file: string }
  /** It may exist after the next save. */
  | { readonly kind: 'misses'; readonly importer: string };

export interface ResolvedModule {
  readonly url: string;
  readonly format?: string | null | undefined;
  readonly shortCircuit?: boolean;
}

export interface LoadedModule {
  readonly format: 'module';
  readonly source: string;
  readonly shortCircuit: true;
}

/** What both kinds of hooks of Node need. */
export interface HookParts {
  readonly transform: Transform;
  /** The URL of the functions that decorated code calls. */
  readonly helpers: string;
  /** Left out where nobody wants to know. */
  readonly report?: ((event: LoaderEvent) => void) | undefined;
}

const VERSION = 'tw';
const NOT_FOUND = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT', 'MODULE_NOT_FOUND']);

/** Decides which file an import means, and makes JavaScript of TypeScript. */
export class SourceHooks {
  /** How often each file was replaced; a file that never was keeps its URL, and its classes their identity. */
  versions: ReadonlyMap<string, number> = new Map();
  readonly #parts: HookParts;
  readonly #finder = new SourceFinder();
  /** The files of the package itself, which in its own repository are outside of node_modules. */
  readonly #own: string;

  constructor(parts: HookParts) {
    this.#parts = parts;
    this.#own = new URL('..', parts.helpers).href;
  }

  /** What is imported instead of what Node did not find. */
  rescue(error: unknown, specifier: string, parent: string | undefined): ResolvedModule {
    if (!NOT_FOUND.has(String((error as { readonly code?: unknown } | null)?.code))) throw error;
    const url = this.#finder.find(specifier, parent);
    if (url !== undefined) return { url, shortCircuit: true };
    if (parent !== undefined && this.#isWatched(parent)) {
      this.#parts.report?.({ kind: 'misses', importer: fileURLToPath(parent) });
    }
    throw error;
  }

  /** Gives a replaced file the URL of its version. */
  resolved(module: ResolvedModule, parent: string | undefined): ResolvedModule {
    if (!this.#isWatched(module.url)) return module;
    const file = fileURLToPath(module.url);
    const importer = parent !== undefined && this.#isWatched(parent) ? fileURLToPath(parent) : undefined;
    this.#parts.report?.({ kind: 'imports', importer, file });
    const version = this.versions.get(file);
    if (version === undefined) return module;
    const url = new URL(module.url);
    url.searchParams.set(VERSION, String(version));
    return { ...module, url: url.href };
  }

  /** The JavaScript of a TypeScript file; undefined for everything else. */
  load(url: string): LoadedModule | undefined {
    if (!url.startsWith('file:')) return undefined;
    const file = fileURLToPath(url);
    if (this.#isWatched(url)) this.#parts.report?.({ kind: 'loads', file });
    if (!/\.[cm]?ts$/.test(file)) return undefined;
    refuseFile(file);
    const transformed = this.#parts.transform(file, readFileSync(file, 'utf8'));
    // The text of the source would be kept for each version of the file.
    const map = JSON.stringify({ ...transformed.map, sourcesContent: undefined });
    const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
    const source = `${nameOf(url)}${withHelpers(transformed, this.#parts.helpers)}\n${comment}\n`;
    return { format: 'module', source, shortCircuit: true };
  }

  #isWatched(url: string): boolean {
    return url.startsWith('file:') && !isInPackages(url) && !url.startsWith(this.#own);
  }
}

/** Files compare their own URL with that of the program; that of a version is for Node alone. On the first line, so that
 * all lines stay where they were. */
function nameOf(url: string): string {
  const plain = new URL(url);
  if (!plain.searchParams.has(VERSION)) return '';
  plain.searchParams.delete(VERSION);
  return `import.meta.url = ${JSON.stringify(plain.href)}; `;
}

/** @throws ToolwrightError TW_LOADER_REFUSED for TypeScript that is not compiled. */
export function refuseFile(file: string): void {
  const where = shownPath(file);
  if (file.endsWith('.cts')) {
    throw refusal(
      where,
      '.cts is TypeScript for CommonJS, and the loader writes ES modules only.',
      `rename it to ${where.replace(/\.cts$/, '.ts')}, and write import in place of require()`,
    );
  }
  if (isInPackages(file)) {
    throw refusal(
      where,
      'it is TypeScript inside of node_modules, and what is installed is never compiled.',
      'move it into your project, or install a package that has JavaScript in it',
    );
  }
}

function refusal(where: string, why: string, fix: string): ToolwrightError {
  return withoutFrames(new ToolwrightError('TW_LOADER_REFUSED', { where, what: 'is not loaded.', why, fix }));
}
