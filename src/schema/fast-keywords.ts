import { _, str, type KeywordCxt, type KeywordErrorDefinition } from 'ajv';
import type { AnyAjv } from './any-ajv.ts';
import type { Meter } from './meter.ts';
import { valueKey } from './value-key.ts';

const ENUM_ERROR: KeywordErrorDefinition = {
  message: 'must be equal to one of the allowed values',
  params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
};

const CONST_ERROR: KeywordErrorDefinition = {
  message: 'must be equal to constant',
  params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`,
};

const UNIQUE_ERROR: KeywordErrorDefinition = {
  message: ({ params: { i, j } }) =>
    str`must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
  params: ({ params: { i, j } }) => _`{i: ${i}, j: ${j}}`,
};

/**
 * `enum`, `const` and `uniqueItems` by look-up. Those of ajv compare every pair: a list of 50 000 objects, or of
 * texts against as many allowed ones, would take minutes. And they call `valueOf` and `toString` of the objects
 * that they compare, which may be members with no function in them.
 */
export function addFastKeywords(ajv: AnyAjv, meter: Meter): void {
  ajv.removeKeyword('enum');
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    error: ENUM_ERROR,
    code: (cxt) => failUnlessOneOf(cxt, cxt.schema as readonly unknown[], meter),
  });
  ajv.removeKeyword('const');
  ajv.addKeyword({
    keyword: 'const',
    error: CONST_ERROR,
    code: (cxt) => failUnlessOneOf(cxt, [cxt.schema], meter),
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: UNIQUE_ERROR,
    code: (cxt) => {
      if (cxt.schema === true) failOnDuplicate(cxt, meter);
    },
  });
}

function failUnlessOneOf(cxt: KeywordCxt, allowed: readonly unknown[], meter: Meter): void {
  const isAllowed = cxt.gen.scopeValue('func', { ref: lookUp(allowed, meter) });
  cxt.fail(_`!${isAllowed}(${cxt.data})`);
}

function lookUp(allowed: readonly unknown[], meter: Meter): (value: unknown) => boolean {
  const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const scalars = new Set(allowed.filter((value) => !isComposite(value)));
  const composites = new Set(allowed.filter(isComposite).map((value) => valueKey(value, meter)));
  return (value) =>
    isComposite(value) ? composites.size > 0 && composites.has(valueKey(value, meter)) : scalars.has(value);
}

function failOnDuplicate(cxt: KeywordCxt, meter: Meter): void {
  const { gen, data } = cxt;
  const find = gen.scopeValue('func', { ref: (items: readonly unknown[]) => lastDuplicate(items, meter) });
  const pair = gen.const('duplicate', _`${find}(${data})`);
  cxt.setParams({ i: _`${pair}[0]`, j: _`${pair}[1]` });
  cxt.fail(_`${pair} !== undefined`);
}

/** The last item that equals an earlier one, and the nearest such. */
function lastDuplicate(items: readonly unknown[], meter: Meter): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  let found: readonly [number, number] | undefined;
  for (const [position, item] of items.entries()) {
    const key = valueKey(item, meter);
    const earlier = seen.get(key);
    if (earlier !== undefined) found = [position, earlier];
    seen.set(key, position);
  }
  return found;
}
