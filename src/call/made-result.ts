import { deepFreeze } from '../shared/deep-freeze.ts';
import type { CallToolResult } from './call-tool-result.ts';

// A hidden brand, because a business object may well have a `content` array of its own.
const BRAND = Symbol.for('toolwright:result');
const MADE = Object.freeze({ value: true });

/** Marks a result as made by a helper, so that it reaches the client as it is. */
export function brandResult(result: CallToolResult): CallToolResult {
  return deepFreeze(Object.defineProperty(result, BRAND, MADE));
}

/** A made result of one text, as most are: what it is made of is known, so that nothing has to be looked through. */
export function textResult(text: string): CallToolResult {
  const content = Object.freeze([Object.freeze({ type: 'text', text })]);
  return Object.freeze(Object.defineProperty({ content }, BRAND, MADE));
}

/** True for results of the helpers, of every installed copy of the package. */
export function isMadeResult(value: unknown): value is CallToolResult {
  return typeof value === 'object' && value !== null && BRAND in value;
}
