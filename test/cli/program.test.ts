import { describe, expect, test } from '@jest/globals';
import { CommanderError } from 'commander';
import { CLIENT_NAMES } from '../../src/cli/clients/clients.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { COMMON_OPTIONS, meantName } from '../../src/cli/option-values.ts';
import { usageError } from '../../src/cli/program.ts';
import { runCli } from '../support/cli-process.ts';

const ESCAPE = '\u001b';

test('shows help on stderr, an example first, when nothing is asked', async () => {
  const { code, stdout, stderr } = await runCli([]);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^Example\n {2}toolwright \w+ server\.ts/);
});

test('prints the version of the package', async () => {
  const { code, stdout } = await runCli(['--version']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  expect((await runCli(['-V', '--json'])).stdout).toBe(stdout);
});

test('begins the help of a command with examples, on stdout', async () => {
  const { code, stdout, stderr } = await runCli(['call', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Examples\n {2}toolwright call server\.ts/);
  expect(stdout).toContain('--answer <answer>');
  expect(stdout).toContain('--no-input');
});

describe('a wrong command line ends with 2, says what was meant, and leaves stdout empty', () => {
  test.each([
    [['rnu', 'tasks.ts'], 'did you mean run?'],
    [['run', 'tasks.ts', '--prot', '1'], 'did you mean --port?'],
    [['run', 'tasks.ts', '--port', '70000'], 'a whole number from 0 to 65535'],
    [['run', 'tasks.ts', '--port'], 'argument missing'],
    [['run'], 'names no server'],
    [['run', 'tasks.ts', 'more'], 'too many arguments'],
    [['check', 'tasks.ts', '--format', 'xml'], 'Allowed choices are text, json, github, sarif'],
    [['call'], 'does not say what to call'],
    [['call', 'tasks.ts'], 'does not say what to call'],
    [['list'], 'names no server'],
    [['list', '--command', '"node'], 'a quote that is not closed'],
    [['list', 'http://[', '--tools'], 'is not a URL'],
    [['list', 'http://127.0.0.1:9/mcp', '--header', 'bad header: x'], 'takes the name of a header'],
    [['completion', 'powershel'], 'did you mean "powershell"?'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('a wrong word of a command line gets the right one', () => {
  const fault = (code: string, message: string, ...given: readonly string[]) =>
    usageError(new CommanderError(1, `commander.${code}`, `error: ${message}`), given);
  const unknown = (command: string, option: string) =>
    fault('unknownOption', `unknown option '${option}'`, command, option);

  test.each([
    ['tokens', '--max', '--budget'],
    ['export', '--format', '--for'],
    ['install', '--dry-run', '--print'],
    ['call', '--output', '--out'],
    ['run', '--prot', '--port'],
  ])('%s %s is %s', (command, given, meant) => {
    expect(unknown(command, given)).toMatchObject({
      what: `has no option ${given}; did you mean ${meant}?`,
      fix: meant,
    });
  });

  test('every other word for an option leads to it, and is an option of no kind itself', () => {
    const longOf = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? '';
    for (const { name, options } of COMMANDS) {
      const known = [...options, ...COMMON_OPTIONS].map(({ flags }) => longOf(flags));
      const synonyms = options.flatMap(({ flags, synonyms: words = [] }) =>
        words.map((word) => [word, longOf(flags)]),
      );
      expect(new Set(synonyms.map(([word]) => word)).size).toBe(synonyms.length);
      for (const [word = '', meant] of synonyms) {
        expect([name, word, known.includes(word)]).toEqual([name, word, false]);
        expect([name, word, unknown(name, word).fix]).toEqual([name, word, meant]);
      }
    }
  });

  test.each([
    ['audit', 'what', 'It is one of verify.'],
    ['completion', 'shell', 'It is one of bash, zsh, fish, powershell.'],
    ['install', 'client', 'claude-code'],
  ])('%s without its argument names what it can be', (command, argument, words) => {
    const error = fault('missingArgument', `missing required argument '${argument}'`, command);
    expect(error.what).toContain(words);
  });

  test.each([
    ['claud', 'claude-code'],
    ['vscod', 'vscode'],
    ['c', undefined],
    ['cu', 'cursor'],
  ])('%s means %s', (given, meant) => {
    expect(meantName(given, CLIENT_NAMES)).toBe(meant);
  });

  test('a number out of bounds gets a usual one', () => {
    const port = COMMANDS.find(({ name }) => name === 'run')?.options.find(({ flags }) =>
      flags.startsWith('--port'),
    );
    expect(() => port?.parse?.('80000', undefined)).toThrow(/fix: --port 3000/);
  });
});

test('writes a failure as the last line of stderr with --json', async () => {
  const { code, stdout, stderr } = await runCli(['list', 'missing.ts', '--json']);
  expect([code, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr.split('\n').at(-1)!)).toEqual({
    error: {
      code: 'TW_CLI_ENTRY_MISSING',
      message: expect.stringContaining('missing.ts does not exist'),
      where: 'missing.ts',
      fix: expect.any(String),
    },
  });
});

describe('colours', () => {
  test.each([
    [{}, [], false],
    [{ FORCE_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '0' }, [], false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    [{ FORCE_COLOR: '1' }, ['--no-color'], false],
    [{ NO_COLOR: '1' }, ['--color'], true],
    [{ TERM: 'dumb' }, [], false],
    [{ CI: '1' }, [], false],
  ])('%j %j into pipes', async (env, options, isColoured) => {
    const { stdout } = await runCli(['list', '--help', ...options], { env });
    expect(stdout.includes(ESCAPE)).toBe(isColoured);
    const { stderr } = await runCli(['lst', ...options], { env });
    expect(stderr.includes(ESCAPE)).toBe(isColoured);
  });
});
