import { hasDefault } from '../../schema/keywords.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** The fields of an object schema. */
export interface FieldSet {
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: ReadonlySet<string>;
  /** What only the branches of tagged unions require. */
  readonly branches: readonly TaggedBranch[];
}

export interface Field {
  readonly schema: JsonSchema;
  /** True when only some branches of a union declare it. */
  readonly isPartial: boolean;
}

/** One condition: a field has one of these values. */
export interface TagCondition {
  readonly field: string;
  readonly values: readonly unknown[];
}

/** The additional fields that an object requires if all of the conditions hold. */
export interface TaggedBranch {
  readonly when: readonly TagCondition[];
  /** In the order of the fields. */
  readonly required: readonly string[];
}

/** The requirements of each branch of a union, where the value of one field selects the branch; else nothing. */
export function tagBranches(
  branches: readonly FieldSet[],
  always: ReadonlySet<string>,
): readonly TaggedBranch[] {
  const tag = findTag(branches);
  if (tag === undefined) return [];
  const own = branches.map(({ fields, required }, index) => ({
    when: [{ field: tag.field, values: tag.values[index] ?? [] }],
    required: [...new Set([...fields.keys(), ...required])].filter(
      (name) => required.has(name) && !always.has(name) && !hasDefault(fields.get(name)?.schema ?? {}),
    ),
  }));
  const inner = branches.flatMap((branch, index) =>
    branch.branches.map(({ when, required }) => ({
      when: narrow(own[index]?.when ?? [], when),
      required,
    })),
  );
  return [...uniteAlike(own), ...inner];
}

/** The branches with only those required fields that are needed; a branch left without any is dropped. */
export function withoutRequired(
  branches: readonly TaggedBranch[],
  isNeeded: (field: string) => boolean,
): readonly TaggedBranch[] {
  return branches
    .map(({ when, required }) => ({ when, required: required.filter(isNeeded) }))
    .filter(({ required }) => required.length > 0);
}

function findTag(
  branches: readonly FieldSet[],
): { readonly field: string; readonly values: readonly (readonly unknown[])[] } | undefined {
  const [first] = branches;
  if (first === undefined || branches.length < 2) return undefined;
  const candidates = [...first.fields.keys()].flatMap((field) => {
    const values = branches.map((branch) => valuesOf(branch, field));
    const closed = values.filter((list) => list !== undefined);
    return closed.length === values.length && areDistinct(closed) ? [{ field, values: closed }] : [];
  });
  const isRequired = (field: string): boolean => branches.every(({ required }) => required.has(field));
  return candidates.find(({ field }) => isRequired(field)) ?? candidates[0];
}

function valuesOf({ fields }: FieldSet, name: string): readonly unknown[] | undefined {
  const field = fields.get(name);
  if (field === undefined || field.isPartial) return undefined;
  return Object.hasOwn(field.schema, 'const') ? [field.schema.const] : field.schema.enum;
}

/** True when no value selects two branches. */
function areDistinct(lists: readonly (readonly unknown[])[]): boolean {
  const all = lists.flatMap((values) => [...new Set(values.map(canonicalJson))]);
  return new Set(all).size === all.length;
}

/** The conditions of a branch within a branch; of two on one field, the inner one is narrower. */
function narrow(outer: readonly TagCondition[], inner: readonly TagCondition[]): readonly TagCondition[] {
  return [...outer.filter(({ field }) => inner.every((other) => other.field !== field)), ...inner];
}

/** Merges branches with the same requirements. */
function uniteAlike(branches: readonly TaggedBranch[]): readonly TaggedBranch[] {
  const united = new Map<string, TaggedBranch>();
  for (const branch of branches) {
    const identity = canonicalJson([...branch.required].sort());
    const known = united.get(identity)?.when ?? [];
    const when = branch.when.map(({ field, values }, index) => ({
      field,
      values: [...(known[index]?.values ?? []), ...values],
    }));
    united.set(identity, { when, required: united.get(identity)?.required ?? branch.required });
  }
  return [...united.values()];
}
