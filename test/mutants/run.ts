/**
 * Measures what the tests protect: each place of `places.json` gets its mutation, alone, and the tests have to notice.
 * Nothing happens to the clone, since every job has a copy of it.
 *
 * Stryker would not do it in time. Its command runner runs one command whole for each mutant, which is all of
 * `npm test`; its Jest runner finds the suites for a mutant by a run of all suites with coverage in code that it has
 * rewritten, and both name places by path and line, so that the same list cannot be run before and after files move.
 *
 * `--only TEXT` for places whose path or code has the text, `--out FILE` for the results as JSON, `--jobs N`,
 * `--limit` and `--core-limit` for the seconds of one mutant, `--minutes` for the whole. A suite that fails counts only
 * where it passes without the mutation: it runs once more, unless `--known FILE` has what `jest --json` wrote for the
 * same code. `--make-list` writes a new list, by `--seed`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROOT } from '../pins/docs/example.ts';
import { makeList } from './make-list.ts';
import { countResults, printResults } from './mutant-result.ts';
import { readPlaces, LIST } from './places.ts';
import { runMutants } from './run-mutants.ts';
import { readTexts } from './sources.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    out: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    limit: { type: 'string', default: '120' },
    'core-limit': { type: 'string', default: '120' },
    minutes: { type: 'string', default: '600' },
    known: { type: 'string' },
    'make-list': { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});

if (values['make-list']) {
  const places = makeList(readTexts(`${ROOT}src`), Number(values.seed));
  writeFileSync(LIST, `${JSON.stringify({ seed: Number(values.seed), places }, undefined, 2)}\n`);
  console.log(`${String(places.length)} places, seed ${values.seed}`);
  process.exit();
}

/** The suites that passed in a run of all, without a mutation. */
function readHealth(file: string | undefined): Map<string, boolean> {
  if (file === undefined) return new Map();
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string }[];
  };
  const passed = testResults.filter(({ status }) => status === 'passed');
  return new Map(passed.map(({ name }) => [name.slice(name.lastIndexOf('/test/') + 1), true]));
}

const stop = new AbortController();
const end = (): void => stop.abort();
process.once('SIGINT', end).once('SIGTERM', end);
const timer = setTimeout(end, Number(values.minutes) * 60_000);
const begun = performance.now();
const results = await runMutants({
  places: readPlaces(),
  only: values.only,
  jobs: Number(values.jobs),
  limit: Number(values.limit),
  coreLimit: Number(values['core-limit']),
  signal: stop.signal,
  health: readHealth(values.known),
  onResult: (soFar) => {
    if (values.out === undefined) return;
    const minutes = Number(((performance.now() - begun) / 60_000).toFixed(1));
    writeFileSync(
      values.out,
      `${JSON.stringify({ ...countResults(soFar), minutes, results: soFar }, undefined, 2)}\n`,
    );
  },
});
clearTimeout(timer);
printResults(results);
const isWhole = results.every(({ outcome }) => outcome !== 'not run');
console.log(
  `${String(Math.round((performance.now() - begun) / 60_000))} minutes${isWhole ? '' : ', stopped before its end'}`,
);
process.exit();
