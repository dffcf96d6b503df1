import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { stripVTControlCharacters } from 'node:util';
import { Terminal, type CommonOptions } from '../../../src/cli/output/terminal.ts';

interface Facts {
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

function open({ terminals = [], env = {}, columns = 40 }: Facts, options: CommonOptions = {}) {
  const streamOf = (name: 'stdin' | 'stdout' | 'stderr') =>
    Object.assign(new PassThrough(), { isTTY: terminals.includes(name), columns });
  const streams = { stdin: streamOf('stdin'), stdout: streamOf('stdout'), stderr: streamOf('stderr'), env };
  return { ...streams, terminal: new Terminal(streams, options) };
}

const ALL = ['stdin', 'stdout', 'stderr'] as const;

describe('a question can be asked', () => {
  test.each([
    [{ terminals: ALL }, {}, true],
    [{ terminals: ['stdin', 'stderr'] }, {}, true],
    [{ terminals: ['stdout', 'stderr'] }, {}, false],
    [{ terminals: ['stdin', 'stdout'] }, {}, false],
    [{ terminals: ALL, env: { CI: 'true' } }, {}, false],
    [{ terminals: ALL, env: { CI: 'false' } }, {}, true],
    [{ terminals: ALL, env: { TERM: 'dumb' } }, {}, false],
    [{ terminals: ALL }, { input: false }, false],
  ] as const)('%j %j', (facts, options, expected) => {
    expect(open(facts, options).terminal.canAsk).toBe(expected);
  });
});

test('what is said is as wide as stderr, where that is a terminal', () => {
  const widths = [['stderr'], ['stdout'], ALL].map((terminals) => {
    const { terminal } = open({ terminals: terminals as Facts['terminals'] & object });
    return [terminal.width, terminal.talkWidth];
  });
  expect(widths).toEqual([
    [Infinity, 40],
    [40, Infinity],
    [40, 40],
  ]);
});

test('stdout and stderr have colours apart from each other', () => {
  const { terminal } = open({ terminals: ['stderr'] });
  expect([terminal.paint.red('x'), terminal.talk.red('x')]).toEqual(['x', '\u001b[31mx\u001b[39m']);
});

test('a pipe has no width; a terminal has its own', () => {
  expect(open({}).terminal.width).toBe(Infinity);
  expect(open({ terminals: ALL, columns: 40 }).terminal.width).toBe(40);
});

test('what others say cannot steer a terminal, and reaches programs unchanged', () => {
  expect(open({ terminals: ALL }).terminal.foreign('\u001b[2J')).toBe('\\u001b[2J');
  expect(open({}).terminal.foreign('\u001b[2J')).toBe('\u001b[2J');
  for (const terminals of [ALL, []])
    expect(open({ terminals }).terminal.foreign('::error::x')).toBe('\\u003a:error::x');
});

test('the result is all that reaches stdout', async () => {
  const { terminal, stdout, stderr } = open({}, { quiet: true });
  stdout.write('printed by somebody else\n');
  terminal.say('said');
  terminal.mention('mentioned');
  terminal.complain('went wrong');
  terminal.print('result');
  await terminal.end();
  stderr.end();
  expect(String(stdout.read())).toBe('result\n');
  expect(await text(stderr)).toBe('printed by somebody else\nwent wrong\n');
});

test('with --json the failure is the last line, also behind a warning of Node that comes a turn later', async () => {
  const { terminal, stderr } = open({}, { json: true });
  process.nextTick(() => stderr.write('(node) Warning: deprecated\n'));
  terminal.failed({ code: 'TW_CLI_RESULT' });
  await terminal.end();
  stderr.end();
  expect(await text(stderr)).toBe('(node) Warning: deprecated\n{"error":{"code":"TW_CLI_RESULT"}}\n');
});

test('a bar is drawn again on a terminal, and is a line elsewhere', () => {
  for (const [terminals, expected] of [
    [ALL, '\r\u001b[2K'],
    [[], 'work: 5/10 half\n'],
  ] as const) {
    const { terminal, stderr } = open({ terminals, columns: 80 });
    const progress = terminal.progress('work');
    progress.report({ progress: 5, total: 10, message: 'half' });
    progress.end();
    expect(String(stderr.read())).toContain(expected);
  }
});

test('what others print while a bar is drawn begins on an empty line, and the bar comes back below', () => {
  const { terminal, stderr } = open({ terminals: ALL, columns: 80 });
  const progress = terminal.progress('work');
  progress.report({ progress: 10, total: 10, message: 'a' });
  stderr.write('printed\n');
  progress.report({ progress: 10, total: 10, message: 'b' });
  progress.end();
  terminal.say('end');
  const erase = '\r\u001b[2K';
  const lines = stripVTControlCharacters(String(stderr.read()).replaceAll(erase, '<erase>')).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^<erase>█+ 10\/10 a<erase>printed$/),
    expect.stringMatching(/^<erase>█+ 10\/10 b<erase>end$/),
    '',
  ]);
});
