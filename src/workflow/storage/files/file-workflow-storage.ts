import { withoutUndefined } from '../../../shared/json.ts';
import { realpath } from 'node:fs/promises';
import type { StorageDiagnostic, WorkflowStorage } from '../../application/ports/workflow-storage.ts';
import type { WorkflowDocument, WorkflowSummary } from '../../domain/document/workflow-document.ts';
import { ExpiringMap } from '../workflow-cache.ts';
import {
  invalidWorkflow,
  outsideFailure,
  storageFailure,
  systemCode,
  checkWorkflowId,
  sortById,
} from '../stored-documents.ts';
import {
  DirectoryIndex,
  mapInParallel,
  describeProblem,
  READ_LANES,
  type FileIndex,
  type IndexedFile,
} from './directory-index.ts';
import { readDocument, type DocumentReading, saveDocument } from './document-file.ts';
import type { WorkflowError } from '../../domain/errors/workflow-error.ts';
import {
  aFunction,
  countOrInfinity,
  filledText,
  required,
  trueOrFalse,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import type { Clock } from '../../application/observe-call.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';

/**
 * The `*.json` files of a directory, one workflow each. Files that are too large, no JSON or without id are left
 * out, with a diagnostic; of equal ids the one in the later path counts. Nothing outside of the directory is read,
 * whatever links lead there.
 *
 * @example
 * const storage = new FileWorkflowStorage({ directory: './workflows', recursive: true });
 * for (const { source, message } of await storage.diagnostics()) console.error(source, message);
 */
export class FileWorkflowStorage implements WorkflowStorage {
  /** Replaces the file that has the workflow, or makes `<id>.json`; absent unless `writable`. */
  readonly save?: (workflow: WorkflowDocument) => Promise<void>;
  readonly #settings: FileStorageSettings;
  readonly #index: DirectoryIndex;
  #documents: ExpiringMap<WorkflowDocument>;
  #changed: readonly StorageDiagnostic[] = [];
  #saving: Promise<unknown> = Promise.resolve();

  /**
   * @param options every read reports a missing directory, with `STORAGE_ERROR`
   * @throws WorkflowError `TW_WORKFLOW_OPTION`
   */
  constructor(options: FileWorkflowStorageOptions) {
    this.#settings = fileStorageSettings(options);
    this.#index = new DirectoryIndex(this.#settings);
    this.#documents = this.#noDocuments();
    if (this.#settings.writable) this.save = (workflow) => this.#saveInTurn(workflow);
  }

  async loadAll(): Promise<readonly WorkflowDocument[]> {
    return this.#guard('list', async () => {
      const { index, documents } = await this.#index.current();
      if (documents !== undefined) {
        this.#changed = [];
        return structuredClone(sortById(documents));
      }
      return sortById(await this.#readAgain(index));
    });
  }

  async getById(id: string): Promise<WorkflowDocument | null> {
    const known = checkWorkflowId(id);
    return this.#guard('read', async () => (await this.#find(known)) ?? this.#findAfterMove(known));
  }

  async listSummaries(): Promise<readonly WorkflowSummary[]> {
    return this.#guard('list', async () => {
      const { index } = await this.#index.current();
      return sortById([...index.entries.values()].map(({ summary }) => ({ ...summary })));
    });
  }

  async diagnostics(): Promise<readonly StorageDiagnostic[]> {
    return this.#guard('list', async () => {
      const { index } = await this.#index.latest();
      return structuredClone([...index.diagnostics, ...this.#changed]);
    });
  }

  async #find(id: string): Promise<WorkflowDocument | null> {
    const { index } = await this.#index.current();
    const file = index.entries.get(id);
    if (file !== undefined) return this.#read(id, file);
    if (index.outside.has(id)) throw outsideFailure('read');
    return null;
  }

  /** The file may have been renamed since the index was built; one new scan is enough. */
  async #findAfterMove(id: string): Promise<WorkflowDocument | null> {
    const { index } = await this.#index.latest();
    if (!index.entries.has(id)) return null;
    this.#forget();
    return this.#find(id);
  }

  /** Null for a file that is gone. */
  async #read(id: string, file: IndexedFile): Promise<WorkflowDocument | null> {
    const documents = this.#documents;
    const kept = documents.get(file.path);
    if (kept !== undefined) return structuredClone(kept);
    const reading = await this.#readFile(file);
    if (hasVanished(reading)) return null;
    const document = documentOf(id, reading);
    documents.set(file.path, document, this.#settings.cacheTtl);
    return structuredClone(document);
  }

  async #readFile({ path }: IndexedFile): Promise<DocumentReading> {
    return readDocument(await realpath(this.#settings.directory), path, this.#settings.maxFileBytes);
  }

  /** Skips files that no longer contain the indexed workflow. */
  async #readAgain(index: FileIndex): Promise<readonly WorkflowDocument[]> {
    const read = await mapInParallel([...index.entries], READ_LANES, async ([id, file]) => {
      const kept = this.#documents.get(file.path);
      if (kept !== undefined) return { found: [structuredClone(kept)], changed: [] };
      const reading = await this.#readFile(file);
      if (reading.ok && reading.document.id === id) return { found: [reading.document], changed: [] };
      return { found: [], changed: describeChange(id, reading) };
    });
    this.#changed = read.flatMap(({ changed }) => changed);
    return read.flatMap(({ found }) => found);
  }

  /** One after the other: each looks first at which files there are. */
  #saveInTurn(workflow: WorkflowDocument): Promise<void> {
    const saved = this.#saving.then(() => this.#guard('save', () => this.#save(workflow)));
    // The error has already reached its own caller
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #save(workflow: WorkflowDocument): Promise<void> {
    const id = checkWorkflowId(workflow.id);
    this.#forget();
    try {
      const { index } = await this.#index.current();
      const path = index.entries.get(id)?.path;
      if (path === undefined) this.#assertRoom(id, index);
      const root = await realpath(this.#settings.directory);
      await saveDocument(root, path, workflow, this.#settings.maxFileBytes);
    } finally {
      this.#forget();
    }
  }

  /** Refuses a new file that a link would hide, or that exceeds the maximum number of files. */
  #assertRoom(id: string, { outside, fileCount }: FileIndex): void {
    if (outside.has(id)) throw outsideFailure('save');
    if (fileCount < this.#settings.maxFiles) return;
    throw Object.assign(new Error('There are too many files.'), { code: 'TOO_MANY_FILES' });
  }

  #forget(): void {
    this.#index.forget();
    // Another one, as a reading that is under way still fills the old one
    this.#documents = this.#noDocuments();
  }

  #noDocuments(): ExpiringMap<WorkflowDocument> {
    return new ExpiringMap({ clock: this.#settings.clock, maximum: this.#settings.cacheSize });
  }

  async #guard<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw storageFailure(operation, error);
    }
  }
}

function describeChange(id: string, reading: DocumentReading): readonly StorageDiagnostic[] {
  if (!reading.ok) return describeProblem(reading);
  const message = `The file holds "${reading.document.id}" now, and no longer "${id}".`;
  return [{ code: 'INVALID_WORKFLOW', source: reading.path, id, message }];
}

function hasVanished(reading: DocumentReading): boolean {
  return (
    !reading.ok && reading.problem.code === 'UNREADABLE' && systemCode(reading.problem.cause) === 'ENOENT'
  );
}

/**
 * The workflow that a file should hold, by its index.
 * @throws WorkflowError for a file that has changed and does not hold it any more
 */
function documentOf(id: string, reading: DocumentReading): WorkflowDocument {
  if (reading.ok) {
    if (reading.document.id === id) return reading.document;
    throw invalid(id, `The file holds the workflow "${reading.document.id}" now.`);
  }
  const { code, message, cause } = reading.problem;
  if (code === 'SECURITY_ERROR') throw outsideFailure('read');
  if (code === 'UNREADABLE') throw storageFailure('read', cause);
  throw invalid(id, message);
}

function invalid(workflowId: string, reason: string): WorkflowError {
  const message = `The workflow "${workflowId}" cannot be read: ${reason}`;
  const suggestions = ['repair the file of the workflow'];
  return invalidWorkflow(workflowId, { message, details: { details: reason }, suggestions });
}

/** Options of `new FileWorkflowStorage()`. */
export interface FileWorkflowStorageOptions {
  /** The path of the directory. */
  readonly directory: string;
  /** Whether folders within count too; default false. Links to folders are never followed. */
  readonly recursive?: boolean;
  /** The largest file that is read, in bytes; default 1,000,000. */
  readonly maxFileBytes?: number;
  /** How many files are read, the first by path; default 5,000. */
  readonly maxFiles?: number;
  /** How long the list of files is cached, in milliseconds; default 30,000. */
  readonly indexTtl?: number;
  /** How long the content of a file is cached, in milliseconds; default 5,000. */
  readonly cacheTtl?: number;
  /** How many files are kept in memory; default 200. */
  readonly cacheSize?: number;
  /** Whether workflows can be saved; default false. */
  readonly writable?: boolean;
  /** The clock for the cached listing. Default: `Date.now`. */
  readonly clock?: Clock;
}

type FileStorageSettings = Required<FileWorkflowStorageOptions>;

export const FILE_RULES: OptionRules<FileWorkflowStorageOptions> = {
  directory: required(filledText),
  recursive: trueOrFalse,
  maxFileBytes: countOrInfinity,
  maxFiles: countOrInfinity,
  indexTtl: countOrInfinity,
  cacheTtl: countOrInfinity,
  cacheSize: countOrInfinity,
  writable: trueOrFalse,
  clock: aFunction,
};

/** @throws WorkflowError `TW_WORKFLOW_OPTION` */
function fileStorageSettings(options: FileWorkflowStorageOptions): FileStorageSettings {
  refuseWorkflowOptions('new FileWorkflowStorage()', options, FILE_RULES);
  return {
    recursive: false,
    maxFileBytes: 1_000_000,
    maxFiles: 5000,
    indexTtl: 30_000,
    cacheTtl: 5000,
    cacheSize: 200,
    writable: false,
    clock: Date.now,
    ...withoutUndefined(options),
  };
}
