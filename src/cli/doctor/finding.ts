import type { FindingLevel } from '../output/levels.ts';
import type { Terminal } from '../output/terminal.ts';
import { wrap } from '../output/wrap.ts';

/** What was looked at, and what was found there. */
export interface Finding {
  readonly about: string;
  readonly state: 'ok' | FindingLevel;
  readonly found: string;
  readonly fix?: string;
}

/** Where things are looked for. */
export interface Project {
  readonly folder: string;
  /** The file with the application, if one was named. */
  readonly file: string | undefined;
}

const COLOURS = { ok: 'green', advice: 'yellow', note: 'dim', problem: 'red' } as const;
const WIDTH = 'problem'.length;

/** A finding in lines for a person. */
export function sayFinding({ about, state, found, fix }: Finding, { paint, width }: Terminal): string {
  const start = `${paint[COLOURS[state]](state)}${' '.repeat(WIDTH - state.length)}  `;
  const text = `${paint.bold(about)}: ${found}${fix === undefined ? '' : `\nfix: ${fix}`}`;
  return start + wrap(text, width - WIDTH - 2, '  ').replaceAll('\n', `\n${' '.repeat(WIDTH + 2)}`);
}

export function countProblems(findings: readonly Finding[]): number {
  return findings.filter(({ state }) => state === 'problem').length;
}
