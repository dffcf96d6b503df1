import type { Suite } from './suites.ts';

/** One check as a suite writes it down. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** A check that did not go well, and where. */
export interface Finding {
  readonly scenario: string;
  readonly check: string;
  readonly message: string;
}

export interface ScenarioResult {
  readonly name: string;
  readonly passed: number;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** What came of one suite. */
export interface SuiteResult extends Suite {
  readonly passed: number;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly scenarios: readonly ScenarioResult[];
}

/**
 * Passes a suite only if each of its checks passes, whether the suite counts it for its own score or not.
 * @param lines what the suite printed; it ends with a summary of its scenarios
 * @param checks what the scenarios wrote down, by their names
 */
export function judgeSuite(
  suite: Suite,
  lines: readonly string[],
  checks: ReadonlyMap<string, readonly Check[]>,
): SuiteResult {
  const scenarios = readSummary(lines).map((counted) => judge(counted, checks.get(counted.name) ?? []));
  const passed = scenarios.reduce((sum, scenario) => sum + scenario.passed, 0);
  const failures = scenarios.flatMap((scenario) => scenario.failures);
  if (passed < suite.minimum) failures.push(tooFew(suite, passed));
  return { ...suite, passed, failures, warnings: scenarios.flatMap(({ warnings }) => warnings), scenarios };
}

/** What a suite says of a scenario at its end. */
interface Counted {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
}

function readSummary(lines: readonly string[]): readonly Counted[] {
  return lines.flatMap((line) => {
    const [, name, passed, failed] = /^[✓✗] (\S+): (\d+) passed, (\d+) failed$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, passed: Number(passed), failed: Number(failed) }];
  });
}

/** A scenario that breaks off leaves no file, so what the suite counted itself has to come out the same. */
function judge(
  { name, passed: told, failed: toldFailed }: Counted,
  checks: readonly Check[],
): ScenarioResult {
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const failures = findings(name, checks, 'FAILURE');
  if (told !== passed || toldFailed !== failures.length) {
    const counted = `the suite counts ${String(told)} passed and ${String(toldFailed)} failed`;
    const message = `${counted}, its file has ${String(passed)} and ${String(failures.length)}`;
    failures.push({ scenario: name, check: 'complete', message });
  }
  return { name, passed, failures, warnings: findings(name, checks, 'WARNING') };
}

function findings(scenario: string, checks: readonly Check[], wanted: Check['status']): Finding[] {
  return checks
    .filter(({ status }) => status === wanted)
    .map(({ id, errorMessage = '' }) => ({ scenario, check: id, message: errorMessage }));
}

function tooFew({ name, minimum }: Suite, passed: number): Finding {
  const message = `${String(passed)} checks passed, at least ${String(minimum)} have to`;
  return { scenario: name, check: 'minimum', message };
}
