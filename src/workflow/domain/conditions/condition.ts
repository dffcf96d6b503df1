import { isPlainObject, type PlainObject } from '../../../shared/json.ts';

/**
 * A condition on the context of a workflow. All operators of one object must hold; `{}` is true.
 *
 * @example
 * const isLarge: Condition = { var: 'files', gt: 10, not: { var: 'draft', equals: true } };
 */
export interface Condition {
  /** The name of one variable, not a path; without a comparator the condition is whether it is truthy. */
  readonly var?: string;
  readonly equals?: unknown;
  readonly not_equals?: unknown;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly and?: readonly Condition[];
  readonly or?: readonly Condition[];
  readonly not?: Condition;
}

/** The variables that conditions look at. */
export type WorkflowContext = Readonly<Record<string, unknown>>;

/**
 * Where variables are looked up: the first layer that has the name as its own says what it is. Layers are not copied
 * into one, because that would take long for a large context, and loops look at each iteration.
 */
export type Scope = readonly WorkflowContext[];

export function variableIn(scope: Scope, name: string): unknown {
  return scope.find((layer) => Object.hasOwn(layer, name))?.[name];
}

/** A copy as one object, for code that does not know layers. */
export function mergedScope(scope: Scope): WorkflowContext {
  return scope.reduceRight((below, layer) => ({ ...below, ...layer }), {});
}

/** Says whether the value of a variable is as the operand wants it; undefined is a variable that is missing. */
type Comparator = (value: unknown, operand: unknown) => boolean;

const comparators: ReadonlyMap<string, Comparator> = new Map<string, Comparator>([
  ['equals', jsonEqual],
  ['not_equals', (value, operand) => !jsonEqual(value, operand)],
  ['gt', ofNumbers((value, operand) => value > operand)],
  ['gte', ofNumbers((value, operand) => value >= operand)],
  ['lt', ofNumbers((value, operand) => value < operand)],
  ['lte', ofNumbers((value, operand) => value <= operand)],
]);

/** What compares a variable with an operand. */
export const COMPARATOR_NAMES: readonly string[] = Object.freeze([...comparators.keys()]);

/** The comparator with the name; undefined where there is none. */
export function comparatorOf(name: string): Comparator | undefined {
  return comparators.get(name);
}

function ofNumbers(compare: (value: number, operand: number) => boolean): Comparator {
  return (value, operand) => isFiniteNumber(value) && isFiniteNumber(operand) && compare(value, operand);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

type Pair = readonly [left: unknown, right: unknown];

/**
 * Whether two JSON values are equal, strictly by type; the order of members does not count, and one that is
 * undefined counts as absent. Takes values of any depth, and values that contain themselves.
 */
export function jsonEqual(left: unknown, right: unknown): boolean {
  const seen = new Map<unknown, Set<unknown>>();
  const pending: Pair[] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair[0] === pair[1]) continue;
    const parts = partsOf(pair);
    if (parts === undefined) return false;
    // A pair that is met again is equal, unless its first comparison says otherwise
    if (!remember(seen, pair)) continue;
    for (const part of parts) pending.push(part);
  }
  return true;
}

/** The pairs that have to be equal for two different values to be equal; undefined when they cannot be. */
function partsOf([left, right]: Pair): readonly Pair[] | undefined {
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return undefined;
    return Array.from(left, (item: unknown, index) => [item, right[index] as unknown]);
  }
  if (!isPlainObject(left) || !isPlainObject(right)) return undefined;
  const names = namesOf(left);
  const others = new Set(namesOf(right));
  if (names.length !== others.size || !names.every((name) => others.has(name))) return undefined;
  return names.map((name) => [left[name], right[name]]);
}

function namesOf(value: PlainObject): readonly string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

function remember(seen: Map<unknown, Set<unknown>>, [left, right]: Pair): boolean {
  const partners = seen.get(left);
  if (partners?.has(right) === true) return false;
  if (partners === undefined) seen.set(left, new Set([right]));
  else partners.add(right);
  return true;
}
