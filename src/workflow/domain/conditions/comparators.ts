import { jsonEqual } from './json-equal.ts';

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
