import type { PlainObject } from '../../../shared/json.ts';
import { keep } from './basic-rules.ts';
import { declareRequired } from '../declare-required.ts';
import type { Draft } from '../draft.ts';
import { isOpenObject, isUntyped, writeOpenValue } from '../open-value.ts';
import type { Rule } from '../rule.ts';
import { listedValues, typeOfKeyword, typesOf, typesOfValues } from '../types.ts';

/** K: a schema may say nothing about its value. */
export const keepOpen: Rule = keep;

/** T: what has no type, or no named members, becomes a text that holds JSON. */
export const openAsText: Rule = {
  letter: 'T',
  shape: giveType,
  replace: (draft) => replaceIf(draft, isUntyped(draft) || isOpenObject(draft)),
  finish: declareRequired,
};

/** Objects stay open. */
export const openButObjects: Rule = {
  ...openAsText,
  letter: 'T (objects K)',
  replace: (draft) => replaceIf(draft, isUntyped(draft)),
};

function replaceIf(draft: Draft, isOpen: boolean): boolean {
  if (isOpen) writeOpenValue(draft);
  return isOpen;
}

/** The type that the listed values have, or that the keywords are about. */
function giveType(node: PlainObject, draft: Draft): PlainObject {
  const values = listedValues(node);
  if (typesOf(node).length > 0) return node;
  if (values !== undefined) return withType(node, typesOfValues(values), draft);
  if (!isUntyped(draft)) return node;
  const implied = new Set(
    Object.entries(node).flatMap(([keyword, value]) => typeOfKeyword(keyword, value) ?? []),
  );
  if (implied.size === 0) return node;
  const types = [...implied].sort();
  const { source } = draft.rewriter;
  const outcome = `the type is taken to be ${types.join(' or ')}, which the keywords are about.`;
  draft.lose('type', 'transformed', outcome, source.pathOf(node));
  return withType(node, types, draft);
}

function withType(node: PlainObject, types: readonly string[], { rewriter: { source } }: Draft): PlainObject {
  const path = source.pathOf(node);
  const value = types.length === 1 ? types[0] : types;
  return source.derive(path, [{ keyword: 'type', value, place: path }, ...source.partsOf(node)]);
}
