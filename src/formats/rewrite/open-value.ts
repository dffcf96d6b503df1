import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Draft } from './draft.ts';
import type { Rewriting } from './rewriting.ts';
import { rowOf } from './rows.ts';
import { listedValues, typesOf } from './types.ts';

const ANY = 'JSON text is expected.';
const OBJECT = 'JSON text of an object is expected.';

/** What stands for a value of any kind where every value has to have a type: a text that holds JSON. */
export function openValue(rewriter: Rewriting, path: string): PlainObject {
  reportOpen(rewriter, path);
  const emitted = { type: 'string', description: ANY };
  rewriter.notes.set(emitted, { openTypes: [] });
  return emitted;
}

function reportOpen({ losses }: Rewriting, path: string): void {
  const outcome = 'a value of any kind became a text that holds JSON.';
  losses.report({ feature: 'open-value', path, action: 'transformed', outcome });
}

/** Writes a node as a text that holds JSON. */
export function writeOpenValue(draft: Draft): void {
  const types = typesOf(draft.node);
  reportOpen(draft.rewriter, draft.path);
  draft.note = { openTypes: types };
  draft.hint = types.includes('object') ? OBJECT : ANY;
  draft.put('type', types.includes('null') ? ['string', 'null'] : 'string');
  for (const [keyword, value] of Object.entries(draft.node)) writeBeside(draft, keyword, value);
}

/** What is said about the value would be said about the text: it goes into the description. */
function writeBeside(draft: Draft, keyword: string, value: unknown): void {
  const rule = draft.rewriter.target.rules[rowOf(keyword, value, false)];
  if (keyword === 'type' || keyword === 'properties' || keyword === 'description') return;
  if (keyword === 'title' || keyword === 'nullable') draft.put(keyword, value);
  else if (keyword === 'additionalProperties') describeMembers(draft, value);
  else if (rule.letter.startsWith('X')) draft.drop(keyword);
  else if (!keyword.startsWith('$')) draft.describe(keyword, value);
}

function describeMembers(draft: Draft, value: unknown): void {
  if (isPlainObject(value) && Object.keys(value).length > 0)
    draft.describe('additionalProperties', value, true);
}

/** True for a node that says nothing about the type of its value. */
export function isUntyped(draft: Draft): boolean {
  const { node, position, rewriter } = draft;
  if (position.isTyped || position.isRoot || typesOf(node).length > 0 || listedValues(node) !== undefined)
    return false;
  const telling = ['$ref', '$dynamicRef', 'anyOf', 'oneOf'];
  // In the description it says nothing; where it cannot be described it is kept, or an error
  if (!rewriter.target.rules.allOf.letter.endsWith('D')) telling.push('allOf');
  return !telling.some((keyword) => Object.hasOwn(node, keyword));
}

/** True for an object whose members nobody names. */
export function isOpenObject({ node, position }: Draft): boolean {
  const types = typesOf(node).filter((type) => type !== 'null');
  if (position.isRoot || !types.includes('object') || listedValues(node) !== undefined) return false;
  const { properties, additionalProperties, unevaluatedProperties } = node;
  const hasNames = isPlainObject(properties) && Object.keys(properties).length > 0;
  if (hasNames || ['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => Object.hasOwn(node, keyword)))
    return false;
  return additionalProperties !== false && unevaluatedProperties !== false;
}
