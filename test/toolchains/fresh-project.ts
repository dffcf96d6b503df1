import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { documentedProject } from '../package/documented-project.ts';
import { StrangerProject } from '../package/stranger-project.ts';

const run = promisify(execFile);
const QUIET = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

const TEST = `import { test } from 'vitest';

test('the application starts, and answers', async () => {
  await import('./implicit.ts');
});
`;

/** A project as the guide sets it up, with the packed package and one of the applications beside this file. */
export async function createFreshProject(root: string, directory: string): Promise<StrangerProject> {
  const project = new StrangerProject(directory);
  await mkdir(`${directory}/src`, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: root });
  const { packageJson, tsconfig, installs } = documentedProject();
  await project.write('package.json', packageJson.replace(/"name": "\w+"/, '"name": "fresh"'));
  await project.write('tsconfig.json', tsconfig);
  for (const file of ['implicit.ts', 'print-surface.ts']) {
    await cp(`${root}test/toolchains/application/${file}`, `${directory}/src/${file}`);
  }
  const tarball = `./${stdout.trim().split('\n').at(-1) ?? ''}`;
  for (const line of installs) await project.install(line, new Map([['toolwright', tarball]]));
  await completeLock(root, `${directory}/package-lock.json`);
  return project;
}

interface LockFile {
  packages: Record<string, unknown>;
}

/**
 * npm leaves out of a lock file what a registry does not have, such as the loader's binaries for other machines, and then
 * refuses the file. The lock file of this project has them all.
 */
async function completeLock(root: string, path: string): Promise<void> {
  const read = async (file: string): Promise<LockFile> =>
    JSON.parse(await readFile(file, 'utf8')) as LockFile;
  const [complete, own] = [await read(`${root}package-lock.json`), await read(path)];
  const binaries = Object.entries(complete.packages).filter(([name]) => name.includes('/@oxc-transform/'));
  own.packages = { ...Object.fromEntries(binaries), ...own.packages };
  await writeFile(path, JSON.stringify(own, null, 2));
}

/** What the documents recommend: `npm ci` accepts the lock file, tsc compiles, and Node runs what it wrote. */
export async function runAsDocumented(project: StrangerProject): Promise<string> {
  await project.shell(`npm ci ${QUIET.join(' ')}`);
  await project.compile('--rewriteRelativeImportExtensions');
  return project.evaluate("await import('./dist/implicit.js')", '--input-type=module');
}

/** Runs the application as a test of the real Vitest, without any configuration. */
export async function runInVitest(
  project: StrangerProject,
  version: string,
  node = process.execPath,
): Promise<string> {
  await project.install({ isDevelopment: true, packages: [`vitest@${version}`] }, new Map());
  await writeFile(`${project.directory}/src/books.test.ts`, TEST);
  const { stdout } = await run(node, ['node_modules/vitest/vitest.mjs', 'run', '--no-color', 'src'], {
    cwd: project.directory,
  });
  return stdout;
}

/** Runs the application as it is, with the loader. */
export async function runWithLoader(project: StrangerProject, node: string): Promise<string> {
  const { stdout } = await run(node, ['--import', 'toolwright/register', 'src/implicit.ts'], {
    cwd: project.directory,
  });
  return stdout.trim();
}

/** Takes the compiler options away, and gives Vitest the plugin in their place. */
export async function usePlugin(project: StrangerProject): Promise<void> {
  await rm(`${project.directory}/tsconfig.json`);
  const config =
    "import { toolwright } from 'toolwright/vite';\nexport default { plugins: [toolwright()] };\n";
  await writeFile(`${project.directory}/vitest.config.mjs`, config);
}

/** A Node 22 that npm installs; it strips types, and runs the newest Vitest. */
export function installNewerNode(directory: string): Promise<string> {
  return installNode(directory, '22');
}

/** The newest Node of a line such as `22.18`, as npm installs it. */
export async function installNode(directory: string, version: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const installed = `${NODE_PACKAGE}@${version}`;
  await run('npm', ['install', ...QUIET, '--no-save', '--prefix', directory, installed]);
  return `${directory}/node_modules/${NODE_PACKAGE}/bin/node`;
}
