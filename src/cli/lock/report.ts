import { visibleText } from '../../shared/visible-text.ts';
import type { Paint } from '../output/colours.ts';
import { ADVICE, LEVELS, type Change, RULES, type Level } from './changes.ts';
import type { Verdict } from './verdict.ts';
import { sarifLog, workflowCommand, type SarifResult } from '../output/code-host.ts';

/** The forms in which a difference can be written. */
export const DIFF_FORMATS = Object.freeze(['text', 'json', 'markdown', 'github', 'sarif'] as const);

export type DiffFormat = (typeof DIFF_FORMATS)[number];

/** How a text is coloured, and how names of others are made harmless: a terminal has both. */
interface Style {
  readonly paint: Paint;
  label(text: string): string;
}

/** For a person at a terminal. */
export function reportAsText(verdict: Verdict, style: Style): string {
  const { paint } = style;
  const label = (text: string): string => style.label(text);
  const { changes, accepted, unmatched, level } = verdict;
  const colours = { breaking: paint.red, risky: paint.yellow, safe: paint.green };
  const lines = changes.map(
    (change) =>
      `${colours[change.level](change.level.padEnd(8))}  ${paint.bold(label(change.where))}  ${label(change.message)}.`,
  );
  for (const { where, rule, reason } of accepted)
    lines.push(paint.dim(label(`accepted  ${where}  ${rule}: ${reason}`)));
  for (const { where, rule } of unmatched)
    lines.push(
      `${paint.red('unmatched')} ${paint.bold(label(where))}  ${label(rule)} is accepted, and did not happen: remove the entry`,
    );
  if (lines.length > 0) lines.push('');
  lines.push(
    level === undefined
      ? 'No difference.'
      : `${countLevels(changes)}. This asks for a ${ADVICE[level]} version.`,
  );
  return `${lines.join('\n')}\n`;
}

/** `2 breaking, 1 safe`. */
function countLevels(changes: readonly Change[]): string {
  const counts = LEVELS.map(
    (level) => [changes.filter((change) => change.level === level).length, level] as const,
  );
  return counts
    .filter(([count]) => count > 0)
    .map(([count, level]) => `${count} ${level}`)
    .join(', ');
}

/** For programs. */
export function reportAsJson({ changes, accepted, unmatched, level, isFailure }: Verdict): object {
  return {
    level: level ?? null,
    advice: level === undefined ? null : ADVICE[level],
    failed: isFailure,
    changes: changes.map(plain),
    accepted: accepted.map((change) => ({ ...plain(change), reason: change.reason })),
    unmatched,
  };
}

function plain({ level, rule, where, message }: Change): object {
  return { level, rule, where, message };
}

/** For a comment on a change: a table, the most serious first. */
export function reportAsMarkdown({ changes, accepted, unmatched, level }: Verdict): string {
  const lines = ['## What changes for clients', ''];
  if (level === undefined) lines.push('No difference.');
  else {
    lines.push(`${countLevels(changes)}. This asks for a **${ADVICE[level]}** version.`, '');
    lines.push('| Level | Where | What |', '| --- | --- | --- |');
    for (const change of changes)
      lines.push(`| ${change.level} | ${cell(change.where)} | ${text(change.message)}. |`);
  }
  if (accepted.length > 0) lines.push('', 'Accepted:', '');
  for (const { where, rule, reason } of accepted) lines.push(`- ${cell(where)} (${rule}): ${text(reason)}`);
  if (unmatched.length > 0) lines.push('', 'Accepted, and did not happen (remove these entries):', '');
  for (const { where, rule } of unmatched) lines.push(`- ${cell(where)} (${text(rule)})`);
  return `${lines.join('\n')}\n`;
}

function cell(value: string): string {
  return `\`${oneLine(value).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

function text(value: string): string {
  return oneLine(value).replace(/[\\`*_<>|[\]]/g, '\\$&');
}

/** A line break of any kind would end the row. */
function oneLine(value: string): string {
  return visibleText(value.replace(/[\r\n]+/g, ' '));
}

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
