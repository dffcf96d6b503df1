import { expect, test } from '@jest/globals';
import { runCli } from '../../support/cli-process.ts';

test('says on stderr that nothing is wrong', async () => {
  const { code, stdout, stderr } = await runCli(['check', 'tasks.ts']);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('No problems in 1 tool.');
});

test('writes what the application error says', async () => {
  const { code, stdout, stderr } = await runCli(['check', 'three-problems.ts']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('has 3 problems:');
  expect(stderr.match(/fix:/g)).toHaveLength(4);
});

test('writes one annotation of GitHub for each problem', async () => {
  const { code, stdout } = await runCli(['check', 'three-problems.ts', '--format', 'github']);
  expect(code).toBe(1);
  const lines = stdout.split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatch(/^::error file=three-problems\.ts,title=TW_\w+::\S.*%0Afix: /);
});

test('writes JSON and SARIF', async () => {
  const json = await runCli(['check', 'three-problems.ts', '--json']);
  expect(json.code).toBe(1);
  const { problems } = JSON.parse(json.stdout) as { problems: { code: string }[] };
  const sarif = await runCli(['check', 'three-problems.ts#BrokenModule', '--format', 'sarif']);
  const log = JSON.parse(sarif.stdout) as {
    version: string;
    runs: { results: { ruleId: string; locations: unknown[] }[] }[];
  };
  expect(log.version).toBe('2.1.0');
  expect(log.runs[0]!.results.map(({ ruleId }) => ruleId)).toEqual(problems.map(({ code }) => code));
  expect(log.runs[0]!.results[0]!.locations).toMatchObject([
    { physicalLocation: { artifactLocation: { uri: 'three-problems.ts' } } },
  ]);
  expect(JSON.parse((await runCli(['check', 'tasks.ts', '--format', 'sarif'])).stdout)).toMatchObject({
    runs: [{ results: [] }],
  });
});

test('ends with 2 for a file that does not load', async () => {
  expect((await runCli(['check', 'throws.ts', '--format', 'github'])).code).toBe(2);
});

test('constructs nothing: an application passes where its database is not', async () => {
  const { code, stderr } = await runCli(['check', 'database.ts']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems in 1 tool.' });
  expect((await runCli(['list', 'database.ts'])).code).toBe(2);
});
