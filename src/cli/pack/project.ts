import { dirname } from 'node:path';
import type { PlainObject } from '../../shared/json.ts';
import { manifestsAbove, type PlacedManifest } from '../manifest.ts';
import type { CreatedApplication } from '../target/entry-host.ts';

/** What is packed: an application, and the project that it is in. */
export interface PackedProject extends PlacedManifest {
  readonly created: CreatedApplication;
}

/** The project of a file; undefined for a file in no package. */
export function findProject(file: string, created: CreatedApplication): PackedProject | undefined {
  const [nearest] = manifestsAbove(dirname(file));
  return nearest && { ...nearest, created };
}

/** A member of a package.json, where it is a text. */
export function readText(manifest: PlainObject, member: string): string | undefined {
  const value = manifest[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The program that clients start: what `bin` names, or else `main`. */
export function findProgram({ bin, main }: PlainObject): string | undefined {
  const named: unknown = typeof bin === 'object' && bin !== null ? Object.values(bin)[0] : (bin ?? main);
  return typeof named === 'string' ? named.replace(/^\.\//, '') : undefined;
}
