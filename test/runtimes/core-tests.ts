import { fileURLToPath } from 'node:url';
import { installProgram } from '../support/installed-package.ts';
import { LineProcess } from '../support/line-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const JEST = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));

/** What `npm run test:core` runs. */
export const CORE = ['test/behaviour', 'test/engine', 'test/compile'] as const;

/** Runs the tests of the core with a version of Node; gives the line with their number. */
export async function runCoreTests(version: string): Promise<string> {
  const command = await installProgram('node', version);
  const args = ['--experimental-vm-modules', JEST, ...CORE];
  const tests = new LineProcess({ command, args, cwd: ROOT });
  const code = await tests.ended;
  if (code !== 0) throw new Error(tests.output());
  return tests.stderr.find((line) => line.startsWith('Tests:')) ?? '';
}
