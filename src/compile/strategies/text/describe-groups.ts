import type { GroupFacts } from '../action-facts.ts';
import { oneLine } from './one-line.ts';

/** One line for each group that has a description; empty when none has. */
export function describeGroups(groups: readonly GroupFacts[]): string {
  const lines = groups
    .map(({ path, description }) => ({ path, text: oneLine(description) }))
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => `- '${path}': ${text}`);
  return lines.length === 0 ? '' : ['Groups:', ...lines].join('\n');
}
