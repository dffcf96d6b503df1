import type { BullQueues } from '../bullmq/bull-queues.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import type { Backplane, BackplaneApplication, BackplanePorts } from '../../index.ts';
import {
  filledText,
  objectWith,
  objectOf,
  positiveMilliseconds,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { checkServer, clientRule, connectTo, serversOf } from './check-server.ts';
import { RedisBus } from './redis-bus.ts';
import type { RedisClient, RedisServers } from './redis-client.ts';
import { RedisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.ts';
import { RedisEventStore, REDIS_EVENT_RULES, type RedisEventOptions } from './event-store.ts';
import { RedisLimitStore } from './limit-store.ts';
import { RedisSubscriber } from './redis-subscriber.ts';
import { RedisStore } from './redis-store.ts';
import { RedisSlotStore } from './slot-store.ts';
import { RedisTaskStore } from './task-store.ts';

/** Options of `redisBackplane()`. */
export interface RedisBackplaneOptions {
  /** The client whose settings the connections have. It need not be connected, and stays as it is. */
  readonly client: RedisClient;
  /** What all keys and channels begin with. Default `tw:`. */
  readonly prefix?: string;
  /** Milliseconds that a command may take before what needs it is refused. Default 1,000. */
  readonly timeout?: number;
  /**
   * Bytes that calls with keys, answers, results and sessions of one owner may take, each of the four for itself; above them, what needs more is
   * refused. Callers who are not known are not counted. Default 64 MiB.
   */
  readonly maxBytesPerOwner?: number;
  /** How much is kept of the streams of 2025 clients. */
  readonly events?: RedisEventOptions;
  /** Where tasks of queues are put: what `bullQueues()` gave. Default: they run in the instance that is called. */
  readonly queues?: BullQueues;
}

export const REDIS_BACKPLANE_RULES: OptionRules<RedisBackplaneOptions> = {
  client: clientRule,
  prefix: filledText,
  timeout: positiveMilliseconds,
  maxBytesPerOwner: wholeNumber(1),
  events: objectOf(REDIS_EVENT_RULES),
  queues: objectWith('what `bullQueues()` gave', 'open'),
};

/**
 * Everything that the instances of an application share, in one Redis (6.2 or later, or Valkey). Its `maxmemory-policy`
 * has to be `noeviction`. Each application has keys of its own, by its `name`; every key expires.
 *
 * @throws ToolwrightError TW_BACKPLANE_OPTION; the application is refused with TW_BACKPLANE_STORE when Redis cannot be
 *   used as it is
 * @example
 * import { createClient } from '@redis/client';
 *
 * const backplane = redisBackplane({ client: createClient({ url: 'redis://127.0.0.1:6379' }) });
 * const app = await McpApplication.create(AppModule, { name: 'notes', backplane, secrets: ['a long random text'] });
 */
export function redisBackplane(options: RedisBackplaneOptions): Backplane {
  refuseOptions('TW_BACKPLANE_OPTION', 'redisBackplane()', options, REDIS_BACKPLANE_RULES);
  const { client, prefix = 'tw:', timeout = 1000, events = {}, maxBytesPerOwner, queues } = options;
  const servers = serversOf(client) as RedisServers;
  return {
    open: (application) =>
      openPorts(servers, { prefix, timeout, events, maxBytesPerOwner, queues, application }),
  };
}

interface Settings {
  readonly prefix: string;
  readonly timeout: number;
  readonly events: RedisEventOptions;
  readonly maxBytesPerOwner: number | undefined;
  readonly queues: BullQueues | undefined;
  readonly application: BackplaneApplication;
}

async function openPorts(
  servers: RedisServers,
  { prefix, timeout, events, maxBytesPerOwner, queues, application }: Settings,
): Promise<BackplanePorts> {
  const { name, logger } = application;
  const commands = await connectTo(servers);
  const link = new RedisLink(servers, commands, { keys: new RedisKeys(prefix, name), logger, timeout });
  try {
    await checkServer(commands, timeout);
    const subscriber = new RedisSubscriber(link, await connectTo(servers), { logger, timeout });
    const slots = new RedisSlotStore(link, subscriber);
    if (servers.topology !== 'single') warnOfFailover(application);
    const opened = queues?.open(application);
    return {
      ...(opened === undefined ? {} : { queue: opened }),
      bus: new RedisBus(link, subscriber),
      store: new RedisStore(link, maxBytesPerOwner),
      events: new RedisEventStore(link, events),
      tasks: new RedisTaskStore(link, subscriber),
      counter: new RedisLimitStore(link),
      slots,
      close: async () => {
        await opened?.close();
        slots.close();
        subscriber.close();
        link.close();
      },
    };
  } catch (error) {
    link.close();
    throw error;
  }
}

function warnOfFailover({ logger }: BackplaneApplication): void {
  const message =
    'A failover of Redis may forget what it has acknowledged: what must never happen twice belongs into PostgreSQL';
  logger.log({ level: 'warning', event: 'backplane.failover', message });
}
