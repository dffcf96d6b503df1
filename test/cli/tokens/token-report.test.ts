import { expect, test } from '@jest/globals';
import { tokenTable, type TokenReport } from '../../../src/cli/tokens/token-report.ts';

const parts = { description: 193, fieldTexts: 111, names: 12, values: 34, structure: 233 };
const report: TokenReport = {
  form: 'mcp',
  isExact: true,
  tokens: 583,
  of: 'o200k_base of the compact JSON',
  tools: [{ name: 'board', tokens: 583, parts }],
  actions: { board: [{ key: 'tasks.plan', tokens: 131 }] },
  alternatives: [],
};

test('compares the ways to offer the same actions in columns, and says what is not measured', () => {
  const alternatives = [
    { name: 'grouped', tools: 1, tokens: 583, largest: { name: 'board', tokens: 583 }, isCurrent: true },
    { name: 'flat', tools: 11, tokens: 1911, largest: { name: 'board_plan', tokens: 190 }, isCurrent: false },
  ];
  const lines = tokenTable({ ...report, alternatives }).split('\n');
  expect(lines.slice(-5)).toEqual([
    '         tools  tokens  largest tool',
    'grouped      1     583  board 583       as it is, the fewest tokens',
    'flat        11    1911  board_plan 190',
    'What a model makes of each is not measured here: toolwright eval --surface all.',
    '',
  ]);
});

test('shows what each tool is spent on in columns, and below where they do not fit', () => {
  expect(tokenTable(report).split('\n')).toEqual([
    '              tokens  description  field texts  names  values  structure',
    'board            583          193          111     12      34        233',
    '  tasks.plan     131',
    '',
    'All tools: 583 tokens; exact: o200k_base of the compact JSON.',
  ]);
  expect(tokenTable(report, 60).split('\n')).toEqual([
    '              tokens',
    'board            583',
    '  tasks.plan     131',
    '',
    'board: structure 233, description 193, field texts 111,',
    '  values 34, names 12.',
    'All tools: 583 tokens; exact: o200k_base of the compact',
    '  JSON.',
  ]);
});
