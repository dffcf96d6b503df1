import type { StorageDiagnostic } from '../../application/ports/workflow-storage.ts';
import {
  summaryOf,
  type WorkflowDocument,
  type WorkflowSummary,
} from '../../domain/document/workflow-document.ts';
import { listJsonFiles } from './list-json-files.ts';
import { mapInParallel } from './map-in-parallel.ts';
import { readDocument, type DocumentReading } from './read-document.ts';

/** Which workflow is in which file. */
export interface FileIndex {
  /** Of all files, also of those that are left out. */
  readonly fileCount: number;
  readonly entries: ReadonlyMap<string, IndexedFile>;
  /** Ids of files that lead out of the directory. */
  readonly outside: ReadonlySet<string>;
  readonly diagnostics: readonly StorageDiagnostic[];
}

export interface IndexedFile {
  readonly path: string;
  readonly summary: WorkflowSummary;
}

export interface DirectoryScan {
  readonly index: FileIndex;
  readonly documents: readonly WorkflowDocument[];
}

export interface ScanLimits {
  readonly recursive: boolean;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
}

/** Node has four threads for files; a few more requests keep them busy. */
export const READ_LANES = 16;

/** Reads every workflow below a root, a real path. Rejects as the system does when it cannot be read at all. */
export async function scanDirectory(root: string, limits: ScanLimits): Promise<DirectoryScan> {
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

/** A problem with several ids is told for each of them. */
export function describeProblem({
  path,
  problem: { code, ids, message },
}: DocumentReading & { ok: false }): readonly StorageDiagnostic[] {
  if (ids.length === 0) return [{ code, source: path, message }];
  return [...new Set(ids)].map((id) => ({ code, source: path, id, message }));
}
