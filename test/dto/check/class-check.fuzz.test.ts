import { expect, test } from '@jest/globals';
import { fuzzChecker } from '../../fuzz/fuzz-checker.ts';
import { RULES } from '../../fuzz/rule-samples.ts';

// `npm run fuzz` is the long form of it
test('20,000 values of generated DTOs: what the compiled checks accept, the libraries accept and build alike', async () => {
  const report = await fuzzChecker({ cases: 20_000, seed: 20_260_728, perDto: 80 });
  expect(report.offenders).toEqual([]);
  expect(report.cases).toBeGreaterThanOrEqual(20_000);
  expect(report.byLibraries / report.dtos).toBeLessThan(0.2);
  const names = [...Object.values(RULES).flatMap((rules) => Object.keys(rules)), 'isOptional'];
  const unmet = names.filter((name) => (report.rules.get(name)?.accepted ?? 0) === 0);
  expect(unmet).toEqual([]);
});
