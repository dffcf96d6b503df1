import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './docs/example.ts';

test('users get the types of test/pins/api: `npm run api` writes them if a change is meant', async () => {
  const check = promisify(execFile)(process.execPath, ['.ci/api-report.mjs', '--check'], { cwd: ROOT });
  expect((await check).stderr).toBe('');
});
