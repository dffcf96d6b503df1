import type { ShownFinding } from '../output/findings.ts';
import { isAtLeast, type FindingLevel } from '../output/levels.ts';
import type { Terminal } from '../output/terminal.ts';

/** Client → code → the most serious level of what was found. */
export type FindingMatrix = Readonly<Record<string, Readonly<Record<string, FindingLevel>>>>;

export function createMatrix(clients: readonly string[], findings: readonly ShownFinding[]): FindingMatrix {
  const rows = clients.map((id) => {
    const row: Record<string, FindingLevel> = {};
    for (const { code, level, client } of findings) {
      if (client === id && isAtLeast(level, row[code] ?? 'note')) row[code] = level;
    }
    return [id, row] as const;
  });
  return Object.fromEntries(rows);
}

/** A row for each code, a column for each client that something was found for. */
export function matrixText(
  clients: readonly string[],
  findings: readonly ShownFinding[],
  { paint }: Pick<Terminal, 'paint'>,
): string {
  const matrix = createMatrix(clients, findings);
  const codes = [...new Set(findings.map(({ code }) => code))];
  const left = Math.max(0, ...clients.map(({ length }) => length));
  const colours = { problem: paint.red, advice: paint.yellow, note: paint.dim };
  const rows = clients.map((id) => {
    const own = codes.flatMap((code) => {
      const level = matrix[id]?.[code];
      return level === undefined ? [] : [`${colours[level](level)} ${code.replace('TW_FOR_', '')}`];
    });
    return `${id.padEnd(left)}  ${own.length === 0 ? paint.green('ok') : own.join(', ')}`;
  });
  return rows.join('\n');
}
