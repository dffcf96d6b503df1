import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineProcess } from './line-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(ROOT, 'dist/cli/main.js');
const FOLDER = join(ROOT, '.cache', 'loader');

/** A folder of a user who has installed the built package and nothing else, below the packages of this one. */
export class LoaderProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param type of package.json */
  static async create(files: Readonly<Record<string, string>>, type?: 'module'): Promise<LoaderProject> {
    await mkdir(FOLDER, { recursive: true });
    const project = new LoaderProject(await mkdtemp(join(FOLDER, 'project-')));
    await project.write('package.json', JSON.stringify({ name: 'user', ...(type && { type }) }));
    await mkdir(join(project.folder, 'node_modules'));
    await symlink(ROOT, join(project.folder, 'node_modules', 'toolwright'));
    for (const [name, text] of Object.entries(files)) await project.write(name, text);
    return project;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  /** Runs a file with the loader, as a user does. */
  run(file: string): LineProcess {
    return new LineProcess({ args: ['--import', 'toolwright/register', file], cwd: this.folder });
  }

  /** Runs a command of the package. */
  command(...args: readonly string[]): LineProcess {
    return new LineProcess({ args: [MAIN, ...args], cwd: this.folder });
  }

  /** The same, where the application may collect its garbage before it measures. */
  measured(...args: readonly string[]): LineProcess {
    return new LineProcess({ args: ['--expose-gc', MAIN, ...args], cwd: this.folder });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
