import { dirname } from 'node:path';
import type { RunCommand } from '../command.ts';
import { examineApplication, examinePort } from '../doctor/application.ts';
import type { Finding, Project } from '../doctor/finding.ts';
import { examineNode, examinePackages } from '../doctor/packages.ts';
import { examineLoader, examineTsconfig } from '../doctor/sources.ts';
import { EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { wrap } from '../output/wrap.ts';
import { chooseEntry, findEntries } from '../target/default-entry.ts';
import { readReference } from '../target/entry.ts';

interface DoctorOptions {
  readonly timeout?: number;
}

/** Looks at all that an application needs around it, and ends with 1 where something will not work. */
export const run: RunCommand<DoctorOptions> = async ({ values: [given], options }, terminal) => {
  const reference = given === undefined && findEntries('.').length === 0 ? undefined : chooseEntry(given);
  const file = reference === undefined ? undefined : readReference(reference).file;
  const project: Project = { folder: file === undefined ? process.cwd() : dirname(file), file };
  const findings = [
    examineNode(),
    ...examinePackages(project),
    await examineLoader(project),
    ...examineTsconfig(project),
    ...(reference === undefined
      ? [await examinePort()]
      : await examineApplication(reference, options.timeout)),
  ];
  terminal.give({ checks: findings }, () => findings.map((each) => linesOf(each, terminal)).join('\n'));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (problems === 0) return EXIT.done;
  terminal.say(`${String(problems)} ${problems === 1 ? 'problem' : 'problems'}.`);
  return EXIT.finding;
};

const COLOURS = { ok: 'green', advice: 'yellow', note: 'dim', problem: 'red' } as const;
const WIDTH = 'problem'.length;

function linesOf({ about, state, found, fix }: Finding, { paint, width }: Terminal): string {
  const start = `${paint[COLOURS[state]](state)}${' '.repeat(WIDTH - state.length)}  `;
  const text = `${paint.bold(about)}: ${found}${fix === undefined ? '' : `\nfix: ${fix}`}`;
  return start + wrap(text, width - WIDTH - 2, '  ').replaceAll('\n', `\n${' '.repeat(WIDTH + 2)}`);
}
