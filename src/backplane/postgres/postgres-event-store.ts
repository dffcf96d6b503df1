import type { EventStore, ReplayTarget, StoredMessage } from '../../index.ts';
import { positiveMilliseconds, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';
import { splitKey } from '../../shared/owners/owned-key.ts';
import { Batch, type Database, type Row } from './database.ts';
import { hashOf, readText, storedKey, storedText, wholeTime } from './texts.ts';

/** How much is kept of the streams of 2025 clients. */
export interface PostgresEventOptions {
  /** Events of one stream, about: they are counted now and then. Default 1,000. */
  readonly maxEvents?: number;
  /**
   * Bytes of one owner, or of one session where callers are not authenticated, with 512 for an event beside its text, about;
   * the oldest events are given up first, and the newest is always kept. Default 16 MiB.
   */
  readonly maxBytesPerOwner?: number;
  /** Milliseconds after which an event is gone. Default 5 minutes. */
  readonly ttl?: number;
}

export const POSTGRES_EVENT_RULES: OptionRules<PostgresEventOptions> = {
  maxEvents: wholeNumber(1),
  maxBytesPerOwner: wholeNumber(1),
  ttl: positiveMilliseconds,
};

/** The size of an event beside its text. */
const OVERHEAD = 512;

interface Event {
  readonly stream: string;
  readonly session: string | null;
  readonly message: string;
}

/** What 2025 clients missed. The id of an event names its stream by a hash, so that the stream outlives the event. */
export class PostgresEventStore implements EventStore {
  readonly #database: Database;
  readonly #batch: Batch<Event, string>;
  readonly #after: string;
  readonly #forget: string;
  readonly #bounds: StreamBounds;

  constructor(database: Database, options: PostgresEventOptions = {}) {
    const { schema } = database;
    const { ttl = 5 * 60_000 } = options;
    this.#bounds = new StreamBounds(database, options);
    const insert = `INSERT INTO ${schema}.events (app, stream_key, stream, session, message, expires_at)
      SELECT $1, k, s, e, m, ${schema}.clock() + ${String(wholeTime(ttl))}
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY u(k, s, e, m, n) ORDER BY n
      RETURNING id`;
    this.#database = database;
    this.#batch = new Batch(async (events) => {
      const columns = [
        events.map(({ stream }) => streamKey(stream)),
        events.map(({ stream }) => storedText(stream)),
        events.map(({ session }) => session),
        events.map(({ message }) => storedText(message)),
      ];
      const rows = await database.query(insert, [database.app, ...columns]);
      for (const { stream, session, message } of events) {
        this.#bounds.count(streamKey(stream), session, message.length + OVERHEAD);
      }
      // They are stored, whatever becomes of older ones
      await this.#bounds.keep().catch(() => undefined);
      return rows.map(({ id }) => String(id));
    });
    // With the last one, by which the stream is known although the event is gone
    this.#after = `WITH known AS (
        SELECT id, stream, message FROM ${schema}.events
          WHERE app = $1 AND stream_key = $2 AND expires_at > ${schema}.clock())
      SELECT id, stream, message FROM known WHERE id > $3 OR id = (SELECT max(id) FROM known) ORDER BY id`;
    this.#forget = `DELETE FROM ${schema}.events WHERE app = $1 AND session = $2`;
  }

  async storeEvent(streamId: string, message: StoredMessage, session?: string): Promise<string> {
    const id = await this.#batch.add({
      stream: streamId,
      session: session === undefined ? null : storedKey(session),
      message: JSON.stringify(message),
    });
    return `${id}.${streamKey(streamId)}`;
  }

  async replayEventsAfter(lastEventId: string, { send }: ReplayTarget): Promise<string | undefined> {
    const [rows, after] = await this.#find(lastEventId);
    const [first] = rows;
    if (first === undefined) return undefined;
    const stream = readText(first['stream']);
    for (const { id, message } of rows) {
      if (BigInt(String(id)) <= after) continue;
      await send(`${String(id)}.${streamKey(stream)}`, JSON.parse(readText(message)) as StoredMessage);
    }
    return stream;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    const [[last]] = await this.#find(eventId);
    return last && readText(last['stream']);
  }

  async endStream(streamId: string, milliseconds: number): Promise<void> {
    const { schema, app } = this.#database;
    const sql = `UPDATE ${schema}.events SET expires_at = ${schema}.clock() + $3
      WHERE app = $1 AND stream_key = $2 AND expires_at > ${schema}.clock() + $3`;
    await this.#database.query(sql, [app, streamKey(streamId), Math.ceil(milliseconds)]);
  }

  async forgetSession(session: string): Promise<void> {
    await this.#database.query(this.#forget, [this.#database.app, storedKey(session)]);
  }

  forget(owner: string): Promise<number> {
    return this.#database.forget('events', owner, 'session');
  }

  /** The later events, or the event itself where it is the last; none for one that was never stored. */
  async #find(eventId: string): Promise<readonly [rows: readonly Row[], after: bigint]> {
    const [, id = '0', key] = /^(\d{1,18})\.([\w-]+)$/.exec(eventId) ?? [];
    if (key === undefined) return [[], 0n];
    const rows = await this.#database.query(this.#after, [this.#database.app, key, id]);
    const isKnown = rows.length > 0 && BigInt(String(rows.at(-1)?.['id'])) >= BigInt(id);
    return [isKnown ? rows : [], BigInt(id)];
  }
}

/** Bounds what streams and owners have, after as much was stored as is a tenth of a bound. */
class StreamBounds {
  readonly #database: Database;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #tooMany: string;
  readonly #tooLarge: string;
  /** What was stored since it was bounded. */
  readonly #events = new Map<string, number>();
  readonly #bytes = new Map<string, number>();

  constructor(
    database: Database,
    { maxEvents = 1000, maxBytesPerOwner = 16 * 1024 * 1024 }: PostgresEventOptions,
  ) {
    const { schema } = database;
    this.#database = database;
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytesPerOwner;
    this.#tooMany = `DELETE FROM ${schema}.events e
      USING (SELECT k, (SELECT id FROM ${schema}.events WHERE app = $1 AND stream_key = k
        ORDER BY id DESC OFFSET ${String(maxEvents)} LIMIT 1) AS last FROM unnest($2::text[]) AS k) AS old
      WHERE e.app = $1 AND e.stream_key = old.k AND e.id <= old.last`;
    // The names of the sessions of an owner begin with that of the owner and a dot
    this.#tooLarge = `DELETE FROM ${schema}.events e
      USING (SELECT stream_key, id FROM (SELECT stream_key, id, row_number() OVER newest AS place,
          sum(octet_length(message) + ${String(OVERHEAD)}) OVER newest AS bytes
          FROM ${schema}.events WHERE app = $1 AND (session = $2 OR (session >= $2 || '.' AND session < $2 || '/'))
          WINDOW newest AS (ORDER BY id DESC)) AS sized
        WHERE bytes > ${String(maxBytesPerOwner)} AND place > 1) AS old
      WHERE e.app = $1 AND e.stream_key = old.stream_key AND e.id = old.id`;
  }

  count(stream: string, session: string | null, bytes: number): void {
    this.#events.set(stream, (this.#events.get(stream) ?? 0) + 1);
    if (session === null) return;
    const owner = splitKey(session)[0] ?? session;
    this.#bytes.set(owner, (this.#bytes.get(owner) ?? 0) + bytes);
  }

  async keep(): Promise<void> {
    const { app } = this.#database;
    const streams = takeAbove(this.#events, this.#maxEvents / 10);
    if (streams.length > 0) await this.#database.query(this.#tooMany, [app, streams]);
    for (const owner of takeAbove(this.#bytes, this.#maxBytes / 10)) {
      await this.#database.query(this.#tooLarge, [app, owner]);
    }
  }
}

/** Names beyond this number are forgotten: what they have is little, and expires. */
const MAX_NAMES = 10_000;

function takeAbove(counts: Map<string, number>, least: number): readonly string[] {
  const taken = [...counts].flatMap(([name, count]) => (count >= least ? [name] : []));
  for (const name of taken) counts.delete(name);
  if (counts.size > MAX_NAMES) counts.clear();
  return taken;
}

function streamKey(streamId: string): string {
  return hashOf(JSON.stringify(streamId)).slice(0, 22);
}
