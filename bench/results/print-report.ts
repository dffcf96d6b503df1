import type { SectionReport } from './run-section.ts';
import type { Figure } from './section.ts';
import { noiseNote, noiseOf, type Spread } from './spread.ts';
import { shortNumber, tableLines } from './table.ts';
import type { TargetResult } from './target.ts';

type Print = (line: string) => void;

/** The figures of one section. */
export function printSection({ title, reference, figures, failure }: SectionReport, print: Print): void {
  print(`\n${title}`);
  if (failure !== undefined) {
    print(`  FAILED: ${failure}`);
    return;
  }
  print(`  1.00 = ${reference}`);
  const head = ['', 'ratio', 'from', 'to', 'noise'];
  const lines = tableLines([head, ...figures.map(figureRow)]);
  for (const [index, line] of lines.entries()) print(`  ${line}${noteOf(figures[index - 1])}`);
}

/** All targets, in one table. */
export function printTargets(targets: readonly TargetResult[], print: Print): void {
  print('\nTargets');
  const head = ['', 'target', 'measured', 'from', 'to', 'noise', 'verdict'];
  const lines = tableLines([head, ...targets.map(targetRow)]);
  for (const [index, line] of lines.entries()) {
    const reason = targets[index - 1]?.reason;
    print(`  ${line}${reason === undefined ? '' : `   ${reason}`}`);
  }
  const missed = targets.filter(({ ok }) => ok === false).length;
  const unmeasured = targets.filter(({ ok }) => ok === null).length;
  const noisy = targets.filter(({ ok, reason }) => ok !== null && reason !== undefined).length;
  print(`\n  ${targets.length} targets: ${missed} missed, ${unmeasured} not measured, ${noisy} noisy`);
}

function figureRow({ name, ratio }: Figure): readonly string[] {
  if (ratio === undefined) return [name, 'none', '', '', ''];
  const { median, minimum, maximum } = ratio;
  return [name, ...[median, minimum, maximum].map(shortNumber), percent(noiseOf(ratio))];
}

function noteOf(figure: Figure | undefined): string {
  const notes = [figure?.note, figure?.ratio === undefined ? undefined : repetitionNote(figure.ratio)];
  return notes.map((note) => (note === undefined ? '' : `   ${note}`)).join('');
}

function repetitionNote(ratio: Spread): string | undefined {
  const calmed = ratio.takes === undefined ? undefined : `the calmest of ${ratio.takes} takes`;
  return noiseNote(ratio) ?? calmed;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function targetRow({ name, target, measured, minimum, maximum, noise, ok }: TargetResult): readonly string[] {
  const verdict = ok === null ? 'not measured' : ok ? 'met' : 'MISSED';
  const [shown, from, to] = [measured, minimum, maximum].map((value) =>
    value === null ? '' : shortNumber(value),
  ) as [string, string, string];
  return [name, target, shown, from, to, noise === null ? '' : percent(noise), verdict];
}
