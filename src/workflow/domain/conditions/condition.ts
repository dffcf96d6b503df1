import { isPlainObject, type PlainObject } from '../../../shared/json.ts';

/**
 * A condition on the context of a workflow. All operators of one object must hold; `{}` is true.
 *
 * @example
 * const isLarge: Condition = { var: 'files', gt: 10, not: { var: 'draft', equals: true } };
 */
export interface Condition {
  /** The name of one variable, not a path. Without a comparator, the condition holds if the variable is truthy. */
  readonly var?: string;
  /** Holds if the variable equals this JSON value. */
  readonly equals?: unknown;
  /** Holds if the variable does not equal this JSON value. */
  readonly not_equals?: unknown;
  /** Holds if the variable is a number above this one. */
  readonly gt?: number;
  /** Holds if the variable is a number above this one, or this one. */
  readonly gte?: number;
  /** Holds if the variable is a number below this one. */
  readonly lt?: number;
  /** Holds if the variable is a number below this one, or this one. */
  readonly lte?: number;
  /** Holds if all of these conditions hold. */
  readonly and?: readonly Condition[];
  /** Holds if at least one of these conditions holds. */
  readonly or?: readonly Condition[];
  /** Holds if this condition does not. */
  readonly not?: Condition;
}

/** The variables that conditions read. */
export type WorkflowContext = Readonly<Record<string, unknown>>;

/**
 * Layers of variables: the first layer with an own member of the name supplies the value. They are not merged,
 * because copying a large context for every iteration of a loop would be slow.
 */
export type Scope = readonly WorkflowContext[];

export function variableIn(scope: Scope, name: string): unknown {
  return scope.find((layer) => Object.hasOwn(layer, name))?.[name];
}

/** All layers merged into one object, for code that cannot use layers. */
export function mergedScope(scope: Scope): WorkflowContext {
  return scope.reduceRight((below, layer) => ({ ...below, ...layer }), {});
}

/** Compares the value of a variable with an operand; a missing variable is undefined. */
type Comparator = (value: unknown, operand: unknown) => boolean;

const comparators: ReadonlyMap<string, Comparator> = new Map<string, Comparator>([
  ['equals', jsonEqual],
  ['not_equals', (value, operand) => !jsonEqual(value, operand)],
  ['gt', ofNumbers((value, operand) => value > operand)],
  ['gte', ofNumbers((value, operand) => value >= operand)],
  ['lt', ofNumbers((value, operand) => value < operand)],
  ['lte', ofNumbers((value, operand) => value <= operand)],
]);

/** The names of all comparators. */
export const COMPARATOR_NAMES: readonly string[] = Object.freeze([...comparators.keys()]);

/** The comparator with the given name, if it exists. */
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
 * Whether two JSON values are strictly equal, without regard to the order of members; an undefined member counts as
 * absent. Handles values of any depth, and cyclic ones.
 */
export function jsonEqual(left: unknown, right: unknown): boolean {
  const seen = new Map<unknown, Set<unknown>>();
  const pending: Pair[] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair[0] === pair[1]) continue;
    const parts = partsOf(pair);
    if (parts === undefined) return false;
    // A repeated pair counts as equal; its first comparison finds any difference
    if (!remember(seen, pair)) continue;
    for (const part of parts) pending.push(part);
  }
  return true;
}

/** The pairs of parts that must be equal for two non-identical values to be equal; undefined if the values differ. */
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
