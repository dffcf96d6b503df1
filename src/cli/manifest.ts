import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPlainObject, type PlainObject } from '../shared/json.ts';

/** A package.json, and the folder that it is in. */
export interface PlacedManifest {
  readonly folder: string;
  readonly manifest: PlainObject;
}

/** The package.json of a folder; undefined where there is none, or none that can be read. */
export function readManifest(folder: string): PlainObject | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isPlainObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The package.json files of a folder and of those around it, the nearest first. */
export function* manifestsAbove(from: string): Generator<PlacedManifest> {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = readManifest(folder);
    if (manifest !== undefined) yield { folder, manifest };
    if (folder === dirname(folder)) return;
  }
}

/** What a package.json says of Toolwright under `toolwright`. */
export function settingsIn(manifest: PlainObject | undefined): PlainObject {
  const settings = manifest?.['toolwright'];
  return isPlainObject(settings) ? settings : {};
}
