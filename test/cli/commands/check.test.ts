import { afterAll, describe, expect, test } from '@jest/globals';
import { CommandFolder } from '../../support/command-line.ts';
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

describe('advice', () => {
  const folder = new CommandFolder({
    'server.ts': `
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('List them') list(): string { return 'none'; }
}
@Module({ controllers: [Notes] })
class AppModule {}
async function main() {
  const app = await McpApplication.create(AppModule, { name: 'notes' });
  await app.listen({ port: 0, host: '0.0.0.0' });
}
void main();
`,
  });
  afterAll(() => folder.remove());

  test('is shown below what is wrong, and does not change how the command ends', async () => {
    const { exitCode, stdout, stderr } = await folder.run(['check', 'server.ts']);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/advice TW_ADVICE_LIMIT: notes lets everybody call Notes\.list\(\)/);
    expect(stderr).toMatch(/advice TW_ADVICE_HOST: listen\(\) listens at 0\.0\.0\.0/);
    expect(stderr).toContain('No problems in 1 tool.');
  });

  test('is a notice of GitHub, a note of SARIF and a list in JSON, without what is accepted', async () => {
    const run = (format: string) =>
      folder.run(['check', 'server.ts', '--format', format, '--accept', 'TW_ADVICE_LIMIT']);
    const [github, sarif, json] = await Promise.all(['github', 'sarif', 'json'].map(run));
    expect([github?.exitCode, sarif?.exitCode, json?.exitCode]).toEqual([0, 0, 0]);
    expect(github?.stdout).toMatch(/^::notice file=server\.ts,title=TW_ADVICE_HOST::[^\n]*\n?$/);
    expect(JSON.parse(sarif?.stdout ?? '')).toMatchObject({
      runs: [{ results: [{ ruleId: 'TW_ADVICE_HOST', level: 'note' }] }],
    });
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
      problems: [],
      advice: [{ code: 'TW_ADVICE_HOST' }],
    });
  });

  test('is what doctor shows, too', async () => {
    const { stdout } = await folder.run(['doctor', 'server.ts', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: readonly { about: string; found: string }[] };
    expect(checks.filter(({ about }) => about === 'safety')).toHaveLength(2);
  });
});
