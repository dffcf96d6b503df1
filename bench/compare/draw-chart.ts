import { MEASURED_COLUMNS, readFigure, type MeasuredRow } from './measured.ts';
import type { Comparison } from './read-results.ts';

const THEMES = {
  light: { text: '#1f2328', quiet: '#59636e', own: '#0969da', other: '#afb8c1' },
  dark: { text: '#f0f6fc', quiet: '#9198a1', own: '#4493f8', other: '#59636e' },
} as const;
export type Theme = keyof typeof THEMES;

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly isOwn: boolean;
}

const WIDTH = 880;
const PANEL = 420;
const BAR = 22;
const TOP = 64;
const LABEL = 128;
const NUMBER = 64;

/** Two panels of bars: the rate of calls, and the tokens of 117 tools. */
export function drawChart({ rows, surfaces }: Comparison, theme: Theme): string {
  const speed = barsIn(rows.find(({ name }) => name.startsWith('Calls over HTTP without sessions')));
  const catalogue = 'GitHub, 117 tools';
  const found = readFigure(surfaces.find(({ name }) => name === catalogue)?.values['progressive']);
  const tokens = barsIn(rows.find(({ name }) => name === `Definitions: ${catalogue}`));
  const extra = found === undefined ? [] : [{ name: 'toolwright, found first', value: found, isOwn: true }];
  const panels = [
    panel('Calls per second over HTTP', 'share of a bare node:http server; more is better', speed, theme),
    panel(
      'Tokens of 117 public tools',
      'what a model reads before its first call; less is better',
      [...extra, ...tokens],
      theme,
    ),
  ];
  const height = TOP + BAR * Math.max(speed.length, tokens.length + extra.length) + 8;
  const [left = '', right = ''] = panels;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(WIDTH)}" height="${String(height)}" viewBox="0 0 ${String(WIDTH)} ${String(height)}" font-family="system-ui, sans-serif" font-size="13">`,
    `<g>${left}</g>`,
    `<g transform="translate(${String(WIDTH - PANEL)} 0)">${right}</g>`,
    '</svg>\n',
  ].join('\n');
}

/** Own bars first, then the others by size. */
function barsIn(row: MeasuredRow | undefined): readonly Bar[] {
  if (row === undefined) return [];
  const bars = MEASURED_COLUMNS.flatMap((name): readonly Bar[] => {
    const value = readFigure(row.values[name]);
    return value === undefined ? [] : [{ name, value, isOwn: name === 'toolwright' }];
  });
  const sign = row.better === 'more' ? -1 : 1;
  return bars.toSorted((left, right) => sign * (left.value - right.value));
}

function panel(title: string, unit: string, bars: readonly Bar[], theme: Theme): string {
  const { text, quiet, own, other } = THEMES[theme];
  const most = Math.max(...bars.map(({ value }) => value));
  const room = PANEL - LABEL - NUMBER;
  const lines = bars.map(({ name, value, isOwn }, index) => {
    const top = TOP + index * BAR;
    const width = Math.max(2, (value / most) * room);
    const [middle, fill] = [String(top + 14), isOwn ? own : other];
    return [
      `<text x="${String(LABEL - 8)}" y="${middle}" text-anchor="end" fill="${text}">${name}</text>`,
      `<rect x="${String(LABEL)}" y="${String(top + 3)}" width="${width.toFixed(1)}" height="${String(BAR - 7)}" rx="2" fill="${fill}"/>`,
      `<text x="${(LABEL + width + 6).toFixed(1)}" y="${middle}" fill="${text}">${writeNumber(value)}</text>`,
    ].join('\n');
  });
  return [
    `<text x="0" y="22" font-size="16" font-weight="600" fill="${text}">${title}</text>`,
    `<text x="0" y="44" fill="${quiet}">${unit}</text>`,
    ...lines,
  ].join('\n');
}

function writeNumber(value: number): string {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}
