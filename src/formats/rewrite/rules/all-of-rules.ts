import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { Draft } from '../draft.ts';
import { resolved } from '../inline-reference.ts';
import { joinObjects } from '../join-objects.ts';
import type { Rule } from '../rule.ts';
import { writeKept } from './basic-rules.ts';

/** t: objects are merged; D: what cannot be merged goes into the description. */
export const mergeOrDescribe: Rule = {
  letter: 't / D',
  shape: mergeAllOf,
  write: (draft, keyword, value) => draft.describe(keyword, value),
};

/** t: objects are merged; E: there is no other way. */
export const mergeOrFail: Rule = {
  letter: 't / E',
  shape: mergeAllOf,
  write: (draft, keyword) => {
    const { conversion, target } = draft.rewriter;
    const what = `${target.name} has no allOf, and this one is more than properties to merge.`;
    conversion.fail('UNMERGEABLE_ALL_OF', draft.placeOf(keyword), what);
  },
};

/** K, but without references inside. */
export const keepInlined: Rule = {
  letter: 'K (refs in it inlined)',
  shape: (node, draft) => {
    const { allOf } = node;
    if (!Array.isArray(allOf)) return node;
    const { source } = draft.rewriter;
    const parts = source.partsOf(node);
    const branches = allOf.map((branch: unknown) =>
      isPlainObject(branch) ? resolved(branch, draft) : branch,
    );
    return source.derive(
      source.pathOf(node),
      parts.map((part) => (part.keyword === 'allOf' ? { ...part, value: branches } : part)),
    );
  },
  write: writeKept,
};

function mergeAllOf(node: PlainObject, draft: Draft): PlainObject {
  if (!Array.isArray(node.allOf)) return node;
  const { source } = draft.rewriter;
  const branches = node.allOf
    .filter((branch) => branch !== true)
    .map((branch: unknown) => (isPlainObject(branch) ? resolved(branch, draft) : undefined));
  const parts = source.partsOf(node);
  const base = source.derive(
    source.pathOf(node),
    parts.filter(({ keyword }) => keyword !== 'allOf'),
  );
  // A branch that is `false` cannot be merged with anything
  if (branches.includes(undefined)) return node;
  return joinObjects(base, branches.filter(isPlainObject), draft) ?? node;
}
