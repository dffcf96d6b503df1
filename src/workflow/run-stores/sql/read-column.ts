import type { SqlRow } from './sql-database.ts';

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`The column ${column} should be a text.`);
  return value;
}

/** Some drivers give whole numbers as text. */
export function numberOf(row: SqlRow, column: string): number {
  return Number(row[column]);
}
