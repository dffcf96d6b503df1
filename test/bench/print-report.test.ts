import { expect, test } from '@jest/globals';
import { printSection, printTargets } from '../../bench/results/print-report.ts';
import { evaluateTarget } from '../../bench/results/target.ts';
import type { Spread } from '../../bench/results/spread.ts';

const calm: Spread = { median: 1, minimum: 0.9, maximum: 1.1 };
const noisy: Spread = { median: 1, minimum: 0.8, maximum: 1.2, takes: 3 };

function printed(print: (line: (text: string) => void) => void): readonly string[] {
  const lines: string[] = [];
  print((text) => lines.push(text));
  return lines;
}

test('each row says how far its rounds are apart, and whether that is too far', () => {
  const figures = [
    { name: 'calm', ratio: calm },
    { name: 'calmed', ratio: { ...calm, takes: 2 }, note: 'a note' },
    { name: 'noisy', ratio: noisy },
    { name: 'missing', ratio: undefined, note: 'it does not start' },
  ];
  const section = {
    name: 'http',
    title: 'calls',
    reference: 'bare',
    figures,
    targets: [],
    failure: undefined,
  };
  expect(printed((print) => printSection(section, print))).toEqual([
    '\ncalls',
    '  1.00 = bare',
    '            ratio   from     to   noise',
    '  calm       1.00   0.90   1.10    20 %',
    '  calmed     1.00   0.90   1.10    20 %   a note   the calmest of 2 takes',
    '  noisy      1.00   0.80   1.20    40 %   noisy: the rounds differ by 40 %, also when taken 3 times',
    '  missing    none   it does not start',
  ]);
});

test('a target that was measured with too much noise is counted', () => {
  const target = { name: 'speed', comparison: '>=', limit: 0.8 } as const;
  const lines = printed((print) =>
    printTargets([evaluateTarget(target, calm), evaluateTarget(target, { ...noisy, takes: 1 })], print),
  );
  expect(lines.slice(-2)).toEqual([
    '  speed   >= 0.8       1.00   0.80   1.20    40 %       met   noisy: the rounds differ by 40 %',
    '\n  2 targets: 0 missed, 0 not measured, 1 noisy',
  ]);
});
