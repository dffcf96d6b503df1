import type { Change, Level } from './changes.ts';
import { countLevels } from './report.ts';
import type { Verdict } from './verdict.ts';

/** GitHub shows ten errors and ten warnings of a step. */
const MOST_SHOWN = 10;

const COMMANDS: Readonly<Record<Level, string>> = { breaking: 'error', risky: 'warning', safe: 'notice' };

/**
 * Workflow commands, which GitHub shows at the line of the file. Where there are more of a level than it shows, the last
 * one says how many stand in the summary only.
 * @param lineOf the line of a place in the file, from 1
 */
export function reportAsGithub(
  { changes, unmatched }: Verdict,
  file: string,
  lineOf: (change: Change) => number,
): string {
  const lines: string[] = [];
  for (const level of ['breaking', 'risky', 'safe'] as const) {
    const own = changes.filter((change) => change.level === level);
    const shown = own.length > MOST_SHOWN ? own.slice(0, MOST_SHOWN - 1) : own;
    for (const change of shown) {
      lines.push(
        workflowCommand(
          COMMANDS[level],
          { file, line: lineOf(change), title: change.where },
          `${change.message}.`,
        ),
      );
    }
    const hidden = own.length - shown.length;
    if (hidden > 0)
      lines.push(
        workflowCommand(
          COMMANDS[level],
          { file, line: 1, title: `${hidden} more ${level} changes` },
          `${hidden} ${level} changes are only in the summary.`,
        ),
      );
  }
  for (const { rule, where } of unmatched) {
    const title = `${where}: accepted, and did not happen`;
    lines.push(workflowCommand('error', { file, line: 1, title }, `Remove the entry for ${rule}.`));
  }
  lines.push(changes.length === 0 ? 'No difference.' : `${countLevels(changes)}.`);
  return `${lines.join('\n')}\n`;
}

/** `::error file=…,line=…,title=…::…`, escaped as GitHub reads it. */
export function workflowCommand(
  command: string,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${command} ${given.join(',')}::${escapeMessage(message)}`;
}

function escapeMessage(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(value: string): string {
  return escapeMessage(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
