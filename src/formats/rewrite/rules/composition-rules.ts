import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { pathOfChild, type Draft } from '../draft.ts';
import { joinObjects, resolved } from '../inline-reference.ts';
import { distribute } from './object-rules.ts';
import { positionBelow, writeKept, type Rule } from './rule.ts';

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

/** K, without the alternatives that nothing fits where no schema can say so. */
export const keepAnyOf: Rule = {
  letter: 'K',
  write: (draft, keyword, value) => draft.put(keyword, alternatives(draft, keyword, value)),
};

/** K; a closed object that has alternatives is moved into each of them. */
export const keepDistributed: Rule = { ...keepAnyOf, shape: distribute };

/** T: all alternatives stay, but a value may fit more than one of them. */
export const oneOfAsAnyOf: Rule = {
  letter: 'T',
  write: (draft, keyword, value) => {
    if (Object.hasOwn(draft.node, 'anyOf')) return draft.describe(keyword, value);
    draft.put('anyOf', alternatives(draft, keyword, value));
    draft.lose(keyword, 'transformed', 'oneOf became anyOf: a value may fit several alternatives.');
  },
};

function alternatives(draft: Draft, keyword: string, value: unknown): readonly RawSchema[] {
  const place = draft.placeOf(keyword);
  return (value as readonly RawSchema[]).flatMap((schema, index) =>
    schema === false
      ? []
      : [
          draft.child(
            schema,
            pathOfChild(draft, schema, pointTo(place, index)),
            positionBelow(draft, keyword),
          ),
        ],
  );
}
