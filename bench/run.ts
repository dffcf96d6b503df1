/** Measures Toolwright beside others, prints tables, and writes `bench/results.json`; see docs/benchmarks.md. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { compileSources } from './compile-sources.ts';
import { BENCH } from './folders.ts';
import { installPeers } from './install-peers.ts';
import { readOptions } from './options.ts';
import { printSection, printTargets } from './results/print-report.ts';
import { runSection, type SectionReport } from './results/run-section.ts';
import type { SectionContext } from './results/section.ts';
import { repetitionEnd } from './results/time-limit.ts';
import { SECTIONS } from './sections/all-sections.ts';

const RESULTS = join(BENCH, 'results.json');

const print = (line: string): void => console.log(line);
const { isQuick, sections } = readOptions(process.argv.slice(2));
const settings = isQuick
  ? { rounds: 3, window: 200, warmUp: 500, repeats: 0 }
  : { rounds: 5, window: 1000, warmUp: 4000, repeats: 2 };

const seconds = (): string => (performance.now() / 1000).toFixed(0);
const peers = await installPeers(print);
await compileSources();
const start = Date.now();
const reports: SectionReport[] = [];
for (const [index, name] of sections.entries()) {
  const prefix = `${index + 1}/${sections.length} ${name}`;
  const progress = (text: string): void => print(`[${prefix}, ${seconds()} s] ${text}`);
  const later = sections.slice(index + 1).map((other) => SECTIONS[other]);
  const repeatUntil = repetitionEnd(start, later);
  const context: SectionContext = { ...settings, repeatUntil, progress };
  const report = await runSection(SECTIONS[name], context);
  printSection(report, print);
  reports.push(report);
}
const targets = reports.flatMap((report) => report.targets);
printTargets(targets, print);
const machine = { node: process.version, cpus: availableParallelism() };
await writeFile(
  RESULTS,
  `${JSON.stringify({ ...machine, ...settings, isQuick, peers, targets, sections: reports }, null, 2)}\n`,
);
print(`\nWritten to ${RESULTS} after ${seconds()} s`);
// A missed target is a figure; a section that cannot run is a fault
process.exitCode = reports.some(({ failure }) => failure !== undefined) ? 1 : 0;
