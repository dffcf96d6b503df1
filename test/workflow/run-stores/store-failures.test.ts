import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { importPackage } from '../../../src/workflow/run-stores/store-failures.ts';

/** What Node says where the package is not installed. */
async function missingError(name: string): Promise<Error> {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-missing-'));
  const script = `import('${name}').catch(({ code, message }) => console.log(JSON.stringify({ code, message })))`;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: directory });
    const { code, message } = JSON.parse(stdout) as { code: string; message: string };
    return Object.assign(new Error(message), { code });
  } finally {
    await rm(directory, { recursive: true });
  }
}

test.each(['@libsql/client', 'pg'])('says how to install %s when it is missing', async (name) => {
  const cause = await missingError(name);
  await expect(importPackage(name, () => Promise.reject(cause))).rejects.toMatchObject({
    code: 'TW_WORKFLOW_STORE_MISSING',
    fix: `npm install ${name}`,
    suggestions: [`npm install ${name}`],
    cause,
  });
});

test('leaves what a package fails to find itself as it is', async () => {
  const cause = await missingError('@libsql/linux-x64-gnu');
  await expect(importPackage('@libsql/client', () => Promise.reject(cause))).rejects.toBe(cause);
});

test('leaves what fails for another reason as it is, also where that names the package', async () => {
  const cause = Object.assign(new Error("Cannot load the addon of 'pg'"), { code: 'ERR_DLOPEN_FAILED' });
  await expect(importPackage('pg', () => Promise.reject(cause))).rejects.toBe(cause);
});
