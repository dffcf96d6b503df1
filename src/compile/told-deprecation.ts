import type { Deprecation } from '../call/deprecation.ts';
import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import { flatName } from './strategies/tool-names.ts';

/** What callers are told, who know actions by their keys or, with flat exposition, as tools. */
export function toldDeprecation(
  { expose, prefix, separator }: ScannedTool,
  { deprecated }: ScannedAction,
): Deprecation | undefined {
  if (deprecated?.use === undefined || expose !== 'flat') return deprecated;
  return Object.freeze({ ...deprecated, use: flatName(prefix, deprecated.use, separator) });
}
