import type { PlainObject } from '../../../shared/json.ts';
import type { Draft } from '../draft.ts';
import type { Part } from '../source-schema.ts';
import { hasType, isAnnotation, listedValues, typeOfKeyword, typesOf } from '../types.ts';
import type { Rule } from './rule.ts';

/** t: `nullable` becomes a type, or an alternative. */
export const nullableAsType: Rule = {
  letter: 't',
  shape: (node, draft) => {
    if (!Object.hasOwn(node, 'nullable')) return node;
    const { source } = draft.rewriter;
    const path = source.pathOf(node);
    const parts = source.partsOf(node).filter(({ keyword }) => keyword !== 'nullable');
    if (node.nullable !== true || draft.position.isRoot) return source.derive(path, parts);
    const types = typesOf(node);
    if (types.length === 0 || listedValues(node) !== undefined) return orNull(parts, path, draft);
    const type = types.includes('null') ? types : [...types, 'null'];
    return source.derive(
      path,
      parts.map((part) => (part.keyword === 'type' ? { ...part, value: type } : part)),
    );
  },
};

function orNull(parts: readonly Part[], path: string, { rewriter: { source } }: Draft): PlainObject {
  const value = [
    source.derive(path, parts),
    source.derive(path, [{ keyword: 'type', value: 'null', place: path }]),
  ];
  return source.derive(path, [{ keyword: 'anyOf', value, place: path }]);
}

/** t: one type, `nullable`, and an alternative for each further type. */
export const singleTypes: Rule = {
  letter: 't (nullable, anyOf)',
  shape: (node, draft) => {
    if (!Array.isArray(node.type)) return withoutListedNull(node, draft);
    const { source } = draft.rewriter;
    const types = typesOf(node);
    const others = types.filter((type) => type !== 'null');
    const path = source.pathOf(node);
    const parts = source.partsOf(node).map((part) => withoutNull(part));
    const place = source.placeOf(node, 'type');
    const nullable: readonly Part[] =
      others.length < types.length && others.length > 0 ? [{ keyword: 'nullable', value: true, place }] : [];
    if (others.length <= 1)
      return source.derive(path, [...withSingle(parts, others[0] ?? 'null'), ...nullable]);
    return source.derive(path, [...alternatives(parts, others, path, draft), ...nullable]);
  },
};

function withSingle(parts: readonly Part[], type: string): readonly Part[] {
  return parts.map((part) => (part.keyword === 'type' ? { ...part, value: type } : part));
}

/** Null among listed values is said by `nullable`; alone it stays. */
function withoutNull(part: Part): Part {
  if (part.keyword !== 'enum' || !Array.isArray(part.value)) return part;
  const values = part.value.filter((value) => value !== null);
  return values.length === 0 ? part : { ...part, value: values };
}

function withoutListedNull(node: PlainObject, { rewriter: { source } }: Draft): PlainObject {
  if (!Array.isArray(node.enum) || typesOf(node).includes('null') || !node.enum.includes(null)) return node;
  return source.derive(source.pathOf(node), source.partsOf(node).map(withoutNull));
}

/** One alternative for each type, with the keywords that are about it. */
function alternatives(
  parts: readonly Part[],
  types: readonly string[],
  path: string,
  { rewriter: { source } }: Draft,
): readonly Part[] {
  const inner = parts.filter(({ keyword }) => !isAnnotation(keyword) && keyword !== 'type');
  const branches = types.map((type) => {
    const own = inner.filter(({ keyword, value }) => isAbout(typeOfKeyword(keyword, value), type));
    const listed = own.map((part) => (part.keyword === 'enum' ? onlyOf(part, type) : part));
    return source.derive(path, [{ keyword: 'type', value: type, place: path }, ...listed]);
  });
  const fitting = branches.filter((branch) => !Array.isArray(branch.enum) || branch.enum.length > 0);
  return [
    ...parts.filter(({ keyword }) => isAnnotation(keyword)),
    { keyword: 'anyOf', value: fitting, place: path },
  ];
}

function isAbout(subject: string | undefined, type: string): boolean {
  return subject === undefined || subject === (type === 'integer' ? 'number' : type);
}

function onlyOf(part: Part, type: string): Part {
  return { ...part, value: (part.value as readonly unknown[]).filter((value) => hasType(value, type)) };
}
