import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Place } from './place.ts';

/** The fixed list. It is made again only where most of its code is gone. */
export const LIST = fileURLToPath(new URL('places.json', import.meta.url));

export function readPlaces(): readonly Place[] {
  return (JSON.parse(readFileSync(LIST, 'utf8')) as { readonly places: readonly Place[] }).places;
}
