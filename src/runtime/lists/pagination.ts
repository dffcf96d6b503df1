import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { deriveKeys, isSameText, madeOf, signatureOf, type Secrets } from '../../shared/sealed-text.ts';

interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/**
 * Divides lists into pages (spec: server/utilities/pagination). One instance serves all connections of an application.
 */
export interface Pagination {
  /** @throws ProtocolError for a cursor that was not issued for exactly this list. */
  page<Entry extends object>(list: string, entries: readonly Entry[], cursor: unknown): Page<Entry>;
}

/** What seals the cursors. */
export interface CursorSeal {
  /** The server's name: another server with the same secrets refuses its cursors. */
  readonly server?: string;
  /** The first seals, all of them are taken. Default: a random one, whose cursors count in this process only. */
  readonly secrets?: Secrets | undefined;
}

const OFFSET_BYTES = 4;
const SEAL_BYTES = 16;

/**
 * A cursor is an offset, sealed with the name and the content of its list. It cannot be forged, and after a change of
 * the list it is refused instead of skipping or repeating entries.
 */
export function createPagination(pageSize: number, { server = '', secrets }: CursorSeal = {}): Pagination {
  const keysOf = madeOf(secrets, (current) => deriveKeys(current, `page-cursor:${server}`));
  const digests = new WeakMap<readonly object[], string>();
  const digestOf = (entries: readonly object[]): string => {
    const digest = digests.get(entries) ?? contentDigest(entries);
    // A list that is not frozen may have changed.
    if (Object.isFrozen(entries) && entries.every(Object.isFrozen)) digests.set(entries, digest);
    return digest;
  };
  const cursorAt = (key: Uint8Array, offset: number, list: string, entries: readonly object[]): string => {
    const seal = signatureOf(JSON.stringify([list, offset, digestOf(entries)]), key);
    const bytes = Buffer.alloc(OFFSET_BYTES);
    bytes.writeUInt32BE(offset);
    return Buffer.concat([bytes, seal.subarray(0, SEAL_BYTES)]).toString('base64url');
  };
  return Object.freeze({
    page: <Entry extends object>(list: string, entries: readonly Entry[], cursor: unknown): Page<Entry> => {
      const offset = cursor === undefined ? 0 : offsetOf(cursor);
      const isSealed = (key: Uint8Array): boolean => isSameText(cursor, cursorAt(key, offset, list, entries));
      if (cursor !== undefined && !keysOf().some(isSealed)) throw invalidCursor();
      const end = offset + pageSize;
      return {
        entries: Object.freeze(entries.slice(offset, end)),
        nextCursor: end < entries.length ? cursorAt(keysOf()[0], end, list, entries) : undefined,
      };
    },
  });
}

/** A page of a list, or all of it where lists are not paged. */
export function pageOf<Entry extends object>(
  pagination: Pagination | undefined,
  list: string,
  entries: readonly Entry[],
  cursor: unknown,
): Page<Entry> {
  if (pagination !== undefined) return pagination.page(list, entries, cursor);
  if (cursor !== undefined) throw invalidCursor();
  return { entries, nextCursor: undefined };
}

function contentDigest(entries: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(entries)).digest('base64');
}

function offsetOf(cursor: unknown): number {
  const bytes = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  if (bytes.length !== OFFSET_BYTES + SEAL_BYTES) throw invalidCursor();
  return bytes.readUInt32BE();
}

/** Spec: server/utilities/pagination, Error Handling. */
function invalidCursor(): ProtocolError {
  const reason = 'it was not given out for this list, or the list changed since';
  return new ProtocolError(INVALID_PARAMS, `Invalid cursor: ${reason}; start again without a cursor`);
}
