import type { IconOptions } from '../metadata/options.ts';

/** How the server introduces itself (spec: basic/lifecycle, Initialization). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly icons?: readonly IconOptions[];
}
