import { afterAll, describe, expect, test } from '@jest/globals';
import { CommandFolder } from '../../support/command-line.ts';
import { runCli } from '../../support/cli-process.ts';

const DECIDED = ['--accept', 'TW_ADVICE_OPEN_WORLD'];

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
  expect(
    JSON.parse((await runCli(['check', 'tasks.ts', '--format', 'sarif', ...DECIDED])).stdout),
  ).toMatchObject({
    runs: [{ results: [] }],
  });
});

test('ends with 2 for a file that does not load', async () => {
  expect((await runCli(['check', 'throws.ts', '--format', 'github'])).code).toBe(2);
});

test('constructs nothing: an application passes where its database is not', async () => {
  const { code, stderr } = await runCli(['check', 'database.ts', ...DECIDED]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems in 1 tool.' });
  expect((await runCli(['list', 'database.ts'])).code).toBe(2);
});

describe('advice', () => {
  const folder = new CommandFolder({
    'server.ts': `
import { Allow } from 'class-validator';
import { Transform } from 'class-transformer';
import { Action, Field, McpApplication, Module, ToolGroup } from 'toolwright';
class Filter {
  @Transform(({ value }) => String(value).length) @Allow() @Field({ type: 'string' }) text: unknown;
}
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('List them') list(filter: Filter): string { return 'none'; }
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

  test('and notes have levels of their own in each form, without what is accepted', async () => {
    const run = (format: string) =>
      folder.run(['check', 'server.ts', '--format', format, '--accept', 'TW_ADVICE_LIMIT']);
    const [github, sarif, json] = await Promise.all(['github', 'sarif', 'json'].map(run));
    expect([github?.exitCode, sarif?.exitCode, json?.exitCode]).toEqual([0, 0, 0]);
    expect(github?.stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^::warning file=server\.ts,title=TW_ADVICE_OPEN_WORLD::/),
      expect.stringMatching(/^::warning file=server\.ts,title=TW_ADVICE_HOST::/),
      expect.stringMatching(/^::notice file=server\.ts,title=TW_NOTE_LOOSE::/),
    ]);
    expect(JSON.parse(sarif?.stdout ?? '')).toMatchObject({
      runs: [
        {
          results: [
            { ruleId: 'TW_ADVICE_OPEN_WORLD', level: 'warning' },
            { ruleId: 'TW_ADVICE_HOST', level: 'warning' },
            { ruleId: 'TW_NOTE_LOOSE', level: 'note' },
          ],
        },
      ],
    });
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
      problems: [],
      advice: [{ code: 'TW_ADVICE_OPEN_WORLD' }, { code: 'TW_ADVICE_HOST' }],
      notes: [{ code: 'TW_NOTE_LOOSE' }],
    });
  });

  test('has what the log warns of when it starts, and says it once', async () => {
    const doubtful = new CommandFolder({
      'server.ts': `
import { IsString } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
class Tags {
  @IsString({ each: true }) tags!: string[];
}
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('Tag them') tag(tags: Tags = new Tags()): string { return 'done'; }
}
@Module({ controllers: [Notes] })
class AppModule {}
export const app = McpApplication.create(AppModule, { openWorld: false });
`,
    });
    const { exitCode, stderr } = await doubtful.run(['check', 'server.ts', '--fail-on', 'advice']);
    doubtful.remove();
    expect(exitCode).toBe(1);
    expect(stderr.match(/^.*TW_S\w+/gm)).toEqual([
      'advice TW_SCAN_DEFAULT_UNUSED',
      'advice TW_SHAPE_EACH_WITHOUT_ARRAY',
    ]);
  });

  test('makes the command fail where --fail-on says so', async () => {
    const accepted = ['LIMIT', 'OPEN_WORLD'].flatMap((name) => ['--accept', `TW_ADVICE_${name}`]);
    const endOf = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await folder.run(['check', 'server.ts', ...accepted, ...args]);
      return [exitCode, /\d of the findings count.*$/m.exec(stderr)?.[0]];
    };
    expect(
      await Promise.all([
        endOf('--fail-on', 'problem'),
        endOf('--fail-on', 'advice'),
        endOf('--fail-on', 'note'),
        endOf('--fail-on', 'advice', '--accept', 'TW_ADVICE_HOST'),
        endOf('--fail-on', 'warning'),
      ]),
    ).toEqual([
      [0, undefined],
      [1, '1 of the findings count as failures: --fail-on advice.'],
      [1, '2 of the findings count as failures: --fail-on note.'],
      [0, undefined],
      [2, undefined],
    ]);
  });

  test('is what doctor shows, too', async () => {
    const { stdout } = await folder.run(['doctor', 'server.ts', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: readonly { about: string; found: string }[] };
    expect(checks.filter(({ about }) => about.startsWith('TW_ADVICE_'))).toHaveLength(3);
    expect(checks.filter(({ about }) => about === 'TW_NOTE_LOOSE')).toMatchObject([{ state: 'note' }]);
  });
});
