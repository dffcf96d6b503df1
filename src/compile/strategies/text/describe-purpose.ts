import type { ToolFacts } from '../action-facts.ts';
import { joinSentences } from './join-sentences.ts';
import { oneLine } from './one-line.ts';

/** What a tool is for, or its name; and that nothing of it should be called any more, where that is so. */
export function describePurpose({ name, description, actions }: ToolFacts): string {
  const isOver = actions.length > 0 && actions.every(({ deprecated }) => deprecated !== undefined);
  return joinSentences(oneLine(description) || name, isOver ? 'All actions are deprecated' : '');
}
