import type { MaybePromise } from '../maybe-promise.ts';

/** The name of an owner: 132 bits of a hash, in base64url. */
const OWNED = /^([\w-]{22})\.([^]*)$/;

/**
 * A key of a store, which says whose entry it is: all keys of one owner begin alike, so that a store finds them.
 *
 * @param owner a name that `ownerOf` gave; undefined for what belongs to nobody
 */
export function ownedKey(owner: string | undefined, rest: string): string {
  return owner === undefined ? rest : `${owner}.${rest}`;
}

/** The owner of a key, and what is left of the key. */
export function splitKey(key: string): readonly [owner: string | undefined, rest: string] {
  const [, owner, rest = key] = OWNED.exec(key) ?? [];
  return [owner, rest];
}

/** Whether the entry with the key belongs to the owner. */
export function isOwnedBy(key: string | undefined, owner: string): boolean {
  return key?.startsWith(`${owner}.`) === true;
}

/** A store whose entries belong to owners; one without the method cannot remove those of one. */
export interface OwnedStore {
  /** False where calls write nothing: what a caller begins after `app.forget` stays there. Default true. */
  readonly isWrittenByCalls?: boolean;
  forget?(owner: string): MaybePromise<number>;
}
