import type { JsonSchema } from '../../shared/json-schema.ts';

/** A field without null among its values, and whether null was among them. */
export interface NonNullField {
  readonly schema: JsonSchema;
  readonly isNullable: boolean;
}

type Resolve = (part: JsonSchema) => JsonSchema;

/** Takes null out of a schema: a form has nothing that stands for it. */
export function withoutNull(field: JsonSchema, resolve: Resolve): NonNullField {
  const own = withoutOwnNull(field);
  const { anyOf, oneOf, ...rest } = own.schema;
  const branches = (anyOf ?? oneOf)?.map(resolve);
  if (branches === undefined) return own;
  const left = branches.filter((branch) => branch.type !== 'null');
  const isNullable = own.isNullable || left.length < branches.length;
  const [only] = left;
  if (left.length > 1 || only === undefined) return { schema: { ...rest, anyOf: left }, isNullable };
  const inner = withoutNull(only, resolve);
  return { schema: { ...inner.schema, ...rest }, isNullable: isNullable || inner.isNullable };
}

/** Takes null out of `type`, `enum` and `default`. */
function withoutOwnNull({ type, enum: values, default: initial, ...rest }: JsonSchema): NonNullField {
  const types = [type ?? []].flat();
  const schema = {
    ...rest,
    ...typeKeyword(types.filter((name) => name !== 'null')),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...(initial === undefined || initial === null ? {} : { default: initial }),
  };
  return { schema, isNullable: types.includes('null') || values?.includes(null) === true };
}

/** Every integer is a number, so that the two together are one type. */
function typeKeyword(types: readonly string[]): JsonSchema {
  const wide = types.includes('number') ? types.filter((name) => name !== 'integer') : types;
  const [only] = wide;
  if (only === undefined) return {};
  return { type: wide.length === 1 ? only : wide };
}
