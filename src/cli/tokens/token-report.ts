import type { ActionTokens, SurfaceTokens, TokenParts, ToolTokens } from '../../tokens/index.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import { wrap } from '../output/wrap.ts';

/** The same actions, offered in another way. */
export interface Alternative {
  readonly name: string;
  /** How many tools a client is listed. */
  readonly tools: number;
  readonly tokens: number;
  /** The tool with the most tokens: an estimate in the encoding o200k_base where a provider counts the rest. */
  readonly largest: Pick<ToolTokens, 'name' | 'tokens'> | null;
  /** Whether the application offers them in this way now. */
  readonly isCurrent: boolean;
}

/** All that is known of what a server costs. */
export interface TokenReport extends SurfaceTokens {
  /** The form that is counted: `mcp`, or that of a provider. */
  readonly form: string;
  readonly isExact: boolean;
  /** What the parts are figures of, where a provider counted the rest: an estimate, which adds up to another sum. */
  readonly partsOf?: string;
  /** By the name of the tool. */
  readonly actions: Readonly<Record<string, readonly ActionTokens[]>>;
  readonly alternatives: readonly Alternative[];
}

const PARTS: readonly (readonly [keyof TokenParts, string])[] = [
  ['description', 'description'],
  ['fieldTexts', 'field texts'],
  ['names', 'names'],
  ['values', 'values'],
  ['structure', 'structure'],
];

/** A table, the dearest tool first, with what each is spent on: below its name where the width has no room for columns. */
export function tokenTable(report: TokenReport, width = Infinity): string {
  const table = tableOf(report, PARTS);
  const isWide = table.split('\n').some((line) => line.length > width);
  const kind = report.isExact ? 'exact' : 'an estimate';
  const lines = [
    isWide ? tableOf(report, []) : table,
    ...(isWide ? report.tools.map(({ name, parts }) => `${name}: ${spentOn(parts)}.`) : []),
    `All tools: ${report.tokens} tokens; ${kind}: ${report.of}.`,
  ];
  if (report.partsOf !== undefined) lines.push(`The parts are an estimate: ${report.partsOf}.`);
  if (report.alternatives.length > 0) lines.push('', alternativesText(report.alternatives));
  return wrap(lines.join('\n'), width, '  ');
}

function tableOf(report: TokenReport, shown: typeof PARTS): string {
  const rows = [['', 'tokens', ...shown.map(([, title]) => title)]];
  for (const { name, tokens, parts } of report.tools.toSorted((left, right) => right.tokens - left.tokens)) {
    rows.push([name, String(tokens), ...shown.map(([part]) => String(parts[part]))]);
    // A server at a distance may call its tools as it likes: `constructor`
    const actions = Object.hasOwn(report.actions, name) ? (report.actions[name] ?? []) : [];
    for (const action of actions.toSorted((left, right) => right.tokens - left.tokens))
      rows.push([`  ${action.key}`, String(action.tokens)]);
  }
  return columns(rows);
}

function alternativesText(alternatives: readonly Alternative[]): string {
  const least = Math.min(...alternatives.map(({ tokens }) => tokens));
  const rows = alternatives.map(({ name, tools, tokens, largest, isCurrent }) => [
    name,
    String(tools),
    String(tokens),
    largest === null ? '' : `${visibleLine(largest.name)} ${String(largest.tokens)}`,
    [isCurrent ? 'as it is' : '', tokens === least ? 'the fewest tokens' : ''].filter(Boolean).join(', '),
  ]);
  const table = columns([['', 'tools', 'tokens', 'largest tool', ''], ...rows]);
  return `${table}What a model makes of each is not measured here: toolwright eval --surface all.\n`;
}

/** Texts to the left, numbers to the right. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const cell = (text: string, column: number): string =>
    column > 0 && /^\d+$|^(?:tools|tokens|names|values|structure|description|field texts)$/.test(text)
      ? text.padStart(widths[column] ?? 0)
      : text.padEnd(widths[column] ?? 0);
  return `${rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')}\n`;
}

/** The limits of a surface. */
export interface TokenBudget {
  readonly budget?: number | undefined;
  readonly perTool?: number | undefined;
}

/** Says which limits are exceeded, the largest parts first. */
export function exceededBudgets(report: TokenReport, { budget, perTool }: TokenBudget): readonly string[] {
  const largest = report.tools.toSorted((left, right) => right.tokens - left.tokens);
  const parts = largest
    .slice(0, 3)
    .map(({ name, tokens, parts: spent }) => `${name} ${tokens} (${spentOn(spent)})`);
  const whole =
    budget !== undefined && report.tokens > budget
      ? [
          `All tools cost ${report.tokens} tokens, ${report.tokens - budget} more than the budget of ${budget}. The largest: ${parts.join('; ')}.`,
        ]
      : [];
  const single = largest
    .filter(({ tokens }) => perTool !== undefined && tokens > perTool)
    .map(
      ({ name, tokens, parts: spent }) =>
        `${name} costs ${tokens} tokens, and a tool may cost ${perTool ?? 0}: ${spentOn(spent)}.`,
    );
  return [...whole, ...single];
}

function spentOn(parts: TokenParts): string {
  const sorted = PARTS.toSorted(([left], [right]) => parts[right] - parts[left]);
  return sorted.map(([part, title]) => `${title} ${parts[part]}`).join(', ');
}
