import { expect, test } from '@jest/globals';
import { runSection } from '../../bench/results/run-section.ts';
import type { Section, SectionResult } from '../../bench/results/section.ts';

const context = {
  rounds: 1,
  window: 1,
  warmUp: 1,
  repeats: 0,
  repeatUntil: 0,
  progress: () => undefined,
};

function section(run: () => Promise<SectionResult>): Section {
  return { name: 'stdio', title: 'stdio', seconds: 1, targets: ['stdioSdk', 'stdioModernSdk'], run };
}

test('a section that fails is reported, and its targets are not measured', async () => {
  const failing = section(() => Promise.reject(new Error('no server')));
  const { failure, targets } = await runSection(failing, context);
  expect(failure).toBe('no server');
  expect(targets.map(({ ok, reason }) => [ok, reason])).toEqual([
    [null, 'the section failed: no server'],
    [null, 'the section failed: no server'],
  ]);
});

test('a target that a section says nothing about is not measured', async () => {
  const stdioSdk = { median: 1.4, minimum: 1.3, maximum: 1.6 };
  const half = section(() => Promise.resolve({ reference: 'SDK v1', figures: [], targets: { stdioSdk } }));
  const { failure, targets } = await runSection(half, context);
  expect(failure).toBeUndefined();
  expect(targets.map(({ ok }) => ok)).toEqual([false, null]);
});
