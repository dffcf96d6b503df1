import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

interface Reporter {
  onTestFileResult(test: { path: string }, result: { processor?: { seconds: number; speed: number } }): void;
  onRunComplete(): void;
  getLastError(): Error | undefined;
}

// It is what Jest loads without a compiler, and has no types
const { default: ProcessorReporter } = (await import(
  new URL('./processor-reporter.mjs', import.meta.url).href
)) as {
  readonly default: new (globalConfig: object) => Reporter;
};
const WHOLE = { rootDir: '/project', nonFlagArgs: [] };

let printed: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => printed.mockRestore());

function reportOf(
  config: object,
  ...suites: readonly (readonly [seconds: number, speed: number])[]
): Reporter {
  const reporter = new ProcessorReporter(config);
  for (const [index, [seconds, speed]] of suites.entries()) {
    reporter.onTestFileResult({ path: `/project/test/${index}.test.ts` }, { processor: { seconds, speed } });
  }
  reporter.onRunComplete();
  return reporter;
}

test('a run of all suites fails above 800 processor seconds, and names the heaviest suites', () => {
  expect(reportOf(WHOLE, [400, 1], [399, 1]).getLastError()).toBeUndefined();
  expect(reportOf(WHOLE, [400, 1], [401, 1]).getLastError()?.message).toContain('801 processor seconds');
  expect(printed.mock.calls.at(-1)?.[0]).toMatch(
    /of 2 suites: 801.*\n +401\.0 {2}test\/1\.test\.ts\n +400\.0/s,
  );
});

test('a slower machine may take longer, by as much as it is slower', () => {
  expect(reportOf(WHOLE, [1500, 0.5]).getLastError()).toBeUndefined();
  expect(reportOf(WHOLE, [1620, 0.5]).getLastError()).toBeInstanceOf(Error);
});

test.each([
  ['some files', { nonFlagArgs: ['test/call'] }],
  ['some tests', { testNamePattern: 'a name' }],
  ['what changed', { onlyChanged: true }],
  ['watch mode', { watch: true }],
])('a run of %s has no limit', (_, part) => {
  expect(reportOf({ ...WHOLE, ...part }, [1000, 1]).getLastError()).toBeUndefined();
  expect(printed).not.toHaveBeenCalled();
});
