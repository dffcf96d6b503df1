import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttackProgram, AttackRow } from '../attack.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const COUNTS = join(ROOT, 'test/support/thorough.ts');

interface SuiteResult {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly unknown[];
}

export const suites: AttackProgram = {
  name: 'suites',
  measures: 'milliseconds of the suites whose heavy tests have two counts, with the full one',
  run: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'toolwright-suites-'));
    try {
      return await runSuites(join(directory, 'results.json'));
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

async function runSuites(results: string): Promise<readonly AttackRow[]> {
  const args = [
    '--experimental-vm-modules',
    JEST,
    '--findRelatedTests',
    COUNTS,
    '--json',
    '--outputFile',
    results,
  ];
  const env = { ...process.env, TOOLWRIGHT_THOROUGH: '1', NODE_OPTIONS: '' };
  // What Jest says of its progress and of failures goes to the terminal
  const jest = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(jest, 'exit')) as [number | null];
  if (code !== 0) throw new Error('A suite failed with its full counts.');
  const { testResults } = JSON.parse(await readFile(results, 'utf8')) as { testResults: SuiteResult[] };
  return testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: relative(ROOT, name),
    bytes: 0,
    milliseconds: endTime - startTime,
    note: `${assertionResults.length} tests`,
  }));
}
