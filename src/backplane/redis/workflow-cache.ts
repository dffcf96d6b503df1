import { StderrLogger } from '../../index.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import { OnceMade } from '../../shared/once-made.ts';
import { filledText, positiveMilliseconds, type OptionRules } from '../../shared/option-rules.ts';
import { inTime } from '../shared/store-health.ts';
import { clientRule, connectTo, serversOf } from './check-server.ts';
import type { RedisClient, RedisServers } from './redis-client.ts';
import { RedisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.ts';
import { wholeTime } from './redis-script.ts';

/** Options of `new RedisWorkflowCache()`. */
export interface RedisWorkflowCacheOptions {
  /** The client whose settings the connection has. It need not be connected, and stays as it is. */
  readonly client: RedisClient;
  /** What all keys begin with. Default `tw:`. */
  readonly prefix?: string;
  /** Milliseconds that Redis may take before it counts as a miss. Default 1,000. */
  readonly timeout?: number;
}

export const REDIS_WORKFLOW_CACHE_RULES: OptionRules<RedisWorkflowCacheOptions> = {
  client: clientRule,
  prefix: filledText,
  timeout: positiveMilliseconds,
};

/**
 * The cache of a `CachingWorkflowStorage` that several servers share. It connects at its first use. What it holds
 * expires, and what it loses is loaded again, so its Redis may evict keys and needs no disk.
 *
 * @example
 * import { createClient } from '@redis/client';
 * import { CachingWorkflowStorage, FileWorkflowStorage, type WorkflowSnapshot } from 'toolwright/workflow';
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379' });
 * const cache = new RedisWorkflowCache<WorkflowSnapshot>({ client });
 * const storage = new CachingWorkflowStorage(new FileWorkflowStorage({ directory: './workflows' }), { cache });
 */
export class RedisWorkflowCache<Snapshot extends object> {
  readonly #timeout: number;
  readonly #keys: RedisKeys;
  /** Connected at the first use, because a cache may be made and never asked. */
  readonly #link: OnceMade<RedisLink>;

  /** @throws ToolwrightError `TW_BACKPLANE_OPTION` */
  constructor(options: RedisWorkflowCacheOptions) {
    refuseOptions('TW_BACKPLANE_OPTION', 'new RedisWorkflowCache()', options, REDIS_WORKFLOW_CACHE_RULES);
    const { client, prefix = 'tw:', timeout = 1000 } = options;
    const servers = serversOf(client) as RedisServers;
    const keys = new RedisKeys(prefix, 'workflows');
    const settings = { keys, logger: new StderrLogger(), timeout };
    this.#timeout = timeout;
    this.#keys = keys;
    this.#link = new OnceMade(async () => new RedisLink(servers, await connectTo(servers), settings));
  }

  /** The snapshot; undefined where there is none, or it has expired. */
  async get(key: string): Promise<Snapshot | undefined> {
    const text = await this.#send('GET', key);
    return typeof text === 'string' ? (JSON.parse(text) as Snapshot) : undefined;
  }

  /** @param ttl how long the snapshot is valid, in milliseconds, more than 0 */
  async set(key: string, snapshot: Snapshot, ttl: number): Promise<void> {
    await this.#send('SET', key, JSON.stringify(snapshot), 'PX', String(wholeTime(ttl)));
  }

  /** Removes the snapshot, if it is there. */
  async delete(key: string): Promise<void> {
    await this.#send('DEL', key);
  }

  /** Ends the connection; the next use opens another one. */
  async close(): Promise<void> {
    (await this.#link.take())?.close();
  }

  async #send(command: string, key: string, ...rest: readonly string[]): Promise<unknown> {
    const link = await inTime(this.#link.get(), this.#timeout, 'Redis');
    const name = this.#keys.of('workflow', key);
    return link.send([command, name, ...rest], { key: name });
  }
}
