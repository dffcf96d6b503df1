import type { CallEnd } from './shopper.ts';

/** Actions that must not leave their effect twice. Of a report, the step that was cut off runs again. */
const ONCE = ['pay', 'refund', 'buy'];
/** The last effect of each action that has one. */
const EFFECTS: Readonly<Record<string, string>> = {
  pay: 'pay',
  refund: 'refund',
  buy: 'buy',
  report: 'write',
};
/** What a call that something escaped from leaves in the log. */
const ESCAPED = /^\S+ \S+ \S+ (?:call\.escaped|task\.escaped) /u;

export interface Witnesses {
  readonly ends: readonly CallEnd[];
  /** One line for each effect. */
  readonly effects: readonly string[];
  readonly log: readonly string[];
  readonly crashes: readonly string[];
}

export interface Tally {
  readonly text: string;
  /** What must never happen, and did. */
  readonly faults: readonly string[];
}

/** Compares the answers that clients got with the effects that there are. */
export function tally({ ends, effects, log, crashes }: Witnesses): Tally {
  const byEnd = new Map<string, number>();
  for (const { action, end } of ends) {
    const name = end === 'ok' || /^[A-Z_]+$/u.test(end) ? end : `${action} ${end}`;
    byEnd.set(name, (byEnd.get(name) ?? 0) + 1);
  }
  const left = new Set(effects);
  const again = effects.filter((line, index) => effects.indexOf(line) < index);
  const twice = again.filter((line) => ONCE.includes(line.split(' ')[0] ?? ''));
  const missing = ends.filter(({ action, label, end }) => {
    const effect = EFFECTS[action];
    return end === 'ok' && effect !== undefined && !left.has(`${effect} ${label}`);
  });
  const escaped = log.filter((line) => ESCAPED.test(line));
  const others = [...byEnd]
    .filter(([name]) => name !== 'ok')
    .map(([name, count]) => `${String(count)} × ${name}`);
  const counts = {
    'effects twice': twice,
    'acknowledged without effect': missing.map(({ action, label }) => `${action} ${label}`),
    crashed: crashes,
    'escaped in the log': escaped,
  };
  const bad = ends.filter(({ end }) => /^(?:wrong|hung: ours|INTERNAL_ERROR)/u.test(end));
  return {
    text: [
      `${String(ends.length)} begun, ${String(byEnd.get('ok') ?? 0)} ok`,
      ...others,
      ...Object.entries(counts).map(([name, { length }]) => `${String(length)} ${name}`),
      `${String(again.length - twice.length)} steps cut and run again`,
    ].join(', '),
    faults: [
      ...bad.map(({ action, label, end }) => `${action} ${label}: ${end}`),
      ...Object.entries(counts).flatMap(([name, lines]) => lines.map((line) => `${name}: ${line}`)),
    ],
  };
}
