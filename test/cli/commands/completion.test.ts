import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { runCli } from '../../support/cli-process.ts';

/** What the shell offers for a command line that ends with the word to complete. */
async function completedByBash(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCli(['completion', 'bash']);
  const script = `${stdout}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _toolwright; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['--norc', '-c', script, 'bash', 'toolwright', ...words], {
    encoding: 'utf8',
  });
  return text.trim().split('\n');
}

test('bash completes commands, options and their values', async () => {
  expect(await completedByBash('ca')).toEqual(['call']);
  expect(await completedByBash('call', 'x.ts', '--ans')).toEqual(['--answer']);
  expect(await completedByBash('check', 'x.ts', '--format', 'gi')).toEqual(['github']);
  expect(await completedByBash('completion', 'fi')).toEqual(['fish']);
  expect(await completedByBash('run', '--no-i')).toEqual(['--no-input']);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('%s gets a script with every command', async (shell) => {
  const { code, stdout, stderr } = await runCli(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
});

// Where a shell is installed, it reads its script
test.each([
  ['bash', ['-n']],
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
] as const)('%s finds no mistake in its script', async (shell, options) => {
  const path = ['/bin/', '/usr/bin/', '/usr/local/bin/'].map((folder) => folder + shell).find(existsSync);
  const { stdout } = await runCli(['completion', shell]);
  expect(stdout).not.toBe('');
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  writeFileSync(join(folder, shell), stdout);
  if (path !== undefined) execFileSync(path, [...options, join(folder, shell)]);
  rmSync(folder, { recursive: true });
});
