import { boundPattern } from '../../schema/patterns/linear-pattern.ts';
import { createLookup } from '../../shared/lookup.ts';
import type { ValidationRecord, ValidatorInstance } from './validation-metadata.ts';

type Validate = ValidatorInstance['validate'];

const HARDENED = Symbol.for('toolwright:hardened');

/**
 * Gives the class that class-validator makes for one use of a decorator a check that says the same in bounded time:
 * @Matches on an engine without backtracking for long texts, and not at all for a text that is too long anyway, and
 * @ArrayUnique, @IsIn, @IsNotIn and @IsEnum by look-ups. Both class-validator and the checks that replace it use that class.
 */
export function hardenValidator(
  name: string,
  target: new () => ValidatorInstance,
  record: ValidationRecord,
  neighbours: readonly ValidationRecord[],
): void {
  const harden = HARDENING.get(name);
  if (harden === undefined) return;
  const prototype = target.prototype as { validate: Validate; [HARDENED]?: true };
  if (prototype[HARDENED] === true || !Object.hasOwn(prototype, 'validate')) return;
  const original = prototype.validate;
  const validate = harden(original, record, neighbours);
  if (validate === undefined) return;
  prototype.validate = validate;
  Object.defineProperty(prototype, HARDENED, { value: true });
}

type Harden = (
  original: Validate,
  record: ValidationRecord,
  neighbours: readonly ValidationRecord[],
) => Validate | undefined;

const HARDENING: ReadonlyMap<string, Harden> = new Map<string, Harden>([
  ['matches', boundMatches],
  ['arrayUnique', linearUnique],
  ['isIn', (original, { constraints = [] }) => indexed(original, constraints[0], true)],
  ['isNotIn', (original, { constraints = [] }) => indexed(original, constraints[0], false)],
  ['isEnum', (original, { constraints = [] }) => indexed(original, membersOf(constraints[0]), true)],
]);

/** The answer is asked of an index where the list is long, and the original agrees about its ends and what is not in it. */
function indexed(original: Validate, list: unknown, isMember: boolean): Validate | undefined {
  if (!Array.isArray(list) || list.length < SMALL) return undefined;
  const values: readonly unknown[] = list;
  const isIn = createLookup(values);
  let agrees: boolean | undefined;
  return function validate(this: ValidatorInstance, value, args) {
    const ask = (one: unknown): unknown => original.call(this, one, args);
    agrees ??= [values[0], values.at(-1), {}].every((one) => ask(one) === (isIn(one) === isMember));
    return agrees ? isIn(value) === isMember : ask(value);
  };
}

/** The values of an enum, as they are when the class is read. */
function membersOf(entity: unknown): readonly unknown[] | undefined {
  return typeof entity === 'object' && entity !== null ? Object.values(entity) : undefined;
}

function boundMatches(
  original: Validate,
  { constraints = [], each }: ValidationRecord,
  neighbours: readonly ValidationRecord[],
): Validate | undefined {
  const pattern = readPattern(constraints[0], constraints[1]);
  if (pattern === undefined) return undefined;
  const longest = longestOf(each, neighbours);
  const { test } = boundPattern(pattern, longest);
  return function validate(this: ValidatorInstance, value, args) {
    if (typeof value !== 'string' || value.length <= SHORT) return original.call(this, value, args);
    return value.length <= longest && test(value);
  };
}

/** True for @Matches with a pattern that may take long for the texts that its neighbours let through. */
export function isUnbounded(record: ValidationRecord, neighbours: readonly ValidationRecord[]): boolean {
  const { name, constraints = [], each } = record;
  const pattern = name === 'matches' ? readPattern(constraints[0], constraints[1]) : undefined;
  return pattern !== undefined && !boundPattern(pattern, longestOf(each, neighbours)).isBounded;
}

function longestOf(each: boolean | undefined, neighbours: readonly ValidationRecord[]): number {
  return Math.min(...neighbours.map((other) => (other.each === each ? lengthOf(other) : Infinity)));
}

/** Backtracking in a text of up to this length cannot take long. */
const SHORT = 8;

/** A text beyond it is refused by @MaxLength or @Length; a character takes one to three units. */
function lengthOf({ name, constraints = [], validateIf }: ValidationRecord): number {
  const most = name === 'maxLength' ? constraints[0] : name === 'isLength' ? constraints[1] : undefined;
  return typeof most === 'number' && validateIf === undefined ? 3 * most : Number.POSITIVE_INFINITY;
}

/** As @Matches reads its arguments: `str.match(pattern)` takes the flags of an expression, and those given for a text. */
function readPattern(pattern: unknown, flags: unknown): RegExp | undefined {
  try {
    if (pattern instanceof RegExp) return pattern.global || pattern.sticky ? undefined : pattern;
    return typeof pattern === 'string' ? new RegExp(pattern, flags as string | undefined) : undefined;
  } catch {
    return undefined;
  }
}

function linearUnique(original: Validate): Validate {
  return function validate(this: ValidatorInstance, value, args) {
    return Array.isArray(value)
      ? withFastLookups(value, () => original.call(this, value, args))
      : original.call(this, value, args);
  };
}

const SMALL = 100;

/**
 * Runs a step that calls `indexOf` for each item of a list, or of the result of its `map`. During the step, `indexOf`
 * uses a look-up table with the same results.
 */
function withFastLookups<T>(list: unknown[], step: () => T): T {
  if (list.length < SMALL || !Object.isExtensible(list)) return step();
  addLookups(list);
  define(list, 'map', (change: (item: unknown, index: number, whole: unknown[]) => unknown) => {
    const mapped: unknown[] = Array.prototype.map.call(list, change as never);
    addLookups(mapped);
    return mapped;
  });
  try {
    return step();
  } finally {
    Reflect.deleteProperty(list, 'indexOf');
    Reflect.deleteProperty(list, 'map');
  }
}

function addLookups(list: unknown[]): void {
  let places: Map<unknown, number> | undefined;
  define(list, 'indexOf', (item: unknown, from?: number) => {
    if (from !== undefined) return Array.prototype.indexOf.call(list, item, from);
    // a map would find NaN, which equals nothing
    return Number.isNaN(item) ? -1 : ((places ??= indexPlaces(list)).get(item) ?? -1);
  });
}

function indexPlaces(list: readonly unknown[]): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (let index = list.length - 1; index >= 0; index -= 1) {
    if (Object.hasOwn(list, index)) places.set(list[index], index);
  }
  return places;
}

function define(list: unknown[], name: string, value: unknown): void {
  Object.defineProperty(list, name, { value, configurable: true, writable: true });
}
