import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PEERS } from './folders.ts';

type Versions = Readonly<Record<string, string>>;

/**
 * Installs what Toolwright is compared with, into a folder of its own, unless it is there already.
 * @returns for every package its version, or why there is none
 */
export async function installPeers(print: (line: string) => void): Promise<Versions> {
  const wanted = await wantedVersions();
  let found = await installedVersions(wanted);
  const missing = Object.keys(wanted).filter((name) => found[name] !== wanted[name]);
  if (missing.length > 0) {
    print(`Installing into ${PEERS}: ${missing.join(', ')}`);
    await runNpm(print);
    found = await installedVersions(wanted);
  }
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, found[name] ?? 'not installed']));
}

async function wantedVersions(): Promise<Versions> {
  const { dependencies } = (await readJson(join(PEERS, 'package.json'))) as {
    readonly dependencies: Versions;
  };
  return dependencies;
}

async function installedVersions(wanted: Versions): Promise<Versions> {
  const entries = await Promise.all(
    Object.keys(wanted).map(async (name) => {
      const file = join(PEERS, 'node_modules', name, 'package.json');
      const version = await readJson(file).then(
        (manifest) => (manifest as { readonly version: string }).version,
        () => undefined,
      );
      return version === undefined ? [] : [[name, version] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** What cannot be installed is shown by the sections that need it. */
async function runNpm(print: (line: string) => void): Promise<void> {
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  const child = spawn('npm', [...args, '--loglevel=error'], { cwd: PEERS, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) print(`npm ended with ${String(code)}: the peers may be missing`);
}
