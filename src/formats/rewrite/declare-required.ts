import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Draft } from './draft.ts';
import { openValue } from './open-value.ts';
import { typesOf } from './types.ts';

/** A provider refuses to require what is not declared; for JSON Schema such a property may hold anything. */
export function declareRequired(draft: Draft): void {
  const required = draft.out.get('required');
  const isAlternative = draft.position.isTyped && typesOf(draft.node).length === 0;
  if (!Array.isArray(required) || isAlternative) return;
  const declared = draft.out.get('properties');
  const properties: PlainObject = isPlainObject(declared) ? declared : {};
  const missing = required.map(String).filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return;
  const added = missing.map((name) => [name, openValue(draft.rewriter, draft.path)] as const);
  draft.put('properties', Object.fromEntries([...Object.entries(properties), ...added]));
}
