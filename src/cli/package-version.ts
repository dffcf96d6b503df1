import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

interface Manifest {
  readonly version: string;
  readonly bin: { readonly toolwright: string };
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The version of this package. */
export function packageVersion(): string {
  return packageManifest().version;
}

/** The package.json of this package. */
export function packageManifest(): Manifest {
  return JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as Manifest;
}

/** The folder of this package, behind all links. */
export function packageRoot(): string {
  return fileURLToPath(ROOT).replace(/[\\/]$/, '');
}
