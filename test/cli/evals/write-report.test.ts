import { expect, test } from '@jest/globals';
import { writeJsonLines, writeJunit, writeText } from '../../../src/cli/evals/write-report.ts';
import type { EvalReport, EvalRun, EvalShare } from '../../../src/evals/index.ts';

const half: EvalShare = { passed: 1, of: 2, share: 0.5, low: 0.0945, high: 0.9055 };
const none: EvalShare = { passed: 0, of: 0, share: 0, low: 0, high: 1 };

const run = (change: Partial<EvalRun>): EvalRun => ({
  ...{ case: 'a <b> & "c"', tags: [], trial: 1, status: 'done', calls: [], checks: {}, extraCalls: 0 },
  tokens: { calls: 0, results: 0 },
  ...change,
});

const report = (model: string): EvalReport => ({
  ...{ surface: 'flat', model, surfaceHash: 'abc', tools: 3, definitionTokens: 190, extraCalls: 2 },
  largestTool: { name: 'tasks_plan', tokens: 90 },
  metrics: {
    ...{ selection: half, noCall: none, validArguments: half, expectedArguments: half, repaired: none },
    ...{ done: half, doneEveryTime: half },
  },
  retrieval: { documents: 3, askAmongFive: half, queriesAmongFive: none, cases: [] },
  findings: [{ rule: 'no-description', where: 'tasks.list', message: 'It has no description.' }],
  runs: [
    run({}),
    run({ trial: 2, status: 'failed', why: 'tasks.list was not called; nothing was.' }),
    run({ case: 'old', status: 'stale', why: 'The tools have changed.' }),
  ],
});

test('JUnit has a suite for each surface; a stale case fails, or is skipped', () => {
  const text = writeJunit([report('openai/x')], 'fail');
  expect(text).toContain('<testsuite name="flat openai/x" tests="3" failures="2" skipped="0">');
  expect(text).toContain(
    'name="a &#60;b&#62; &#38; &#34;c&#34; (2)"><failure message="tasks.list was not called',
  );
  expect(writeJunit([report('openai/x')], 'skip')).toContain('failures="1" skipped="1"');
});

test('JSON lines have each run and each surface', () => {
  const lines = writeJsonLines([report('openai/x')])
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({ type: 'run', surface: 'flat', model: 'openai/x', status: 'done' });
  expect(lines[3]).toMatchObject({ type: 'surface', metrics: { done: half } });
  expect(lines[3]).not.toHaveProperty('runs');
});

test('text has intervals for a model, and says of few cases that they compare nothing', () => {
  const text = writeText([report('openai/x'), { ...report('openai/x'), surface: 'own' }]);
  expect(text).toMatch(/^ +tools +tokens of definitions +largest tool +done /m);
  expect(text).toMatch(/^flat +3 +190 +tasks_plan 90 +1\/2 \(9-91 %\) /m);
  expect(text).toMatch(/^own +3 +190 /m);
  expect(text).toContain('2 cases are too few to call a surface better: it takes 100.');
  expect(text).toMatch(/^flat .* all of 3 +all of 3$/m);
  expect(text).toMatch(/^own .* all of 3 +all of 3$/m);
  expect(text).toContain('stale  flat: old: The tools have changed.');
  expect(text).toContain('text  tasks.list: It has no description.');
});

test('text says that nothing is measured where no model was asked, of one surface and of several', () => {
  const text = writeText([report('scripted')]);
  expect(text).toMatch(/^what a model does +not measured$/m);
  expect(text).not.toContain('%');
  const both = writeText([report('scripted'), { ...report('scripted'), surface: 'own', largestTool: null }]);
  expect(both).toMatch(/^flat +3 +190 +tasks_plan 90 +1\/2 +not measured +2 +all of 3 +all of 3$/m);
  const { retrieval } = report('scripted');
  const large = { ...report('scripted'), retrieval: { ...retrieval, documents: 9 } };
  expect(writeText([large])).toMatch(/^search by request, among 5 +1\/2 of 9$/m);
  expect(both).toMatch(/^own +3 +190 +- +1\/2 +not measured /m);
  expect(both).not.toContain('better');
});
