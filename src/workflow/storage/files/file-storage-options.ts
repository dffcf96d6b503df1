import type { Clock } from '../../application/ports/clock.ts';
import { checkLimit } from '../check-limit.ts';

export interface FileWorkflowStorageOptions {
  readonly directory: string;
  /** Whether folders within count too; default false. Links to folders are never followed. */
  readonly recursive?: boolean;
  /** The largest file that is read, in bytes; default 1,000,000. */
  readonly maxFileBytes?: number;
  /** How many files are read, the first by path; default 5,000. */
  readonly maxFiles?: number;
  /** How long it counts which files there are, in milliseconds; default 30,000. */
  readonly indexTtlMs?: number;
  /** How long the content of a file counts, in milliseconds; default 5,000. */
  readonly cacheTtlMs?: number;
  /** How many files are kept in memory; default 200. */
  readonly cacheSize?: number;
  /** Whether workflows can be saved; default false. */
  readonly writable?: boolean;
  readonly clock?: Clock;
}

export type FileStorageSettings = Required<FileWorkflowStorageOptions>;

const LIMITS = ['maxFileBytes', 'maxFiles', 'indexTtlMs', 'cacheTtlMs', 'cacheSize'] as const;

/** @throws WorkflowError `TW_WORKFLOW_OPTION` for a number that is none to count up to */
export function fileStorageSettings(options: FileWorkflowStorageOptions): FileStorageSettings {
  const settings = {
    recursive: false,
    maxFileBytes: 1_000_000,
    maxFiles: 5000,
    indexTtlMs: 30_000,
    cacheTtlMs: 5000,
    cacheSize: 200,
    writable: false,
    clock: Date.now,
    ...withoutUndefined(options),
  };
  for (const option of LIMITS) checkLimit('FileWorkflowStorage', option, settings[option]);
  return settings;
}

function withoutUndefined(options: FileWorkflowStorageOptions): FileWorkflowStorageOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as Partial<FileStorageSettings>), directory: options.directory };
}
