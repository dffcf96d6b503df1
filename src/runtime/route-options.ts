import type { Logger } from '../call/logger.ts';
import type { VersionConstraints } from '../call/action-options.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';

/** So many values are checked in a quarter of a second, whatever is wrong with them. */
export const MOST_ARGUMENT_NODES = 100_000;

/** What an application or registry decides for all its calls. */
export interface RouteOptions {
  /** Replaces the text of errors that were not declared for clients by a reference id. */
  readonly maskErrors: boolean;
  /** Gets the whole of every error that a handler threw. */
  readonly logger: Logger;
  /** Values that the arguments of a call may consist of. */
  readonly argumentNodes: number;
}

/** What one call of a registry decides for itself. */
export interface CallOptions {
  /** Hides tools and actions from this call, in addition to the filter of the registry. Default: none. */
  readonly filter?: ToolFilter;
  /** Which versions of actions it takes. Default: those that are listed. */
  readonly version?: VersionConstraints;
}
