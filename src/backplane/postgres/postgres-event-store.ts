import type { EventStore, ReplayTarget, StoredMessage } from '../../index.ts';
import { Batch, type Database, type Row } from './database.ts';
import { hashOf, readText, storedKey, storedText } from './texts.ts';

/** Milliseconds that events are kept. */
const LIFETIME = 5 * 60_000;

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

  constructor(database: Database) {
    const { schema } = database;
    const insert = `INSERT INTO ${schema}.events (app, stream_key, stream, session, message, expires_at)
      SELECT $1, k, s, e, m, ${schema}.clock() + ${String(LIFETIME)}
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

function streamKey(streamId: string): string {
  return hashOf(JSON.stringify(streamId)).slice(0, 22);
}
