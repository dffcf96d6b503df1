import { isDescriptive } from '../../schema/keywords.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { RuleName } from './changes.ts';

/** Whether values come in, and less must not be taken than before, or go out, and no more must be given. */
export type Direction = 'input' | 'output';

/** A difference between two schemas of one place, without the place. */
export interface Difference {
  readonly rule: RuleName;
  /** What the rule alone does not say. */
  readonly what: string | undefined;
}

type Event =
  | 'type-changed'
  | 'type-narrowed'
  | 'type-widened'
  | 'value-removed'
  | 'value-added'
  | 'bound-tightened'
  | 'bound-loosened'
  | 'pattern-changed'
  | 'pattern-removed'
  | 'constraint-changed'
  | 'default-changed';

/** What the same event means for a result; a default of a result has no meaning. */
const OUTPUT_RULES: Readonly<Record<Event, RuleName | undefined>> = {
  'type-changed': 'output-type-changed',
  'type-narrowed': 'output-type-narrowed',
  'type-widened': 'output-type-widened',
  'value-removed': 'output-value-removed',
  'value-added': 'output-value-added',
  'bound-tightened': 'output-bound-tightened',
  'bound-loosened': 'output-bound-loosened',
  'pattern-changed': 'output-constraint-changed',
  'pattern-removed': 'output-bound-loosened',
  'constraint-changed': 'output-constraint-changed',
  'default-changed': undefined,
};

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];
const PATTERNS = ['pattern', 'format', 'contentEncoding', 'contentMediaType'];
/** Compared here by meaning, or where schemas are compared part by part. */
const COMPARED = new Set([
  ...['type', 'enum', 'const', 'default', 'required', 'properties', 'additionalProperties'],
  ...['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'definitions'],
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  ...PATTERNS,
]);

/** What differs between two schemas themselves, without the schemas in them. */
export function compareConstraints(
  before: JsonSchema,
  after: JsonSchema,
  direction: Direction,
): readonly Difference[] {
  const found: Difference[] = [];
  const add = (event: Event, what: string): void => {
    const rule = direction === 'input' ? event : OUTPUT_RULES[event];
    if (rule !== undefined) found.push({ rule, what });
  };
  compareTypes(before, after, add);
  compareValues(before, after, add);
  compareBounds(before, after, add);
  comparePatterns(before, after, add);
  if (isDifferent(before.default, after.default))
    add('default-changed', `its default was ${textOf(before.default)}, and is ${textOf(after.default)}`);
  const others = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const keyword of others) {
    if (COMPARED.has(keyword) || isDescriptive(keyword)) continue;
    if (isDifferent(before[keyword], after[keyword]))
      add('constraint-changed', `its \`${keyword}\` is not as before`);
  }
  return found;
}

type Add = (event: Event, what: string) => void;

function compareTypes(before: JsonSchema, after: JsonSchema, add: Add): void {
  const [old, now] = [typesOf(before), typesOf(after)];
  const lost = uncovered(old, now);
  const gained = uncovered(now, old);
  if (lost.length === 0 && gained.length === 0) return;
  const what = `it was ${nameTypes(old)}, and is ${nameTypes(now)}`;
  if (lost.length > 0 && gained.length > 0) add('type-changed', what);
  else add(lost.length > 0 ? 'type-narrowed' : 'type-widened', what);
}

/** The types that a schema names; undefined where it takes any. */
function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  return typeof type === 'string' ? [type] : type;
}

/** The types of one list that the other does not take; every integer is a number. */
function uncovered(
  types: readonly string[] | undefined,
  by: readonly string[] | undefined,
): readonly string[] {
  if (by === undefined) return [];
  if (types === undefined) return ['anything'];
  return types.filter((type) => !by.includes(type) && !(type === 'integer' && by.includes('number')));
}

function nameTypes(types: readonly string[] | undefined): string {
  return types === undefined ? 'of any type' : types.join(' or ');
}

function compareValues(before: JsonSchema, after: JsonSchema, add: Add): void {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && now === undefined) return;
  if (old === undefined) return add('value-removed', `it takes only ${listValues(now)} now`);
  if (now === undefined) return add('value-added', 'any value of its type is');
  const lost = [...old].filter((value) => !now.has(value));
  const gained = [...now].filter((value) => !old.has(value));
  if (lost.length > 0) add('value-removed', `${lost.join(', ')} ${lost.length === 1 ? 'is' : 'are'} gone`);
  if (gained.length > 0) add('value-added', `${gained.join(', ')} ${gained.length === 1 ? 'is' : 'are'} new`);
}

/** The values that a schema names, as canonical JSON; undefined where it names none. */
function valuesOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  if (Object.hasOwn(schema, 'const')) return new Set([canonicalJson(schema.const)]);
  return schema.enum && new Set(schema.enum.map(canonicalJson));
}

function listValues(values: ReadonlySet<string> | undefined): string {
  return [...(values ?? [])].join(', ');
}

function compareBounds(before: JsonSchema, after: JsonSchema, add: Add): void {
  for (const [keywords, sign] of [
    [LOWER_BOUNDS, 1],
    [UPPER_BOUNDS, -1],
  ] as const) {
    for (const keyword of keywords) {
      const [old, now] = [before[keyword], after[keyword]];
      if (old === now) continue;
      const what = `its \`${keyword}\` was ${textOf(old)}, and is ${textOf(now)}`;
      const isTighter =
        now !== undefined && (typeof old !== 'number' || typeof now !== 'number' || (now - old) * sign > 0);
      add(isTighter ? 'bound-tightened' : 'bound-loosened', what);
    }
  }
}

function comparePatterns(before: JsonSchema, after: JsonSchema, add: Add): void {
  for (const keyword of PATTERNS) {
    const [old, now] = [before[keyword], after[keyword]];
    if (old === now) continue;
    const what = `its \`${keyword}\` was ${textOf(old)}, and is ${textOf(now)}`;
    add(now === undefined ? 'pattern-removed' : 'pattern-changed', what);
  }
}

function isDifferent(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left !== right;
  return canonicalJson(left) !== canonicalJson(right);
}

function textOf(value: unknown): string {
  return value === undefined ? 'not given' : canonicalJson(value);
}
