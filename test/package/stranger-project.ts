import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LineProcess } from '../support/line-process.ts';
import type { InstallLine } from './documented-project.ts';

const run = promisify(execFile);
const QUIET = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** A folder of somebody who knows nothing but the package and its documentation. */
export class StrangerProject {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  copy(path: string, target: string): Promise<void> {
    return cp(join(this.directory, path), join(this.directory, target), { recursive: true });
  }

  remove(path: string): Promise<void> {
    return rm(join(this.directory, path), { recursive: true, force: true });
  }

  /** Runs a documented line of the installation, with another source or version for some of its packages. */
  async install(
    { isDevelopment, packages }: InstallLine,
    sources: ReadonlyMap<string, string>,
  ): Promise<void> {
    const options = isDevelopment ? [...QUIET, '--save-dev'] : QUIET;
    const wanted = packages.map((name) => sources.get(name) ?? name);
    await run('npm', ['install', ...options, ...wanted], { cwd: this.directory });
  }

  /** Runs a documented command line to its end. */
  async shell(command: string): Promise<void> {
    await run('sh', ['-c', command], { cwd: this.directory }).catch((error: unknown) => {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
    });
  }

  start(...args: readonly string[]): LineProcess {
    return new LineProcess({ args, cwd: this.directory, env: { PORT: '0' } });
  }

  /** Starts an installed command, as npx does. */
  command([name = '', ...args]: readonly string[]): LineProcess {
    return new LineProcess({ args: [join('node_modules/.bin', name), ...args], cwd: this.directory });
  }

  async evaluate(script: string, ...options: readonly string[]): Promise<string> {
    const started = this.start(...options, '--eval', script);
    const code = await started.ended;
    if (code !== 0) throw new Error(`It ended with ${String(code)}:\n${started.output()}`);
    return started.stdout.join('\n');
  }

  compile(...options: readonly string[]): Promise<void> {
    return this.shell(['npx --no-install tsc', ...options].join(' '));
  }

  /** Does something as if a package had never been installed. */
  async without<Result>(name: string, body: () => Promise<Result>): Promise<Result> {
    const home = join(this.directory, 'node_modules', name);
    const away = join(this.directory, 'away');
    await rename(home, away);
    try {
      return await body();
    } finally {
      await rename(away, home);
    }
  }
}
