import type { Deprecation } from '../../../call/deprecation.ts';
import { joinSentences } from './join-sentences.ts';

/** The text with one short sentence behind it; the very text for what is not deprecated. */
export function withDeprecation(text: string, deprecated: Deprecation | undefined): string {
  if (deprecated === undefined) return text;
  const { since, use, until } = deprecated;
  const end = until === undefined ? '' : `, gone in ${until}`;
  return joinSentences(text, `Deprecated since ${since}${end}${use === undefined ? '' : `; use ${use}`}`);
}
