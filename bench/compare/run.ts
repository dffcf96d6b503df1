/** Writes docs/comparison.md and its pictures from what was measured; with `--measure` it measures first. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { layOut } from '../../.ci/format.mjs';
import { compileSources } from '../compile-sources.ts';
import { PROJECT } from '../folders.ts';
import { installPeers } from '../install-peers.ts';
import { drawChart } from './draw-chart.ts';
import { measureSize } from './measure-size.ts';
import { measureSpeed } from './measure-speed.ts';
import { findDisagreements, type MeasuredFile, type MeasuredRow } from './measured.ts';
import { readComparison, SPEED, SURFACES, TOKENS } from './read-results.ts';
import { writePage } from './write-page.ts';

/** As long as nothing else runs, all of it takes less than 20 minutes. */
const MAX_MINUTES = 15;

const wanted = process.argv.slice(2);
const known = ['--measure', '--tokens'];
const unknown = wanted.find((option) => !known.includes(option));
if (unknown !== undefined)
  throw new RangeError(`There is no option ${unknown}; there are ${known.join(' and ')}`);
if (wanted.length > 0) await measure(!wanted.includes('--measure'));

const comparison = readComparison();
const docs = join(PROJECT, 'docs');
await writeFile(join(docs, 'comparison.md'), await layOut('comparison.md', writePage(comparison)));
for (const theme of ['light', 'dark'] as const)
  await writeFile(join(docs, `images/comparison-${theme}.svg`), drawChart(comparison, theme));
console.log('Wrote docs/comparison.md and docs/images/comparison-*.svg');

async function measure(onlyTokens: boolean): Promise<void> {
  const progress = (text: string): void =>
    console.log(`[${(performance.now() / 1000).toFixed(0)} s] ${text}`);
  const versions = await installPeers(progress);
  execFileSync('npm', ['run', 'build'], { cwd: PROJECT, stdio: 'inherit' });
  // It imports the package that was just built
  const { measureTokens } = await import('../tokens/measure-tokens.ts');
  const { surfaces, sideBySide } = await measureTokens(progress);
  await keep(TOKENS, versions, sideBySide);
  await keep(SURFACES, versions, surfaces);
  if (onlyTokens) return;
  await compileSources();
  const repeatUntil = Date.now() + MAX_MINUTES * 60_000;
  const context = { rounds: 5, window: 1000, warmUp: 4000, repeats: 2, repeatUntil, progress };
  await keep(SPEED, versions, [...(await measureSpeed(context)), ...measureSize()]);
}

/** Says in which rows the run before is contradicted. */
async function keep(
  path: string,
  versions: MeasuredFile['versions'],
  rows: readonly MeasuredRow[],
): Promise<void> {
  const machine = { node: process.version, cpus: availableParallelism() };
  const file: MeasuredFile = { date: new Date().toISOString().slice(0, 10), machine, versions, rows };
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== undefined)
    for (const line of findDisagreements(JSON.parse(before) as MeasuredFile, file))
      console.log(`differs: ${line}`);
  await writeFile(path, await layOut('measured.json', JSON.stringify(file)));
}
