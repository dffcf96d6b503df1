import { randomUUID } from 'node:crypto';
import type { Bus } from '../../index.ts';
import { ignoreBroken, type PostgresClient, type PostgresPool } from '../../shared/postgres-pool.ts';
import { pause, unref, within } from '../../shared/platform.ts';
import type { StoreHealth } from '../shared/store-health.ts';
import { Batch, DEADLINE, type Database } from './database.ts';
import { unfit } from './start-up.ts';
import { hashOf, readText, storedText } from './texts.ts';

/** What PostgreSQL sends to a connection that listens. */
interface Notice {
  readonly channel: string;
  readonly payload?: string | undefined;
}

type Listener = (text: string) => void;

/** Milliseconds between two looks whether the connection still answers. */
const LOOK_INTERVAL = 10_000;

/** LISTEN and NOTIFY, on a connection that stays open. Each channel of the application is one of PostgreSQL. */
export class PostgresBus implements Bus {
  readonly #database: Database;
  readonly #pool: PostgresPool;
  readonly #health: StoreHealth;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #gaps = new Set<() => void>();
  readonly #sent: Batch<readonly [channel: string, text: string], unknown>;
  readonly #closing = new AbortController();
  readonly #detach: () => void;
  #client: PostgresClient | undefined;
  #asked: Promise<unknown> = Promise.resolve();
  #looks: NodeJS.Timeout | undefined;
  /** Long texts are read from their table before what comes after them is passed on. */
  #turn: Promise<void> | undefined;

  constructor(database: Database, pool: PostgresPool, health: StoreHealth) {
    this.#database = database;
    this.#pool = pool;
    this.#health = health;
    this.#detach = ignoreBroken(pool);
    const publish = `SELECT ${database.schema}.publish($1, $2)`;
    this.#sent = new Batch<readonly [channel: string, text: string], unknown>(async (items) => {
      const columns = [items.map(([channel]) => channel), items.map(([, text]) => storedText(text))];
      await database.query(publish, columns);
      return items;
    });
  }

  /** Connects, and finds out whether notices arrive: through a pooler of transactions they do not. */
  async open(): Promise<void> {
    await this.#connect();
    await this.#try();
    this.#looks = setInterval(() => void this.#look(), LOOK_INTERVAL);
    unref(this.#looks);
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.#sent.add([this.nameOf(`:${channel}`), text]);
  }

  async subscribe(channel: string, listener: Listener): Promise<() => void> {
    const name = this.nameOf(`:${channel}`);
    const stop = this.listen(name, listener);
    try {
      if (this.#client === undefined) throw new Error('PostgreSQL cannot be reached');
      // Also where others listen already: their statement may still be on its way
      await this.#ask(this.#client, `LISTEN "${name}"`);
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  onGap(listener: () => void): () => void {
    const own = (): void => {
      listener();
    };
    this.#gaps.add(own);
    return () => {
      this.#gaps.delete(own);
    };
  }

  /** The channel of PostgreSQL for a purpose of this application. */
  nameOf(purpose: string): string {
    const { schema, app } = this.#database;
    return `tw_${hashOf(JSON.stringify([schema, app, purpose]))}`;
  }

  /** Before it is open, or in addition to LISTEN. */
  listen(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    const own: Listener = (text) => {
      listener(text);
    };
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#listeners.get(name) !== listeners) return;
      this.#listeners.delete(name);
      if (this.#client !== undefined) this.#ask(this.#client, `UNLISTEN "${name}"`).catch(() => undefined);
    };
  }

  /** Listens as soon as PostgreSQL can be reached. Its listener learns of each gap as of a text. */
  async keep(name: string, listener: () => void): Promise<() => void> {
    const stop = this.listen(name, listener);
    const forget = this.onGap(listener);
    if (this.#client !== undefined) await this.#ask(this.#client, `LISTEN "${name}"`).catch(() => undefined);
    return () => {
      stop();
      forget();
    };
  }

  close(): void {
    this.#closing.abort();
    clearInterval(this.#looks);
    const client = this.#client;
    this.#client = undefined;
    // It listens: nobody else may get it
    client?.release(true);
    this.#detach();
  }

  /** @throws ToolwrightError TW_BACKPLANE_STORE where notices do not arrive */
  async #try(): Promise<void> {
    const channel = `try ${randomUUID()}`;
    let stop: (() => void) | undefined;
    const arrived = new Promise<void>((resolve, reject) => {
      this.subscribe(channel, () => {
        resolve();
      })
        .then((ended) => {
          stop = ended;
          return this.publish(channel, '');
        })
        .catch(reject);
    });
    await within(arrived, 2 * DEADLINE)
      .catch((cause: unknown) => {
        throw unfit(
          'does not pass on what NOTIFY sends.',
          'give `listen` a pool whose connections are direct, not through a pooler of transactions; `pool` needs two connections',
          cause,
        );
      })
      .finally(() => stop?.());
  }

  async #connect(): Promise<void> {
    const connecting = this.#pool.connect();
    const client = await within(connecting, DEADLINE).catch((error: unknown) => {
      connecting
        .then((late) => {
          late.release(true);
        })
        .catch(() => undefined);
      throw error;
    });
    client.on('error', () => {
      this.#lose(client);
    });
    asListening(client).on('notification', (notice) => {
      this.#receive(notice);
    });
    const names = [...this.#listeners.keys()].map((name) => `LISTEN "${name}"`);
    await this.#ask(client, names.join(';') || 'SELECT 1').catch((error: unknown) => {
      client.release(true);
      throw error;
    });
    if (this.#closing.signal.aborted) client.release(true);
    else this.#client = client;
  }

  #lose(client: PostgresClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.release(true);
    this.#health.failed(new Error('The connection that listens is lost'));
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 0; this.#client === undefined; attempt += 1) {
      await pause(pauseBefore(attempt), signal);
      if (signal.aborted) return;
      await this.#connect().catch((error: unknown) => {
        this.#health.failed(error);
      });
    }
    this.#health.worked();
    this.#reportGap();
  }

  async #look(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    await this.#ask(client, 'SELECT 1').catch(() => {
      this.#lose(client);
    });
  }

  /** One statement after the other. */
  #ask(client: PostgresClient, sql: string): Promise<unknown> {
    const asked = this.#asked.then(() => within(client.query(sql), DEADLINE));
    this.#asked = asked.catch(() => undefined);
    return asked;
  }

  #receive({ channel, payload = '' }: Notice): void {
    const [, kind, rest = ''] = /^([tn])(?:\d+:)?(.*)$/s.exec(payload) ?? [];
    if (kind === 't' && this.#turn === undefined) this.#pass(channel, rest);
    else if (kind !== undefined)
      this.#queue(channel, kind === 't' ? async () => rest : () => this.#read(rest));
  }

  #queue(channel: string, read: () => Promise<string>): void {
    const turn = (this.#turn ?? Promise.resolve())
      .then(read)
      .then(
        (text) => {
          this.#pass(channel, text);
        },
        () => {
          this.#reportGap();
        },
      )
      .finally(() => {
        if (this.#turn === turn) this.#turn = undefined;
      });
    this.#turn = turn;
  }

  async #read(id: string): Promise<string> {
    const [row] = await this.#database.query(
      `SELECT value FROM ${this.#database.schema}.notices WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error('The text of a notice is gone');
    return row['value'] as string;
  }

  #pass(channel: string, text: string): void {
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(readText(text));
  }

  #reportGap(): void {
    for (const listener of [...this.#gaps]) listener();
  }
}

function asListening(client: PostgresClient): {
  on(event: 'notification', listener: (notice: Notice) => void): unknown;
} {
  return client as never;
}

const [SHORTEST_PAUSE, LONGEST_PAUSE] = [100, 5000];

/** Milliseconds before the next attempt to connect: more after each, and never the same for all instances. */
function pauseBefore(attempt: number): number {
  const most = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** Math.min(attempt, 10));
  return most * (0.5 + Math.random() / 2);
}
