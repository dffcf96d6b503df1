import { afterAll, describe, expect, test } from '@jest/globals';
import { CommandFolder } from '../../support/command-line.ts';
import { runCli } from '../../support/cli-process.ts';

interface Described {
  readonly id: string;
  readonly kind: string;
  readonly match: readonly string[];
  readonly choices?: { readonly surface: string };
  readonly facts: readonly { readonly name: string; readonly source: string; readonly isOld: boolean }[];
}

const EDITED = {
  clients: {
    codex: {
      facts: {
        'result.tokens': {
          value: 12_345,
          source: 'https://example.com/measured',
          date: '2020-01-31',
          sure: 'seen',
        },
      },
    },
    'acme-*': { title: 'Acme\u001b[31m desk' },
  },
};

test('lists every client and directory with what suits it', async () => {
  const { code, stdout, stderr } = await runCli(['clients']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^codex +Codex: grouped-by-risk, signatures, structured; \d+ facts$/m);
  expect(stdout).toMatch(/^claude-directory +Claude's connectors directory: a directory; \d+ facts$/m);
  expect(stderr).toContain('toolwright clients <name>');
});

test.each([['codex'], ['codex-mcp-client']])(
  'shows each fact of %s with its source and date',
  async (name) => {
    const { code, stdout } = await runCli(['clients', name]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^codex: Codex$/m);
    expect(stdout).toMatch(/^ +named +codex-mcp-client, Codex$/m);
    expect(stdout).toMatch(
      /^ +inputSchema\.bytes +5000 \(loses-descriptions\)\n +2026-09-27, in its source: https:/m,
    );
  },
);

test('writes JSON of all and of one', async () => {
  const all = JSON.parse((await runCli(['clients', '--json'])).stdout) as { clients: Described[] };
  const one = JSON.parse((await runCli(['clients', 'vscode', '--json'])).stdout) as Described;
  expect(all.clients.find(({ id }) => id === 'vscode')).toEqual(one);
  expect(one).toMatchObject({ kind: 'client', choices: { surface: 'grouped-by-risk' } });
  expect(one.facts.find(({ name }) => name === 'structured')?.source).toMatch(
    /^https:\/\/github\.com\/microsoft\/vscode/,
  );
  const directory = all.clients.find(({ id }) => id === 'chatgpt-directory');
  expect([directory?.kind, directory?.choices]).toEqual(['directory', undefined]);
});

test('ends with 2 for a name that is not known, and names the nearest', async () => {
  const { code, stderr } = await runCli(['clients', 'codx']);
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean "codex"?');
});

describe('corrections', () => {
  const folder = new CommandFolder({
    'toolwright.profiles.json': JSON.stringify(EDITED),
    'wrong.json': '{"clients":{"codex":{"facts":{"result.tokns":{}}}}}',
  });
  afterAll(() => {
    folder.remove();
  });
  const run = (...args: readonly string[]) => folder.run(['clients', ...args]);

  test('are shown, with a mark where a fact is older than 180 days', async () => {
    const { exitCode, stdout } = await run('codex', '--profiles', 'toolwright.profiles.json');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^ +result\.tokens +12345\n +old 2020-01-31, seen in a run: https:\/\/example\.com\/measured$/m,
    );
    const { stdout: json } = await run('codex', '--json', '--profiles', 'toolwright.profiles.json');
    const { facts } = JSON.parse(json) as Described;
    expect(facts.filter(({ isOld }) => isOld).map(({ name }) => name)).toEqual(['result.tokens']);
  });

  test('add clients, whose texts cannot steer a terminal', async () => {
    const { stdout } = await run('acme-desk', '--profiles', 'toolwright.profiles.json');
    expect(stdout).toContain('acme-*: Acme');
    expect(stdout).not.toContain('\u001b');
    expect((await run('--profiles', 'toolwright.profiles.json')).stdout).toMatch(/^codex .*, 1 old$/m);
  });

  test('with a mistake end with 2, and the key is named', async () => {
    const { exitCode, stderr } = await run('--profiles', 'wrong.json');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('clients.codex.facts.result.tokns')]);
  });
});
