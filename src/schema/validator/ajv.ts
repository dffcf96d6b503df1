import type { KeywordCxt, KeywordErrorDefinition, Options } from 'ajv';
import type { Dialect } from '../keywords.ts';
import type { RawSchema } from '../subschemas.ts';
import { addFormats } from './formats.ts';
import { _, loadAjv, str, type AnyAjv } from './load-ajv.ts';
import { addSteps, type StepBudget } from './steps.ts';

/** An object that ajv accepts as a regular expression; to ajv, patterns of one name are the same pattern. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** The settings for compiling one schema. */
interface AjvSettings {
  readonly schema: RawSchema;
  readonly dialect: Dialect;
  readonly budget: StepBudget;
  /** The number of errors after which a check ends. Default: unlimited. */
  readonly mostErrors?: number | undefined;
  readonly patternOf: (source: string) => Pattern;
}

/** An instance for a schema that was checked before; it counts the steps of checks, and fetches nothing. */
export function createAjv(
  { schema, dialect, budget, mostErrors = Number.POSITIVE_INFINITY, patternOf }: AjvSettings,
  options: Options,
): AnyAjv {
  const regExp = (source: string): RegExp => patternOf(source) as unknown as RegExp;
  const settings: Options = {
    strict: false,
    logger: false,
    // fields may be named like members that every object has
    ownProperties: true,
    meta: false,
    validateSchema: false,
    ...options,
    code: { ...options.code, regExp: Object.assign(regExp, { code: 'patterns' }) },
  };
  const { Ajv, Ajv2020 } = loadAjv();
  const ajv = dialect === 'draft-07' ? new Ajv(settings) : new Ajv2020(settings);
  // It makes compile time quadratic and checks every branch of a union, so it is only enabled when needed
  ajv.opts.unevaluated = JSON.stringify(schema).includes('"unevaluated');
  addFormats(ajv);
  addLookUps(ajv, budget);
  addSteps(ajv, budget, mostErrors);
  return ajv;
}

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
 * that they compare, which may be data members instead of functions.
 */
export function addLookUps(ajv: AnyAjv, budget: StepBudget): void {
  ajv.removeKeyword('enum');
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    error: ENUM_ERROR,
    code: (cxt) => failUnlessOneOf(cxt, cxt.schema as readonly unknown[], budget),
  });
  ajv.removeKeyword('const');
  ajv.addKeyword({
    keyword: 'const',
    error: CONST_ERROR,
    code: (cxt) => failUnlessOneOf(cxt, [cxt.schema], budget),
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: UNIQUE_ERROR,
    code: (cxt) => {
      if (cxt.schema === true) failOnDuplicate(cxt, budget);
    },
  });
}

function failUnlessOneOf(cxt: KeywordCxt, allowed: readonly unknown[], budget: StepBudget): void {
  const isAllowed = cxt.gen.scopeValue('func', { ref: lookUp(allowed, budget) });
  cxt.fail(_`!${isAllowed}(${cxt.data})`);
}

function lookUp(allowed: readonly unknown[], budget: StepBudget): (value: unknown) => boolean {
  const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const scalars = new Set(allowed.filter((value) => !isComposite(value)));
  const composites = new Set(allowed.filter(isComposite).map((value) => valueKey(value, budget)));
  return (value) =>
    isComposite(value) ? composites.size > 0 && composites.has(valueKey(value, budget)) : scalars.has(value);
}

function failOnDuplicate(cxt: KeywordCxt, budget: StepBudget): void {
  const { gen, data } = cxt;
  const find = gen.scopeValue('func', { ref: (items: readonly unknown[]) => lastDuplicate(items, budget) });
  const pair = gen.const('duplicate', _`${find}(${data})`);
  cxt.setParams({ i: _`${pair}[0]`, j: _`${pair}[1]` });
  cxt.fail(_`${pair} !== undefined`);
}

/** The indexes of the last item that equals an earlier one, and of the nearest equal item. */
function lastDuplicate(items: readonly unknown[], budget: StepBudget): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  let found: readonly [number, number] | undefined;
  for (const [position, item] of items.entries()) {
    const key = valueKey(item, budget);
    const earlier = seen.get(key);
    if (earlier !== undefined) found = [position, earlier];
    seen.set(key, position);
  }
  return found;
}

// Text is copied once per level that it is nested in.
const CHARACTERS_PER_STEP = 128;

/** Text that is equal for equal JSON values, whatever the order of their members. */
function valueKey(value: unknown, budget: StepBudget): string {
  const key = keyOf(value, budget);
  budget.take(1 + Math.floor(key.length / CHARACTERS_PER_STEP));
  return key;
}

function keyOf(value: unknown, budget: StepBudget): string {
  if (typeof value === 'string') return textKey(value);
  if (typeof value !== 'object' || value === null) return scalarKey(value);
  if (Array.isArray(value)) {
    let key = '[';
    for (const item of value as readonly unknown[]) key += `${valueKey(item, budget)},`;
    return `${key}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (names.length > 1) names.sort();
  let key = '{';
  for (const name of names) key += `${textKey(name)}${valueKey(members[name], budget)},`;
  return `${key}}`;
}

/** The length prefix shows where a text ends; escaping its characters would take longer. */
function textKey(text: string): string {
  return `"${String(text.length)}:${text}`;
}

// 0 and -0 are one value in JSON Schema, and String prints them alike.
function scalarKey(value: unknown): string {
  return typeof value === 'bigint' ? `${String(value)}n` : String(value);
}
