import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenReport } from '../../../src/cli/tokens/token-report.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { TOKEN_SERVER } from '../../support/token-server.ts';

interface Report {
  readonly tokens: number;
  readonly isExact: boolean;
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  readonly actions: Readonly<Record<string, readonly { readonly key: string; readonly tokens: number }[]>>;
  readonly alternatives: TokenReport['alternatives'];
}

let folder: CommandFolder;
let report: Report;

beforeAll(async () => {
  folder = new CommandFolder({ 'server.ts': TOKEN_SERVER });
  const { stdout } = await folder.run(['tokens', 'server.ts', '--json']);
  report = JSON.parse(stdout) as Report;
});

afterAll(() => {
  folder.remove();
});

describe('toolwright tokens', () => {
  test('counts the whole, each tool, and each action as what its tool is shorter without it', () => {
    expect(report.isExact).toBe(true);
    const [tool, ...others] = report.tools;
    expect(others).toEqual([]);
    // The brackets of the list are what the tool is not
    expect(report.tokens - tool!.tokens).toBeLessThanOrEqual(2);
    const actions = new Map(report.actions['tasks']!.map(({ key, tokens }) => [key, tokens]));
    expect([...actions.keys()]).toEqual(['create', 'list']);
    expect(actions.get('create')).toBeGreaterThan(actions.get('list')!);
    for (const tokens of actions.values()) expect(tokens).toBeLessThan(tool!.tokens);
  });

  test('compares the surfaces and forms of the same actions, and says which one it is', () => {
    const [plain, , signatures, byRisk, flat, progressive] = report.alternatives;
    expect(report.alternatives.map(({ isCurrent }) => isCurrent)).toEqual([
      ...[true, false, false, false, false, false],
    ]);
    expect(plain).toEqual({
      ...{ name: 'grouped, plain descriptions', tools: 1, tokens: report.tokens, isCurrent: true },
      largest: { name: 'tasks', tokens: report.tools[0]?.tokens },
    });
    expect(signatures?.name).toBe('grouped, signatures');
    // No action is marked as one that reads: by risk, both stay in one tool
    expect(byRisk).toMatchObject({ name: 'grouped-by-risk', tools: 1, largest: { name: 'tasks_write' } });
    expect(flat).toMatchObject({ name: 'flat', tools: 2, largest: { name: 'tasks_create' } });
    expect(flat!.largest!.tokens).toBeLessThan(flat!.tokens);
    expect(progressive!.name).toBe('progressive');
    expect(progressive!.tokens).toBeLessThanOrEqual(450);
  });

  test('ends with 0 within the budget and with 1 one token over it', async () => {
    const within = await folder.run(['tokens', 'server.ts', '--budget', String(report.tokens)]);
    expect({ exitCode: within.exitCode, stderr: within.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const over = await folder.run(['tokens', 'server.ts', '--budget', String(report.tokens - 1)]);
    expect(over.exitCode).toBe(1);
    expect(over.stderr).toContain(`1 more than the budget of ${report.tokens - 1}. The largest: tasks `);
    const single = await folder.run(['tokens', 'server.ts', '--per-tool', '10']);
    expect(single.exitCode).toBe(1);
    expect(single.stderr).toContain('and a tool may cost 10: ');
  });

  test('takes the budget of package.json, unless the command line gives one', async () => {
    folder.write('package.json', JSON.stringify({ toolwright: { tokens: { budget: 10 } } }));
    expect((await folder.run(['tokens', 'server.ts'])).exitCode).toBe(1);
    expect((await folder.run(['tokens', 'server.ts', '--budget', '9999'])).exitCode).toBe(0);
    folder.write('package.json', '{}');
  });

  test.each(['openai', 'anthropic', 'gemini'])('marks the count for %s as an estimate', async (form) => {
    const { exitCode, stdout } = await folder.run(['tokens', 'server.ts', '--for', form]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('an estimate: o200k_base of the compact JSON');
  });

  test('counts what a lock file holds: nearly the same, because it sorts members', async () => {
    await folder.run(['lock', 'server.ts']);
    const { stdout } = await folder.run(['tokens', 'toolwright.lock.json', '--json']);
    const locked = JSON.parse(stdout) as Report;
    expect(locked.isExact).toBe(false);
    expect(Math.abs(locked.tokens - report.tokens)).toBeLessThan(5);
  });
});
