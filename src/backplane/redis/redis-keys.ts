import { createHash } from 'node:crypto';
import { ownedKey, splitKey } from '../../shared/owners/owned-key.ts';

/** Of what the keys hold; a release that reads it in another way counts it up, so that two can run side by side. */
const VERSION = '2';

/**
 * The names of keys and channels: prefix, application, version, port, and a hash tag that brings what one script needs
 * to one node of a cluster. What callers choose is in them as a hash, so that it has no length and no meaning there.
 */
export class RedisKeys {
  readonly #prefix: string;
  readonly #application: string;

  constructor(prefix: string, application: string) {
    this.#prefix = prefix;
    // It has neither colons nor braces afterwards, so no two applications share a key
    this.#application = `${encodeURIComponent(application)}:${VERSION}`;
  }

  /** Of something that stands alone, or with all else of its owner. */
  of(port: string, name: string): string {
    const [owner, rest] = splitKey(name);
    return owner === undefined
      ? this.tagged(port, hashed(name))
      : `${this.tagged(port, owner)}:${hashed(rest)}`;
  }

  /** The same of a name that is hashed already. */
  tagged(port: string, hash: string): string {
    return `${this.#prefix}${this.#application}:${port}:{${hash}}`;
  }

  /** Of things that scripts need together: all of a port. */
  among(port: string, ...parts: readonly string[]): string {
    return [`${this.#prefix}{${this.#application}:${port}}`, ...parts].join(':');
  }
}

/** The same for a name that begins with its owner, which stays readable. */
export function hashedName(name: string): string {
  const [owner, rest] = splitKey(name);
  return ownedKey(owner, hashed(rest));
}

/** 128 bits: nobody finds two texts with the same. */
export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
