import type { ApiPlan } from '../../openapi/index.ts';
import type { Terminal } from '../output/terminal.ts';

/** A plan as a table, with the reason of each operation that is left out. */
export function planText({ groups, total, operations }: ApiPlan, terminal: Terminal): string {
  const rows = [
    ['group', 'actions', 'reads', 'writes', 'tokens', 'left out'],
    ...groups.map(({ name, actions, reads, writes, tokens, leftOut }) => [
      terminal.label(name),
      ...[actions, reads, writes, tokens].map((count) => count.toLocaleString('en')),
      Object.entries(leftOut)
        .map(([reason, count]) => `${String(count)} ${reason}`)
        .join(', '),
    ]),
    [
      'all tools',
      ...[total.actions, total.reads, total.writes, total.tokens].map((count) => count.toLocaleString('en')),
      '',
    ],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const cell = (text: string, column: number): string =>
    column === 0 || column === 5 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  const table = rows.map((row) => row.map(cell).join('  ').trimEnd());
  const left = operations.flatMap(({ key, leftOut }) =>
    leftOut === undefined
      ? []
      : [`  ${terminal.label(key)}: ${leftOut.reason}; ${terminal.label(leftOut.note)}`],
  );
  return [...table, ...(left.length === 0 ? [] : ['', 'Left out:', ...left])].join('\n');
}
