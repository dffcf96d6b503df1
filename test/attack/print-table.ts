import type { AttackRow } from './attack.ts';

/** One line for an attack, one group of columns for each build. */
export function printTable(
  builds: readonly string[],
  columns: readonly (readonly AttackRow[])[],
  limit: number,
): void {
  const names = [...new Set(columns.flat().map(({ name }) => name))];
  const width = Math.max(10, ...names.map((name) => name.length));
  const heads = builds.map(() => ['ms'.padStart(10), 'benign'.padStart(9), 'ratio'.padStart(7)].join(' '));
  builds.forEach((build, index) => console.log(`build ${String(index + 1)}: ${build}`));
  console.log(`${'attack'.padEnd(width)} ${'bytes'.padStart(9)} ${heads.join(' |')}`);
  for (const name of names) {
    const rows = columns.map((rows) => rows.find((row) => row.name === name));
    const bytes = String(rows.find((row) => row !== undefined)?.bytes ?? '');
    const cells = rows.map((row) => (row === undefined ? ' '.repeat(28) : cellsOf(row, limit)));
    const notes = rows.flatMap((row) => notesOf(row)).join(' | ');
    console.log(`${name.padEnd(width)} ${bytes.padStart(9)} ${cells.join(' |')}  ${notes}`.trimEnd());
  }
  console.log(`${String(names.length)} attacks`);
}

function notesOf(row: AttackRow | undefined): readonly string[] {
  const fault = row?.fault === undefined ? undefined : `BROKEN: ${row.fault}`;
  return [row?.note, fault].filter((text) => text !== undefined);
}

function cellsOf({ milliseconds, benign }: AttackRow, limit: number): string {
  const time = milliseconds === undefined ? `> ${String(limit / 1000)} s` : milliseconds.toFixed(1);
  const ratio = benign === undefined || benign === 0 ? '' : ((milliseconds ?? limit) / benign).toFixed(1);
  return [time.padStart(10), (benign?.toFixed(1) ?? '').padStart(9), ratio.padStart(7)].join(' ');
}
