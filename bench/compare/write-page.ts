import type { MeasuredRow } from './measured.ts';
import { MEASURED_COLUMNS, readFigure } from './measured.ts';
import { noiseOf } from '../results/spread.ts';
import { shortNumber } from '../results/table.ts';
import type { Comparison, Documents, Feature } from './read-results.ts';

const OWN = MEASURED_COLUMNS[0];

/** The whole page, before it is laid out. */
export function writePage(comparison: Comparison): string {
  const { rows, surfaces, features, notes, documents } = comparison;
  const [behind, ahead] = split(rows, isBehind);
  const [without, withFeature] = split(features, ({ test }) => test === undefined);
  const sources = [
    ...new Set(features.flatMap(({ others }) => Object.values(others).map(({ source }) => source))),
  ];
  const featureTable = (list: readonly Feature[]): string =>
    writeFeatures(list, Object.keys(documents.columns), sources);
  const blocks = [
    '# Toolwright beside other frameworks',
    '<!-- Written by `npm run compare` from the files of results; do not edit. -->',
    `Speed, size and tokens are measured here, with the same tools in each framework. What frameworks offer is as their documents
and packages say, read on ${documents.date}. \`-\` is not measured, and \`?\` not found. Rows in which Toolwright is behind stand first.`,
    '## Where Toolwright is behind',
    measuredTable(behind),
    featureTable(without),
    '## What else was measured',
    measuredTable(ahead),
    ...notes,
    '## What frameworks offer',
    describeDocuments(documents),
    featureTable(withFeature),
    'These files of the repository show it in Toolwright:',
    withFeature.map(({ name, test = '' }) => `- ${name}: \`${test}\``).join('\n'),
    '## Tokens on each surface',
    `The same actions on each [surface](guides/surfaces.md), and in one tool for each group with each form of description. \`own\` is
what the application declares. Fewer tokens do not mean that a model does better: what models do on each surface is _not
measured_.`,
    surfaceTable(surfaces),
    '## Measure again',
    `\`\`\`sh
npm run compare -- --measure # builds and measures all of it, in less than 20 minutes on a machine that does nothing else
npm run compare -- --tokens  # only what has no noise
npm run compare              # writes this page and its pictures from what was measured
\`\`\``,
    `Measuring says in which rows the run before is contradicted: rounds without a common value, or another count where there is
no noise. [Benchmarks](benchmarks.md) says how rates are measured.`,
    // Addresses in the cells would make the lines of the tables thousands of characters long
    sources.map((source, place) => `[${String(place + 1)}]: ${source}`).join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function split<T>(list: readonly T[], test: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(test), list.filter((each) => !test(each))];
}

/** Whether another framework has a better figure. */
export function isBehind({ values, better }: MeasuredRow): boolean {
  const own = readFigure(values[OWN]);
  const others = MEASURED_COLUMNS.slice(1).flatMap((column) => readFigure(values[column]) ?? []);
  if (own === undefined || others.length === 0) return false;
  return better === 'more' ? Math.max(...others) > own : Math.min(...others) < own;
}

function measuredTable(rows: readonly MeasuredRow[]): string {
  const head = ['', 'better', ...MEASURED_COLUMNS];
  const lines = rows.map((row) => [
    `${row.name} (${row.unit})`,
    row.better,
    ...MEASURED_COLUMNS.map((column) => writeValue(row.values[column])),
  ]);
  return writeTable([head, ...lines]);
}

/** The median, and how far its rounds are apart. */
function writeValue(value: MeasuredRow['values'][string] | undefined): string {
  if (value === undefined || typeof value === 'string') return '-';
  if (typeof value === 'number') return value.toLocaleString('en');
  return `${shortNumber(value.median)} ±${String(Math.round((noiseOf(value) / 2) * 100))} %`;
}

function surfaceTable(rows: readonly MeasuredRow[]): string {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const lines = rows.map(({ name, values }) => [
    name,
    ...columns.map((column) => writeValue(values[column])),
  ]);
  return writeTable([['', ...columns], ...lines]);
}

function describeDocuments({ columns }: Documents): string {
  const versions = Object.entries(columns).flatMap(([name, { version }]) =>
    version === undefined ? [] : `${name} ${version}`,
  );
  return `Each cell links to what was read; \`no\` means that neither the package nor its documents have the feature. The versions are those above, and ${versions.join(', ')}; later ones may have more.`;
}

function writeFeatures(
  features: readonly Feature[],
  columns: readonly string[],
  sources: readonly string[],
): string {
  const lines = features.map(({ name, own, others }) => [
    name,
    own,
    ...columns.map((column) => {
      const found = others[column];
      return found === undefined ? '?' : `[${found.value}][${String(sources.indexOf(found.source) + 1)}]`;
    }),
  ]);
  return writeTable([['', OWN, ...columns], ...lines]);
}

function writeTable([head = [], ...lines]: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
