import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { pathOfChild, type Draft } from '../draft.ts';
import { joinObjects, resolved, requiredOf } from './reference-rules.ts';
import { distribute } from './object-rules.ts';
import { positionBelow, writeKept, type Rule } from './rule.ts';
import { SCHEMA_LIMITS } from '../../../schema/limits.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { Part } from '../source-schema.ts';
import { listedValues, propertiesOf, typesOf } from '../types.ts';

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

/** T: one object with the properties of all alternatives. */
export const uniteRoot: Rule = {
  letter: 'T',
  shape: (node, draft) => unite(unite(node, 'anyOf', draft), 'oneOf', draft),
};

function unite(node: PlainObject, keyword: 'anyOf' | 'oneOf', draft: Draft): PlainObject {
  const branches = node[keyword];
  if (!Array.isArray(branches)) return node;
  const place = draft.rewriter.source.placeOf(node, keyword);
  draft.lose(
    keyword,
    'transformed',
    `the alternatives of ${keyword} became one object with all properties.`,
    place,
  );
  const united = uniteBranches(node, keyword, draft);
  draft.lines.push(`Alternatives: ${united.alternatives.join(' | ')}`);
  return united.node;
}

type Union = 'anyOf' | 'oneOf';

/** One object in place of several that it could be: all properties, and as required what all of them require. */
function uniteBranches(
  node: PlainObject,
  keyword: Union,
  draft: Draft,
  around: ReadonlySet<string> = new Set(),
): { readonly node: PlainObject; readonly alternatives: readonly string[] } {
  const { source, conversion } = draft.rewriter;
  if (around.size > SCHEMA_LIMITS.depth) {
    conversion.fail(
      'SCHEMA_TOO_LARGE',
      source.pathOf(node),
      'the alternatives are nested too deep to be united.',
    );
  }
  const within = new Set([...around, source.pathOf(node)]);
  const branches = (node[keyword] as readonly RawSchema[])
    .map((branch, position) =>
      objectOf(branch, pointTo(source.placeOf(node, keyword), position), draft, within),
    )
    .filter((branch) => branch !== undefined);
  return { node: joined(node, keyword, branches, draft), alternatives: branches.map(namesOf) };
}

/** A branch as a plain object; undefined for one that nothing fits. */
function objectOf(
  branch: RawSchema,
  path: string,
  draft: Draft,
  within: ReadonlySet<string>,
): PlainObject | undefined {
  const { source } = draft.rewriter;
  if (branch === false) return undefined;
  if (branch === true) return source.derive(path, []);
  const node = resolved(branch, draft);
  // An alternative that is the union itself adds nothing to it
  if (within.has(source.pathOf(node))) return undefined;
  const types = typesOf(node);
  const isObject = types.length === 0 || types.includes('object');
  if (!isObject || listedValues(node)?.every((value) => !isPlainObject(value)) === true) {
    draft.rewriter.conversion.fail(
      'ROOT_NOT_OBJECT',
      path,
      `${path} is not an object, as arguments have to be.`,
    );
  }
  const keyword = (['anyOf', 'oneOf'] as const).find((each) => Array.isArray(node[each]));
  return keyword === undefined ? node : uniteBranches(node, keyword, draft, within).node;
}

function joined(
  node: PlainObject,
  keyword: Union,
  branches: readonly PlainObject[],
  draft: Draft,
): PlainObject {
  const { source } = draft.rewriter;
  const path = source.pathOf(node);
  const place = source.placeOf(node, keyword);
  const replaced = new Set<string>([keyword, 'properties', 'required', 'additionalProperties']);
  const own = source.partsOf(node).filter((part) => !replaced.has(part.keyword));
  const required = [...new Set([...requiredOf(node), ...commonOf(branches.map(requiredOf))])];
  return source.derive(path, [
    ...own,
    {
      keyword: 'properties',
      value: properties(node, branches, draft),
      place: source.placeOf(node, 'properties'),
    },
    ...(required.length > 0
      ? [{ keyword: 'required', value: required, place: source.placeOf(node, 'required') }]
      : []),
    ...closing(node, branches, place, draft),
  ]);
}

/** The union refuses undeclared properties if each of its branches refuses them. */
function closing(
  node: PlainObject,
  branches: readonly PlainObject[],
  place: string,
  { rewriter: { source } }: Draft,
): readonly Part[] {
  const keyword = 'additionalProperties';
  if (Object.hasOwn(node, keyword))
    return [{ keyword, value: node[keyword], place: source.placeOf(node, keyword) }];
  const isClosed = branches.length > 0 && branches.every((branch) => branch[keyword] === false);
  return isClosed ? [{ keyword, value: false, place }] : [];
}

function properties(node: PlainObject, branches: readonly PlainObject[], draft: Draft): PlainObject {
  const variants = new Map<string, RawSchema[]>();
  const own = propertiesOf(node);
  for (const name of Object.keys(own)) variants.set(name, []);
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(propertiesOf(branch))) {
      variants.set(name, [...(variants.get(name) ?? []), schema]);
    }
  }
  const entries = [...variants].map(([name, schemas]) => {
    // A branch that does not name it accepts whatever the root does
    const isNarrowed = schemas.length === branches.length && schemas.length > 0;
    const first = Object.hasOwn(own, name) ? own[name] : undefined;
    return [
      name,
      anyOf(isNarrowed || first === undefined ? schemas : [first, ...schemas], name, node, draft),
    ];
  });
  return Object.fromEntries(entries) as PlainObject;
}

function anyOf(schemas: readonly RawSchema[], name: string, node: PlainObject, draft: Draft): RawSchema {
  const { source } = draft.rewriter;
  const distinct = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()];
  const [only] = distinct;
  if (distinct.length === 1 && only !== undefined) return only;
  const place = pointTo(source.placeOf(node, 'properties'), name);
  return source.derive(place, [{ keyword: 'anyOf', value: distinct, place: pointTo(place, 'anyOf') }]);
}

function commonOf(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((list) => list.includes(name)));
}

/** An alternative as the description calls it: by its properties. */
function namesOf(branch: PlainObject): string {
  const names = [...new Set([...Object.keys(propertiesOf(branch)), ...requiredOf(branch)])];
  return names.length === 0 ? 'any' : names.join(', ');
}

/** The root of arguments as an object of its own: no reference, and no other type. Arguments always are objects. */
export function plainRoot(draft: Draft): PlainObject {
  const { source, conversion, target } = draft.rewriter;
  const node = resolved(draft.node, draft);
  const types = typesOf(node);
  if (types.length > 0 && !types.includes('object')) {
    const path = source.placeOf(node, 'type');
    conversion.fail(
      'ROOT_NOT_OBJECT',
      path,
      `${path} is not an object, as the arguments of ${target.name} have to be.`,
    );
  }
  return source.change(node, { type: 'object' });
}
