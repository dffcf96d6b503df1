import { describe, expect, test } from '@jest/globals';
import { createPaint } from '../../../src/cli/output/colours.ts';
import { changeOf, sortChanges } from '../../../src/cli/lock/changes.ts';
import {
  reportAsGithub,
  reportAsSarif,
  reportAsJson,
  reportAsMarkdown,
  reportAsText,
} from '../../../src/cli/lock/report.ts';
import { workflowCommand } from '../../../src/cli/output/code-host.ts';
import { decideOn } from '../../../src/cli/lock/verdict.ts';

const removed = changeOf('field-removed', 'tasks', 'tasks.create(a|b)');
const reworded = changeOf('description-changed', 'tasks', 'tasks.list');
const added = changeOf('tool-added', 'notes', 'notes');
const all = sortChanges([added, reworded, removed]);
const plain = { paint: createPaint(false), label: (text: string): string => text };

describe('the verdict', () => {
  const isFailure = (
    failOn: 'breaking' | 'risky' | 'any' | 'none',
    ...changes: (typeof all)[number][]
  ): boolean => decideOn(changes, [], failOn).isFailure;

  test('fails at the given level and above', () => {
    expect(isFailure('breaking', reworded, added)).toBe(false);
    expect(isFailure('breaking', removed)).toBe(true);
    expect(isFailure('risky', reworded)).toBe(true);
    expect(isFailure('risky', added)).toBe(false);
    expect(isFailure('any', added)).toBe(true);
    expect(isFailure('none', ...all)).toBe(false);
    expect(isFailure('any')).toBe(false);
  });

  test('passes what was accepted, and fails where an entry accepts what did not happen', () => {
    const accept = { rule: 'field-removed', where: removed.where, reason: 'unused' };
    const passed = decideOn(all, [accept], 'breaking');
    expect(passed).toMatchObject({ isFailure: false, level: 'risky', unmatched: [] });
    expect(passed.accepted).toEqual([{ ...removed, reason: 'unused' }]);
    // Another change at the same place is not what was accepted
    const other = decideOn([reworded], [{ ...accept, where: reworded.where }], 'risky');
    expect(other).toMatchObject({ isFailure: true, changes: [reworded], accepted: [] });
    const stale = decideOn([added], [accept], 'none');
    expect(stale).toMatchObject({ isFailure: true, unmatched: [accept] });
  });
});

const verdict = decideOn(all, [], 'breaking');

test('as text: level, place, what happened, and the version that it asks for', () => {
  expect(reportAsText(verdict, plain)).toBe(
    [
      'breaking  tasks.create(a|b)  A field is gone, and is refused.',
      'risky     tasks.list  A description reads differently.',
      'safe      notes  A tool is new.',
      '',
      '1 breaking, 1 risky, 1 safe. This asks for a major version.',
      '',
    ].join('\n'),
  );
  expect(reportAsText(decideOn([], [], 'any'), plain)).toBe('No difference.\n');
});

test('as JSON', () => {
  expect(reportAsJson(verdict)).toMatchObject({ level: 'breaking', advice: 'major', failed: true });
});

test('as markdown, in which no name breaks the table', () => {
  const text = reportAsMarkdown(verdict);
  expect(text).toContain('| breaking | `tasks.create(a\\|b)` |');
});

describe('for GitHub', () => {
  test('25 breaking changes are ten annotations, of which the last reports the 16 others', () => {
    const many = Array.from({ length: 25 }, (_, index) => changeOf('tool-removed', 't', `t${index}`));
    const lines = reportAsGithub(decideOn(many, [], 'breaking'), 'toolwright.lock.json', () => 7).split('\n');
    const errors = lines.filter((line) => line.startsWith('::error'));
    expect(errors).toHaveLength(10);
    expect(errors[0]).toBe('::error file=toolwright.lock.json,line=7,title=t0::A tool is gone.');
    expect(errors[9]).toContain('16 breaking changes are only in the summary.');
    expect(reportAsMarkdown(decideOn(many, [], 'breaking')).match(/^\| breaking/gm)).toHaveLength(25);
  });

  test('line ends, percent signs, colons and commas are escaped', () => {
    expect(workflowCommand('error', { title: 'a,b:c%\n' }, '50 %\r\nmore, or: less')).toBe(
      '::error title=a%2Cb%3Ac%25%0A::50 %25%0D%0Amore, or: less',
    );
  });
});

test('as SARIF: each rule once, equal fingerprints for equal places', () => {
  const log = reportAsSarif(verdict, 'toolwright.lock.json', () => 3) as {
    runs: [
      {
        tool: { driver: { rules: { id: string }[] } };
        results: { level: string; partialFingerprints: object }[];
      },
    ];
  };
  const [{ tool, results }] = log.runs;
  expect(tool.driver.rules.map(({ id }) => id)).toEqual([
    'field-removed',
    'description-changed',
    'tool-added',
  ]);
  expect(results.map(({ level }) => level)).toEqual(['error', 'warning', 'note']);
  const again = reportAsSarif(verdict, 'other.json', () => 9) as typeof log;
  expect(again.runs[0].results.map(({ partialFingerprints }) => partialFingerprints)).toEqual(
    results.map(({ partialFingerprints }) => partialFingerprints),
  );
});
