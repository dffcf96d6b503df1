import { expect, test } from '@jest/globals';
import { judgeSuite, type Check } from './suite-result.ts';
import type { Suite } from './suites.ts';

const suite: Suite = { name: 'a suite', version: '1.0.0', args: [], minimum: 2 };
const ok: Check = { id: 'works', status: 'SUCCESS' };
const SUMMARY = ['=== SUMMARY ===', '✓ tools-list: 2 passed, 0 failed', 'Total: 2 passed, 0 failed'];

function judged(lines: readonly string[], checks: Readonly<Record<string, readonly Check[]>>) {
  const { passed, failures, warnings } = judgeSuite(suite, lines, new Map(Object.entries(checks)));
  return { passed, failed: failures.map(({ scenario, check }) => `${scenario} ${check}`), warnings };
}

test('A suite whose checks all passed has no failure', () => {
  const skipped: Check = { id: 'other', status: 'SKIPPED' };
  expect(judged(SUMMARY, { 'tools-list': [ok, ok, skipped] })).toEqual({
    passed: 2,
    failed: [],
    warnings: [],
  });
});

test('Every failed check counts, with its message, and warnings are counted apart', () => {
  const lines = ['✗ ping: 2 passed, 1 failed'];
  const checks: Check[] = [
    ok,
    ok,
    { id: 'late', status: 'FAILURE', errorMessage: 'too late' },
    { id: 'odd', status: 'WARNING', errorMessage: 'should not' },
  ];
  const result = judgeSuite(suite, lines, new Map([['ping', checks]]));
  expect(result.failures).toEqual([{ scenario: 'ping', check: 'late', message: 'too late' }]);
  expect(result.warnings).toEqual([{ scenario: 'ping', check: 'odd', message: 'should not' }]);
});

test('A scenario that broke off fails, though it left no check that failed', () => {
  const lines = [...SUMMARY, '✗ ping: 0 passed, 1 failed'];
  expect(judged(lines, { 'tools-list': [ok, ok] }).failed).toEqual(['ping complete']);
});

test('A check that is missing in the file of its scenario is noticed', () => {
  expect(judged(SUMMARY, { 'tools-list': [ok] }).failed).toEqual(['tools-list complete', 'a suite minimum']);
});

test('A suite that ran nothing fails', () => {
  expect(judged([], {}).failed).toEqual(['a suite minimum']);
});
