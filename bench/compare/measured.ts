import type { Spread } from '../results/spread.ts';

/** The columns of what is measured side by side. */
export const MEASURED_COLUMNS = [
  'toolwright',
  'SDK v1',
  'SDK v2',
  'fastmcp',
  '@rekog/mcp-nest',
  'mcp-lite',
  'tmcp',
] as const;

/** One line of a table. */
export interface MeasuredRow {
  readonly name: string;
  /** Such as `tokens`, or what it is a multiple of. */
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** By column; a text says why nothing was measured. What has no noise has one value. */
  readonly values: Readonly<Record<string, Spread | number | string>>;
}

/** A file of results: a date, what was measured on which machine, and in which versions. */
export interface MeasuredFile {
  /** As `2026-11-28`. */
  readonly date: string;
  readonly machine: { readonly node: string; readonly cpus: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly MeasuredRow[];
}

/** The figure itself; undefined where nothing was measured. */
export function readFigure(value: MeasuredRow['values'][string] | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' ? value.median : undefined;
}

/**
 * The rows in which two runs contradict each other: their rounds have no value in common, or what has no noise differs.
 * A row that only one of them has is one, too.
 */
export function findDisagreements(first: MeasuredFile, second: MeasuredFile): readonly string[] {
  const rowsOf = ({ rows }: MeasuredFile): ReadonlyMap<string, MeasuredRow> =>
    new Map(rows.map((row) => [row.name, row]));
  const [left, right] = [rowsOf(first), rowsOf(second)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [left.get(name)?.values ?? {}, right.get(name)?.values ?? {}];
    const columns = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...columns]
      .filter((column) => !agree(one[column], other[column]))
      .map((column) => `${name}, ${column}: ${write(one[column])} and ${write(other[column])}`);
  });
}

type Value = MeasuredRow['values'][string] | undefined;

function agree(one: Value, other: Value): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.minimum <= other.maximum && other.minimum <= one.maximum;
}

function write(value: Value): string {
  if (typeof value !== 'object') return String(value ?? 'nothing');
  return `${value.minimum.toPrecision(3)} to ${value.maximum.toPrecision(3)}`;
}
