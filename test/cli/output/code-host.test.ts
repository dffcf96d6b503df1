import { describe, expect, test } from '@jest/globals';
import { changeOf, RULES, sortChanges, type RuleName } from '../../../src/cli/lock/changes.ts';
import { reportAsSarif } from '../../../src/cli/lock/report.ts';
import { decideOn } from '../../../src/cli/lock/verdict.ts';
import { sarifLog } from '../../../src/cli/output/code-host.ts';
import { runCli } from '../../support/cli-process.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { sarifFaults } from '../../support/sarif.ts';

interface Log {
  readonly runs: readonly [
    {
      readonly results: readonly {
        readonly partialFingerprints: object;
        readonly locations: readonly [
          { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } },
        ];
      }[];
    },
  ];
}

const uriOf = (file: string): string => {
  const log = sarifLog(
    file,
    [{ id: 'r', meaning: 'm' }],
    [{ rule: 'r', level: 'note', text: 't', where: 'w' }],
  ) as Log;
  expect(sarifFaults(log)).toEqual([]);
  return log.runs[0].results[0]!.locations[0].physicalLocation.artifactLocation.uri;
};

test('the schema refuses what is not SARIF', () => {
  const result = { message: { text: 't' }, locations: [], severity: 1 };
  const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [result] }] };
  expect(sarifFaults(log)).toEqual(['/runs/0/results/0 must NOT have additional properties']);
  expect(sarifFaults({ version: '2.0.0', runs: [] })).toEqual([
    '/version must be equal to one of the allowed values',
  ]);
});

describe('a log is valid SARIF 2.1.0', () => {
  test('of check, with problems and without', async () => {
    for (const entry of ['three-problems.ts', 'tasks.ts']) {
      const { stdout } = await runCli(['check', entry, '--format', 'sarif']);
      expect(sarifFaults(JSON.parse(stdout))).toEqual([]);
    }
  });

  test('of diff, with every rule and with an entry that accepts nothing', () => {
    const rules = Object.keys(RULES) as RuleName[];
    const changes = sortChanges(rules.map((rule) => changeOf(rule, 'tasks', `tasks.${rule}(a b)`, 'why')));
    const accept = [{ rule: 'tool-removed', where: 'gone', reason: 'unused' }];
    const log = reportAsSarif(decideOn(changes, accept, 'any'), 'toolwright.lock.json', () => 3) as Log;
    expect(log.runs[0].results).toHaveLength(rules.length + 1);
    expect(sarifFaults(log)).toEqual([]);
  });

  test('of diff, as the command writes it', async () => {
    const folder = new CommandFolder();
    const lock = (tools: readonly object[]): string =>
      JSON.stringify({
        lockVersion: 1,
        surfaceHash: String(tools.length),
        server: {},
        tools,
        prompts: [],
        resources: [],
        resourceTemplates: [],
      });
    folder.write('old.lock.json', lock([{ name: 'tasks', inputSchema: { type: 'object' } }]));
    folder.write('new tasks.lock.json', lock([]));
    const end = await folder.run(['diff', 'old.lock.json', 'new tasks.lock.json', '--format', 'sarif']);
    folder.remove();
    const log = JSON.parse(end.stdout) as Log;
    expect(end.exitCode).toBe(1);
    expect(sarifFaults(log)).toEqual([]);
    expect(log.runs[0].results[0]!.locations[0].physicalLocation.artifactLocation.uri).toBe(
      'new%20tasks.lock.json',
    );
  });
});

test('the place is a URI', () => {
  expect(uriOf('src/server.ts')).toBe('src/server.ts');
  expect(uriOf('src\\my server.ts')).toBe('src/my%20server.ts');
  expect(uriOf('a:b.ts')).toBe('a%3Ab.ts');
  expect(uriOf('/srv/app/server.ts')).toBe('file:///srv/app/server.ts');
  expect(uriOf('http://127.0.0.1:3000/mcp')).toBe('http://127.0.0.1:3000/mcp');
});

test('equal findings have equal fingerprints, others have others', () => {
  const finding = { rule: 'r', level: 'note', text: 't', where: 'w' } as const;
  const log = sarifLog(
    'f.ts',
    [{ id: 'r', meaning: 'm' }],
    [
      finding,
      { ...finding, line: 9, text: 'other words' },
      { ...finding, detail: 'd' },
      { ...finding, where: 'v' },
    ],
  ) as Log;
  const [first, same, ...others] = log.runs[0].results.map(({ partialFingerprints }) =>
    JSON.stringify(partialFingerprints),
  );
  expect(same).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});
