import { deepFreeze } from '../shared/deep-freeze.ts';
import type { ContentBlock } from './content-block.ts';

// A hidden brand, because an object of the user's may well have a `type` and a `text` of its own.
const BRAND = Symbol.for('toolwright:content-block');

/** Marks a content block as made by a helper, so that a handler may return it as it is. */
export function brandBlock<T extends Pick<ContentBlock, 'type'>>(block: T): T {
  return deepFreeze(Object.defineProperty(block, BRAND, { value: true }));
}

/** True for blocks of the helpers, of every installed copy of the package. */
export function isMadeBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** The blocks of a made block or of a list of them; undefined for everything else. */
export function madeBlocks(value: unknown): readonly ContentBlock[] | undefined {
  if (isMadeBlock(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isMadeBlock) ? [...value] : undefined;
}
