import { sarifLog, workflowCommand, type SarifResult } from '../output/code-host.ts';
import { LEVELS, RULES, type Change, type Level } from './changes.ts';
import { countLevels } from './report.ts';
import type { Verdict } from './verdict.ts';

/** GitHub shows ten errors and ten warnings of a step. */
const MOST_SHOWN = 10;

const COMMANDS: Readonly<Record<Level, 'error' | 'warning' | 'notice'>> = {
  breaking: 'error',
  risky: 'warning',
  safe: 'notice',
};

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
  for (const level of LEVELS) {
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

const SARIF_LEVELS: Readonly<Record<Level, SarifResult['level']>> = {
  breaking: 'error',
  risky: 'warning',
  safe: 'note',
};
const STALE = 'accepted-without-change';

/** A log of SARIF with one rule for each that was met. */
export function reportAsSarif(
  { changes, unmatched }: Verdict,
  file: string,
  lineOf: (change: Change) => number,
): object {
  const met = [...new Set(changes.map(({ rule }) => rule))];
  const rules = met.map((id) => ({ id: id, meaning: `${RULES[id].title}.` }));
  const stale = { id: STALE, meaning: 'An accepted change did not happen.' };
  return sarifLog(file, unmatched.length === 0 ? rules : [...rules, stale], [
    ...changes.map((change) => ({
      rule: change.rule,
      level: SARIF_LEVELS[change.level],
      text: `${change.where}: ${change.message}.`,
      where: change.where,
      line: lineOf(change),
    })),
    ...unmatched.map(({ rule, where }) => ({
      rule: STALE,
      level: 'error' as const,
      text: `${where}: ${rule} is accepted, and did not happen. Remove the entry.`,
      where,
      line: 1,
      detail: rule,
    })),
  ]);
}
