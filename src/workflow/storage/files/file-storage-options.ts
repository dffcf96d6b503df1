import { resolveAliases } from '../../../shared/option-aliases.ts';
import {
  aFunction,
  countOrInfinity,
  filledText,
  required,
  trueOrFalse,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import type { Clock } from '../../application/ports/environment.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';

export interface FileWorkflowStorageOptions {
  readonly directory: string;
  /** Whether folders within count too; default false. Links to folders are never followed. */
  readonly recursive?: boolean;
  /** The largest file that is read, in bytes; default 1,000,000. */
  readonly maxFileBytes?: number;
  /** How many files are read, the first by path; default 5,000. */
  readonly maxFiles?: number;
  /** How long it counts which files there are, in milliseconds; default 30,000. */
  readonly indexTtl?: number;
  /** Another name of `indexTtl`. */
  readonly indexTtlMs?: number;
  /** How long the content of a file counts, in milliseconds; default 5,000. */
  readonly cacheTtl?: number;
  /** Another name of `cacheTtl`. */
  readonly cacheTtlMs?: number;
  /** How many files are kept in memory; default 200. */
  readonly cacheSize?: number;
  /** Whether workflows can be saved; default false. */
  readonly writable?: boolean;
  readonly clock?: Clock;
}

export type FileStorageSettings = Required<Omit<FileWorkflowStorageOptions, 'indexTtlMs' | 'cacheTtlMs'>>;

export const FILE_RULES: OptionRules<FileWorkflowStorageOptions> = {
  directory: required(filledText),
  recursive: trueOrFalse,
  maxFileBytes: countOrInfinity,
  maxFiles: countOrInfinity,
  indexTtl: countOrInfinity,
  indexTtlMs: countOrInfinity,
  cacheTtl: countOrInfinity,
  cacheTtlMs: countOrInfinity,
  cacheSize: countOrInfinity,
  writable: trueOrFalse,
  clock: aFunction,
};

const ALIASES = { indexTtlMs: 'indexTtl', cacheTtlMs: 'cacheTtl' } as const;

/** @throws WorkflowError `TW_WORKFLOW_OPTION` */
export function fileStorageSettings(options: FileWorkflowStorageOptions): FileStorageSettings {
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
    ...withoutUndefined(resolveAliases(options, ALIASES)),
  };
}

function withoutUndefined(options: FileWorkflowStorageOptions): FileWorkflowStorageOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as Partial<FileStorageSettings>), directory: options.directory };
}
