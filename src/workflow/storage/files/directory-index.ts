import { realpath, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type WorkflowDocument,
  summaryOf,
  type WorkflowSummary,
} from '../../domain/document/workflow-document.ts';
import { ExpiringMap, SharedLoad } from '../workflow-cache.ts';
import type { Clock } from '../../application/observe-call.ts';
import type { StorageDiagnostic } from '../../application/ports/workflow-storage.ts';
import { readDocument, type DocumentReading } from './document-file.ts';
import { systemCode } from '../stored-documents.ts';
import { compareText } from '../../../shared/canonical-json.ts';

/** Has the documents if the index is fresh. They are not cached, and several callers share them. */
interface IndexReading {
  readonly index: FileIndex;
  readonly documents?: readonly WorkflowDocument[];
}

const ONLY = 'index';

/** The index of the workflow files of a directory, rebuilt after its time to live. */
export class DirectoryIndex {
  readonly #settings: ScanSettings;
  readonly #fresh: ExpiringMap<FileIndex>;
  readonly #scanning = new SharedLoad<DirectoryScan>();
  #latest: FileIndex | undefined;

  constructor(settings: ScanSettings) {
    this.#settings = settings;
    this.#fresh = new ExpiringMap({ clock: settings.clock, maximum: 1 });
  }

  /** An index within its time to live. Concurrent callers share one scan. */
  async current(): Promise<IndexReading> {
    const index = this.#fresh.get(ONLY);
    return index === undefined ? this.#scanning.run((isCurrent) => this.#scan(isCurrent)) : { index };
  }

  /** The latest index, of any age. */
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
      this.#fresh.set(ONLY, scan.index, this.#settings.indexTtl);
    }
    return scan;
  }
}

/** Which workflow is in which file. */
export interface FileIndex {
  /** The number of all files, including skipped ones. */
  readonly fileCount: number;
  readonly entries: ReadonlyMap<string, IndexedFile>;
  /** Ids of files that link outside of the directory. */
  readonly outside: ReadonlySet<string>;
  readonly diagnostics: readonly StorageDiagnostic[];
}

export interface IndexedFile {
  readonly path: string;
  readonly summary: WorkflowSummary;
}

interface DirectoryScan {
  readonly index: FileIndex;
  readonly documents: readonly WorkflowDocument[];
}

interface ScanSettings extends ScanLimits {
  readonly directory: string;
  readonly indexTtl: number;
  readonly clock: Clock;
}

interface ScanLimits {
  readonly recursive: boolean;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
}

/** Node has four threads for files; a few more requests keep them busy. */
export const READ_LANES = 16;

/** Reads every workflow below a root, a real path. Rejects as the system does when it cannot be read at all. */
async function scanDirectory(root: string, limits: ScanLimits): Promise<DirectoryScan> {
  const { paths, fileCount, diagnostics } = await listJsonFiles(root, limits);
  const readings = await mapInParallel(paths, READ_LANES, (path) =>
    readDocument(root, path, limits.maxFileBytes),
  );
  const found = new Map<string, { readonly path: string; readonly document: WorkflowDocument }>();
  const outside = new Set<string>();
  const leftOut = [...diagnostics];
  for (const reading of readings) {
    if (reading.ok) {
      const earlier = found.get(reading.document.id);
      if (earlier !== undefined) leftOut.push(describeDuplicate(earlier.path, reading));
      found.set(reading.document.id, reading);
    } else {
      for (const id of reading.problem.ids) outside.add(id);
      leftOut.push(...describeProblem(reading));
    }
  }
  const entries = new Map(
    [...found].map(([id, { path, document }]) => [id, { path, summary: summaryOf(document) }]),
  );
  const documents = [...found.values()].map(({ document }) => document);
  return { index: { fileCount, entries, outside, diagnostics: leftOut }, documents };
}

function describeDuplicate(path: string, winner: DocumentReading & { ok: true }): StorageDiagnostic {
  const { id } = winner.document;
  const message = `The workflow "${id}" is taken from ${winner.path}, which comes later.`;
  return { code: 'DUPLICATE_ID', source: path, id, message };
}

/** A problem of several ids is reported for each of them. */
export function describeProblem({
  path,
  problem: { code, ids, message },
}: DocumentReading & { ok: false }): readonly StorageDiagnostic[] {
  if (ids.length === 0) return [{ code, source: path, message }];
  return [...new Set(ids)].map((id) => ({ code, source: path, id, message }));
}

interface JsonFileList {
  /** Relative to the root, with `/`, in the order of code units. */
  readonly paths: readonly string[];
  /** Includes files beyond the limit. */
  readonly fileCount: number;
  readonly diagnostics: readonly StorageDiagnostic[];
}

interface FolderContent {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The `*.json` files below a root. Rejects as the system does when the root itself cannot be read. */
async function listJsonFiles(
  root: string,
  { recursive, maxFiles }: { readonly recursive: boolean; readonly maxFiles: number },
): Promise<JsonFileList> {
  const { files, folders } = await readFolder(root, '');
  const paths = [...files];
  const diagnostics: StorageDiagnostic[] = [];
  const waiting = recursive ? [...folders] : [];
  // The list grows during the loop
  for (const folder of waiting) {
    try {
      const content = await readFolder(root, folder);
      paths.push(...content.files);
      waiting.push(...content.folders);
    } catch (error) {
      const message = `The folder cannot be read: ${systemCode(error)}.`;
      diagnostics.push({ code: 'UNREADABLE', source: folder, message });
    }
  }
  paths.sort(compareText);
  if (paths.length > maxFiles) {
    const message = `Only the first ${String(maxFiles)} of ${String(paths.length)} files are read.`;
    diagnostics.push({ code: 'TOO_MANY_FILES', source: paths[maxFiles] ?? '', message });
  }
  return { paths: paths.slice(0, maxFiles), fileCount: paths.length, diagnostics };
}

async function readFolder(root: string, folder: string): Promise<FolderContent> {
  const files: string[] = [];
  const folders: string[] = [];
  // Entry by entry: a folder may contain many other files
  for await (const entry of await opendir(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) folders.push(path);
    else if (entry.name.endsWith('.json')) files.push(path);
  }
  return { files, folders };
}

/** Results in the order of the items; at most `lanes` of them are worked on at a time. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const runLane = async (): Promise<void> => {
    // All lanes share one iterator
    for (const [position, item] of waiting) results[position] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, runLane));
  return results;
}
