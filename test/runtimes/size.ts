import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StrangerProject } from '../package/stranger-project.ts';

/**
 * What the documented installation may take of the disk, in KiB. Of it 7.7 MiB are our own, and 25 MiB the SDK with what it needs; tsyringe, reflect-metadata and
 * toon, which are not bundled, take 1.2 MiB.
 */
export const LARGEST_INSTALLATION = 63.25 * 1024;

/** A folder and the KiB that it takes. */
export type Part = readonly [kib: number, folder: string];

/** Installs the package and its peer as users do, without what is optional; gives the whole, then its parts by size. */
export async function measureInstallation(
  directory: string,
  tarball: string,
): Promise<readonly [whole: number, ...parts: Part[]]> {
  const project = new StrangerProject(directory);
  await project.write('package.json', '{ "name": "empty", "private": true, "type": "module" }');
  await project.install(
    { isDevelopment: false, packages: ['--omit=optional', 'toolwright', 'class-validator'] },
    new Map([['toolwright', tarball]]),
  );
  const { stdout } = await promisify(execFile)('du', ['-k', '-d', '2', 'node_modules'], { cwd: directory });
  return partsOf(stdout);
}

/** Reads what `du` printed: scopes count by their packages. */
export function partsOf(output: string): readonly [whole: number, ...parts: Part[]] {
  const folders = output
    .trim()
    .split('\n')
    .map((line): Part => {
      const [kib = '', folder = ''] = line.split('\t');
      return [Number(kib), folder];
    });
  const whole = folders.find(([, folder]) => folder === 'node_modules')?.[0] ?? 0;
  const packages = folders
    .map(([kib, folder]): Part => [kib, folder.slice('node_modules/'.length)])
    .filter(([, name]) => /^(@[^/]+\/)?[^@/.][^/]*$/.test(name) && name !== '');
  return [whole, ...packages.sort(([left], [right]) => right - left)];
}

/** The largest parts, a line each. */
export function describeParts(parts: readonly Part[], count = 12): readonly string[] {
  return parts
    .slice(0, count)
    .map(([kib, folder]) => `${(kib / 1024).toFixed(1).padStart(6)} MiB  ${folder}`);
}
