import type { EvalMetrics, EvalReport, EvalRetrieval, EvalRun, EvalShare } from '../../evals/index.ts';
import { visibleLine } from '../../shared/visible-text.ts';

/** The forms in which results are written. */
export const EVAL_FORMATS = ['text', 'jsonl', 'junit'] as const;
export type EvalFormat = (typeof EVAL_FORMATS)[number];
/** What a stale case means. */
export const STALE = ['fail', 'warn', 'skip'] as const;
export type Stale = (typeof STALE)[number];

/** A line for each run, and one for each surface. */
export function writeJsonLines(reports: readonly EvalReport[]): string {
  return reports
    .flatMap(({ runs, ...report }) => {
      const { surface, model } = report;
      const lines = runs.map((run) => ({ type: 'run', surface, model, ...run }));
      return [...lines, { type: 'surface', ...report }];
    })
    .map((line) => JSON.stringify(line))
    .join('\n');
}

/** A suite for each surface, as CI services read it. */
export function writeJunit(reports: readonly EvalReport[], stale: Stale): string {
  const suites = reports.map(({ surface, model, runs }) => {
    const failed = runs.filter((run) => outcome(run, stale) === 'failure').length;
    const skipped = runs.filter((run) => outcome(run, stale) === 'skipped').length;
    const cases = runs.map((run) => `    ${writeTestCase(run, surface, stale)}`);
    const counts = `tests="${String(runs.length)}" failures="${String(failed)}" skipped="${String(skipped)}"`;
    return [`  <testsuite name="${xml(`${surface} ${model}`)}" ${counts}>`, ...cases, '  </testsuite>'];
  });
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return [head, '<testsuites name="toolwright eval">', ...suites.flat(), '</testsuites>'].join('\n');
}

function outcome({ status }: EvalRun, stale: Stale): 'failure' | 'skipped' | undefined {
  if (status === 'stale') return stale === 'fail' ? 'failure' : 'skipped';
  return status === 'failed' ? 'failure' : undefined;
}

function writeTestCase(run: EvalRun, surface: string, stale: Stale): string {
  const name = run.trial === 1 ? run.case : `${run.case} (${String(run.trial)})`;
  const start = `<testcase classname="${xml(surface)}" name="${xml(name)}"`;
  const element = outcome(run, stale);
  return element === undefined
    ? `${start}/>`
    : `${start}><${element} message="${xml(run.why ?? run.status)}"/></testcase>`;
}

/** Text in an attribute; XML has no way to write most control characters. */
function xml(text: string): string {
  return visibleLine(text).replaceAll(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

const NOTHING = '-';

const METRICS: readonly (readonly [keyof EvalMetrics, string])[] = [
  ['done', 'done'],
  ['doneEveryTime', 'done every time'],
  ['selection', 'first action right'],
  ['noCall', 'no call where none'],
  ['validArguments', 'arguments valid'],
  ['expectedArguments', 'arguments expected'],
  ['repaired', 'repaired by one retry'],
];
/** Fewer cases say nothing of which surface is better. */
const MIN_COMPARED_CASES = 100;

/** For a person: a line for each figure of a surface; of several surfaces, a line for each. */
export function writeText(reports: readonly EvalReport[]): string {
  const [first] = reports;
  if (first === undefined) return '';
  const isMeasured = first.model !== 'scripted';
  const lines = reports.length === 1 ? figureRows(reports) : transposed(figureRows(reports));
  return [
    writeTable(lines),
    ...writeNotes(reports, isMeasured),
    ...writeFailures(reports),
    ...writeFindings(first),
  ].join('\n');
}

/** What each figure is called, and its value on each surface. */
function figureRows(reports: readonly EvalReport[]): readonly (readonly string[])[] {
  const isMeasured = reports[0]?.model !== 'scripted';
  const trials = Math.max(...reports.flatMap(({ runs }) => runs.map(({ trial }) => trial)));
  const shown = METRICS.filter(([name]) =>
    isMeasured ? name !== 'doneEveryTime' || trials > 1 : name === 'done',
  );
  return [
    ['', ...reports.map(({ surface }) => surface)],
    ['tools', ...reports.map(({ tools }) => String(tools))],
    ['tokens of definitions', ...reports.map(({ definitionTokens }) => String(definitionTokens))],
    ['largest tool', ...reports.map(({ largestTool }) => writeLargest(largestTool))],
    ...shown.map(([name, title]) => [
      isMeasured ? title : 'cases that can be done',
      ...reports.map(({ metrics }) => (isMeasured ? writeShare(metrics[name]) : writeCount(metrics[name]))),
    ]),
    ...(isMeasured ? [] : [['what a model does', ...reports.map(() => 'not measured')]]),
    ['calls beyond', ...reports.map(({ extraCalls }) => String(extraCalls))],
    [
      'search by request, among 5',
      ...reports.map(({ retrieval }) => writeFound(retrieval.askAmongFive, retrieval)),
    ],
    [
      'search by query, among 5',
      ...reports.map(({ retrieval }) => writeFound(retrieval.queriesAmongFive, retrieval)),
    ],
  ];
}

function transposed(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ''));
}

function writeLargest(tool: EvalReport['largestTool']): string {
  return tool === null ? NOTHING : `${visibleLine(tool.name)} ${String(tool.tokens)}`;
}

function writeNotes(reports: readonly EvalReport[], isMeasured: boolean): readonly string[] {
  const cases = new Set(reports[0]?.runs.map((run) => run.case)).size;
  if (!isMeasured)
    return ['', 'The expected calls were made, and no model was asked. Searches are a check of texts.'];
  const few =
    reports.length > 1 && cases < MIN_COMPARED_CASES
      ? [
          `${String(cases)} cases are too few to call a surface better: it takes ${String(MIN_COMPARED_CASES)}.`,
        ]
      : [];
  return ['', `Model: ${reports[0]?.model ?? ''}. In brackets: the interval of 95 %.`, ...few];
}

function writeFailures(reports: readonly EvalReport[]): readonly string[] {
  const failed = reports.flatMap(({ surface, runs }) =>
    runs
      .filter(({ status }) => status !== 'done')
      .map((run) => `${run.status}  ${surface}: ${visibleLine(run.case)}: ${visibleLine(run.why ?? '')}`),
  );
  return failed.length === 0 ? [] : ['', ...failed];
}

function writeFindings({ findings }: EvalReport): readonly string[] {
  if (findings.length === 0) return [];
  return [
    '',
    ...findings.map(({ where, message }) => `text  ${visibleLine(where)}: ${visibleLine(message)}`),
  ];
}

function writeShare({ passed, of, low, high }: EvalShare): string {
  if (of === 0) return NOTHING;
  const percent = (share: number): string => String(Math.round(share * 100));
  return `${String(passed)}/${String(of)} (${percent(low)}-${percent(high)} %)`;
}

function writeCount({ passed, of }: EvalShare): string {
  return of === 0 ? NOTHING : `${String(passed)}/${String(of)}`;
}

/** Where there are so few to find, all are among five, and a search says nothing. */
function writeFound(share: EvalShare, { documents }: EvalRetrieval): string {
  if (documents <= 5) return `all of ${String(documents)}`;
  return share.of === 0 ? NOTHING : `${writeCount(share)} of ${String(documents)}`;
}

function writeTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
