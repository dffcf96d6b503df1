import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { pathOfChild, type Draft } from '../draft.ts';
import { inlineReference, siblingsOf } from '../inline-reference.ts';
import { isReference, referenceOf } from '../source-schema.ts';
import type { Rule } from './rule.ts';

/** References and the keywords beside them stay. */
export const keepReferences: Rule = {
  letter: 'K',
  write: (draft, keyword, value) => {
    if (keyword === '$ref') writeReference(draft);
    else if (keyword === '$defs') writeDefinitions(draft, value);
    else draft.put(keyword, value);
  },
};

/** References stay, and lead to definitions; nothing else may stand beside one. */
export const referToDefinitions: Rule = {
  letter: 'K',
  shape: (node, draft) => {
    let shaped = node;
    while (isReference(shaped) && siblingsOf(shaped).length > 0) {
      const { schema, path } = draft.rewriter.source.follow(shaped);
      if (draft.rewriter.recursion.isCyclic(path, schema)) return withoutSiblings(shaped, draft);
      shaped = inlineReference(shaped, draft);
    }
    return shaped;
  },
  write: (draft, keyword, value) => {
    if (keyword === '$ref' || keyword === '$dynamicRef') writeReference(draft);
    if (keyword === '$defs' && draft.position.isRoot) writeDefinitions(draft, value);
  },
};

/** Each reference is replaced by its target. */
export const inlineReferences: Rule = {
  letter: 't inline',
  shape: (node, draft) => {
    const seen = new Set<string>();
    let shaped = node;
    while (isReference(shaped)) {
      const { path } = draft.rewriter.source.follow(shaped);
      if (seen.has(path)) draft.refuseRecursion(referenceOf(shaped));
      seen.add(path);
      shaped = inlineReference(shaped, draft);
    }
    return shaped;
  },
};

/** E: a schema that contains itself. */
export const refuseRecursive: Rule = {
  letter: 'E',
  shape: (node, draft) => {
    if (!isReference(node)) return node;
    const { schema, path } = draft.rewriter.source.follow(node);
    if (draft.rewriter.recursion.isCyclic(path, schema)) draft.refuseRecursion(referenceOf(node));
    return node;
  },
};

/** Recursion is followed a few steps, which has to end somewhere: at an optional property. */
export const refuseEndless: Rule = {
  letter: 'K, E through required properties',
  shape: (node, draft) => {
    if (!isReference(node)) return node;
    const { schema, path } = draft.rewriter.source.follow(node);
    if (draft.rewriter.recursion.isEndless(path, schema)) draft.refuseRecursion(referenceOf(node), true);
    return node;
  },
};

function withoutSiblings(node: PlainObject, draft: Draft): PlainObject {
  const { source } = draft.rewriter;
  const siblings = siblingsOf(node);
  for (const keyword of siblings) {
    const outcome = `${keyword} was removed: nothing may stand beside a $ref.`;
    draft.lose(keyword, 'dropped', outcome, source.placeOf(node, keyword));
  }
  return source.change(node, Object.fromEntries(siblings.map((keyword) => [keyword, undefined])));
}

function writeReference(draft: Draft): void {
  draft.put('$ref', '');
  draft.reference = draft.rewriter.source.follow(draft.node);
}

function writeDefinitions(draft: Draft, value: unknown): void {
  if (!isPlainObject(value)) return;
  const { source } = draft.rewriter;
  const entries = Object.entries(value).map(([name, schema]) => {
    const path = pathOfChild(draft, schema, pointTo(draft.placeOf('$defs'), name));
    if (draft.position.isRoot && source.definitionName(path) === name) draft.rewriter.define(path, name);
    return [name, draft.child(schema as RawSchema, path)];
  });
  draft.put('$defs', Object.fromEntries(entries));
}
