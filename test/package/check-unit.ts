import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blockWith } from '../pins/deploying/guide.ts';

const INSTALLER = fileURLToPath(new URL('../../.ci/services', import.meta.url));

/** The programs of the units of the guide. */
const PROGRAMS = ['main.js', 'worker.js'];

/**
 * systemd itself reads the units of the guide. Where it is missing, it is installed as other programs of tests are; where
 * that cannot be, as on macOS, the output says that it was not run.
 */
export async function checkUnits(directory: string): Promise<void> {
  if (!hasSystemd() && !(await installSystemd())) {
    console.log('NOT RUN: this system has neither systemd-analyze nor a way to install it');
    return;
  }
  await mkdir(directory);
  const file = join(directory, 'tasks.service');
  for (const program of PROGRAMS) {
    // The program has to be there for systemd
    const text = blockWith('ini', program).replace(
      /^ExecStart=.*$/m,
      `ExecStart=${process.execPath} ${file}`,
    );
    await writeFile(file, `${text}\n`);
    const { status, stderr } = verify(file);
    assert.deepEqual([status, stderr.split('\n').filter((line) => line.includes('tasks.service'))], [0, []]);
    await writeFile(file, `${text.replace('NoNewPrivileges', 'NoNewPrivilege')}\n`);
    assert.match(verify(file).stderr, /NoNewPrivilege/, 'systemd-analyze finds a wrong setting');
  }
}

const verify = (file: string) =>
  spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });

const hasSystemd = (): boolean => spawnSync('systemd-analyze', ['--version']).status === 0;

async function installSystemd(): Promise<boolean> {
  const installer = spawn(INSTALLER, ['systemd'], { stdio: ['ignore', 2, 2] });
  const [code] = (await once(installer, 'exit')) as [number | null];
  return code === 0 && hasSystemd();
}
