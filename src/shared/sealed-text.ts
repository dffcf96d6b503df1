import { Buffer } from 'node:buffer';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Text or bytes that only the instances of one server know. */
export type Secret = string | Uint8Array;

/** What seals, and opens what is sealed: the first of a list seals, all of them open. A function gives those of the moment. */
export type Secrets = readonly Secret[] | (() => readonly Secret[]);

const KEY_BYTES = 32;

/**
 * What is made of secrets, and made again for other ones. Not before the first use: workers give no random bytes while
 * they load.
 *
 * @param secrets a function gives the same list as long as nothing has changed
 */
export function madeOf<Keys>(
  secrets: Secrets | undefined,
  make: (secrets: readonly Secret[] | undefined) => Keys,
): () => Keys {
  let made: { readonly keys: Keys; readonly from: readonly Secret[] | undefined } | undefined;
  return () => {
    const from = typeof secrets === 'function' ? secrets() : secrets;
    if (made === undefined || made.from !== from) made = { keys: make(from), from };
    return made.keys;
  };
}

/**
 * The keys of one purpose, of which the first seals: HKDF with SHA-256 (RFC 5869) makes them of secrets of any length.
 *
 * @param secrets undefined for a random one, which lives as long as the process
 */
export function deriveKeys(
  secrets: readonly Secret[] | undefined,
  purpose: string,
  length = KEY_BYTES,
): readonly [Buffer, ...Buffer[]] {
  const [first = randomBytes(KEY_BYTES), ...others] = secrets ?? [];
  const keyOf = (secret: Secret): Buffer => {
    const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret;
    return Buffer.from(hkdfSync('sha256', bytes, '', `toolwright:${purpose}`, length));
  };
  return [keyOf(first), ...others.map(keyOf)];
}

/** For texts that everybody may read and nobody may make up: HMAC with SHA-256. */
export function signatureOf(content: string, key: Secret): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

/** Compares whole texts, not the bytes in them: base64 has more than one spelling of the same bytes. */
export function isSameText(given: unknown, expected: string): boolean {
  const [left, right] = [Buffer.from(String(given)), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Seals bytes so that nobody without the secret can read or change them. */
export interface Keyring {
  seal(content: Uint8Array): string;
  /** The content, or undefined for a text that none of the secrets sealed. */
  open(sealed: string): Uint8Array | undefined;
}

const CIPHER = 'aes-256-gcm';
const FORMAT = 1;
const [ID_BYTES, NONCE_BYTES, TAG_BYTES] = [8, 12, 16];
const HEADER_BYTES = 1 + ID_BYTES;

interface Key {
  /** Says which secret a text was sealed with, and nothing of the secret. */
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/**
 * A sealed text is a header of format and key id, a nonce, the content in AES-256-GCM and its tag, as base64url.
 *
 * @param secrets the first one seals, all of them open; undefined for a random one
 * @param purpose other purposes give other keys of the same secrets
 */
export function createKeyring(secrets: Secrets | undefined, purpose: string): Keyring {
  const keysOf = madeOf(secrets, (current): readonly [Key, ...Key[]] => {
    const [sealing, ...others] = deriveKeys(current, purpose, ID_BYTES + KEY_BYTES);
    return [splitKey(sealing), ...others.map(splitKey)];
  });
  return Object.freeze({
    seal: (content: Uint8Array) => seal(keysOf()[0], content),
    open: (sealed: string) => {
      const bytes = Buffer.from(sealed, 'base64url');
      // base64 has more than one spelling of the same bytes, and decoders skip what they do not know
      if (bytes.toString('base64url') !== sealed) return undefined;
      if (bytes.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || bytes[0] !== FORMAT) return undefined;
      const id = bytes.subarray(1, HEADER_BYTES);
      const key = keysOf().find((candidate) => candidate.id.equals(id));
      return key && open(key, bytes);
    },
  });
}

function splitKey(bytes: Buffer): Key {
  return { id: bytes.subarray(0, ID_BYTES), bytes: bytes.subarray(ID_BYTES) };
}

function seal({ id, bytes: key }: Key, content: Uint8Array): string {
  const header = Buffer.concat([Buffer.of(FORMAT), id]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(header);
  const body = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([header, nonce, body, cipher.getAuthTag()]).toString('base64url');
}

function open({ bytes: key }: Key, sealed: Buffer): Uint8Array | undefined {
  const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const body = sealed.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(sealed.subarray(0, HEADER_BYTES)).setAuthTag(sealed.subarray(-TAG_BYTES));
  const start = decipher.update(body);
  try {
    return Buffer.concat([start, decipher.final()]);
  } catch {
    // The only thing that ends it: the tag does not fit.
    return undefined;
  }
}
