import type { VersionConstraints } from '../../call/action-options.ts';
import type { ToolFilter } from '../../compile/tools/tool-filter.ts';
import type { CallLogging } from '../logging/log-records.ts';

/** What an application or registry decides for all its calls. */
export interface RouteOptions extends CallLogging {
  readonly hidden: readonly string[];
  /** Replaces the text of errors that were not declared for clients by a reference id. */
  readonly maskErrors: boolean;
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
