import type { Logger } from '../call/logger.ts';
import type { VersionConstraints } from '../call/version-meta.ts';
import type { ToolFilter } from '../compile/tool-filter.ts';

/** What an application or registry decides for all its calls. */
export interface RouteOptions {
  /** Replaces the text of errors that were not declared for clients by a reference id. */
  readonly maskErrors: boolean;
  /** Gets the whole of every error that a handler threw; undefined logs nothing. */
  readonly logger: Logger | undefined;
}

/** What one call of a registry decides for itself. */
export interface CallOptions {
  readonly filter?: ToolFilter;
  /** Which versions of actions it takes. Default: those that are listed. */
  readonly version?: VersionConstraints;
}
