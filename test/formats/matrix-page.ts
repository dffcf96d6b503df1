import { ROW_IDS, ROWS } from '../../src/formats/rewrite/rows.ts';
import type { Target } from '../../src/formats/rewrite/rules/rule.ts';
import {
  anthropic,
  anthropicStrict,
  geminiJson,
  geminiOpenApi,
  mcp,
  openai,
  openaiStrict,
} from '../../src/formats/rewrite/targets.ts';

/** The matrix of keywords and targets as lines of cells, made of the tables that convert; the first is its head. */
export function matrixCells(): readonly (readonly string[])[] {
  const head = ['keyword', ...TARGETS.map(({ name }) => name)];
  const rows = ROW_IDS.map((id) => [ROWS[id].label, ...TARGETS.map(({ rules }) => rules[id].letter)]);
  return [head, ...rows];
}

/** The matrix as a page of the documentation. */
export function matrixPage(): string {
  const cells = matrixCells();
  const columns = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lineOf = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(columns[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rows] = cells;
  const rule = lineOf(columns.map((width) => '-'.repeat(width)));
  return [...PREFACE, lineOf(head), rule, ...rows.map(lineOf), ''].join('\n');
}

const PREFACE = [
  '# Keywords and targets',
  '',
  '<!-- Written by `npm run formats:matrix` from the tables that convert. Do not edit. -->',
  '',
  'What becomes of each keyword of JSON Schema when a tool is written for a target:',
  '',
  '- **K** kept',
  '- **t** rewritten without loss, and without a warning',
  '- **T** rewritten with a loss (`transformed`)',
  '- **D** moved into the description (`described`)',
  '- **X** removed (`dropped`)',
  '- **E** a `ConversionError`',
  '',
  '"a / b" is a when that is possible, else b. The columns of OpenAI hold for Chat Completions and Responses;',
  "`gemini-openapi` is Gemini's field `parameters`, `gemini-json` is `parametersJsonSchema`. A2A carries no schemas.",
  '',
];

/** The columns of the matrix, in its order. */
const TARGETS: readonly Target[] = Object.freeze([
  mcp,
  openai,
  openaiStrict,
  anthropic,
  anthropicStrict,
  geminiOpenApi,
  geminiJson,
]);
