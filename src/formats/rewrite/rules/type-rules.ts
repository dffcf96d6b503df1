import type { PlainObject } from '../../../shared/json.ts';
import type { Draft } from '../draft.ts';
import type { Part } from '../source-schema.ts';
import { hasType, isAnnotation, listedValues, typeOfKeyword, typesOf } from '../types.ts';
import type { Rule } from './rule.ts';

/** t: `nullable` becomes a type, or an alternative. */
export const nullableAsType: Rule = {
  letter: 't',
  shape: (node, { position, rewriter: { source } }) => {
    if (!Object.hasOwn(node, 'nullable')) return node;
    const plain = source.change(node, { nullable: undefined });
    if (node.nullable !== true || position.isRoot) return plain;
    const types = typesOf(node);
    if (types.length === 0 || listedValues(node) !== undefined) return source.orNull(plain);
    return source.change(plain, { type: types.includes('null') ? types : [...types, 'null'] });
  },
};

/** t: one type, `nullable`, and an alternative for each further type. */
export const singleTypes: Rule = {
  letter: 't (nullable, anyOf)',
  shape: (node, draft) => {
    const { source } = draft.rewriter;
    const types = typesOf(node);
    if (!Array.isArray(node.type))
      return types.includes('null') ? node : source.change(node, withoutNull(node));
    const others = types.filter((type) => type !== 'null');
    const isSingle = others.length <= 1;
    const shown = source.change(node, {
      ...withoutNull(node),
      ...(isSingle && { type: others[0] ?? 'null' }),
    });
    const parts = isSingle ? source.partsOf(shown) : alternatives(shown, others, draft);
    const isNullable = others.length < types.length && others.length > 0;
    const nullable: Part = { keyword: 'nullable', value: true, place: source.placeOf(node, 'type') };
    return source.derive(source.pathOf(node), isNullable ? [...parts, nullable] : parts);
  },
};

/** Null among listed values is said by `nullable`; alone it stays. */
function withoutNull({ enum: listed }: PlainObject): PlainObject {
  const values = Array.isArray(listed) ? listed.filter((value) => value !== null) : [];
  return values.length === 0 ? {} : { enum: values };
}

/** One alternative for each type, with the keywords that are about it. */
function alternatives(
  node: PlainObject,
  types: readonly string[],
  { rewriter: { source } }: Draft,
): readonly Part[] {
  const path = source.pathOf(node);
  const parts = source.partsOf(node);
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
