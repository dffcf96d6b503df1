import type { Paint } from '../output/colours.ts';
import { ADVICE, LEVELS, type Change } from './changes.ts';
import type { Verdict } from './verdict.ts';

/** The forms in which a difference can be written. */
export const DIFF_FORMATS = Object.freeze(['text', 'json', 'markdown', 'github', 'sarif'] as const);

export type DiffFormat = (typeof DIFF_FORMATS)[number];

/** How a text is coloured, and how text of others is made harmless: a terminal has both. */
export interface Style {
  readonly paint: Paint;
  foreign(text: string): string;
}

/** For a person at a terminal. */
export function reportAsText(verdict: Verdict, style: Style): string {
  const { paint } = style;
  const foreign = (text: string): string => style.foreign(text);
  const { changes, accepted, unmatched, level } = verdict;
  const colours = { breaking: paint.red, risky: paint.yellow, safe: paint.green };
  const lines = changes.map(
    (change) =>
      `${colours[change.level](change.level.padEnd(8))}  ${paint.bold(foreign(change.where))}  ${foreign(change.message)}.`,
  );
  for (const { where, rule, reason } of accepted)
    lines.push(paint.dim(foreign(`accepted  ${where}  ${rule}: ${reason}`)));
  for (const { where, rule } of unmatched)
    lines.push(
      `${paint.red('unmatched')} ${paint.bold(foreign(where))}  ${foreign(rule)} is accepted, and did not happen: remove the entry`,
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
export function countLevels(changes: readonly Change[]): string {
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
  return `\`${value.replaceAll('`', "'").replaceAll('|', '\\|').replaceAll('\n', ' ')}\``;
}

function text(value: string): string {
  return value.replace(/[\\`*_<>|[\]]/g, '\\$&').replaceAll('\n', ' ');
}
