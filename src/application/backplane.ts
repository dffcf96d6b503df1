import type { Logger } from '../call/logger.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { aFunction, either, objectOf, objectWith, type OptionRules } from '../shared/option-rules.ts';
import type { Secrets } from '../shared/sealed-text.ts';
import type { Bus } from '../runtime/peers/bus.ts';
import type { LimitStore } from '../runtime/store/limit-store.ts';
import type { SlotStore } from '../runtime/store/slot-store.ts';
import { PORT_RULES } from '../runtime/store/port-rules.ts';
import type { Store } from '../runtime/store/store.ts';
import type { TaskStore } from '../runtime/tasks/task-store.ts';
import { observeStore, type Telemetry } from '../kernel/call/telemetry.ts';
import type { WorkQueue } from '../runtime/tasks/work-queue.ts';
import type { EventStore } from '../transports/event-store/event-store.ts';

/** What a backplane may know of the application that it serves. */
export interface BackplaneApplication {
  /** The option `name`: instances of one application have the same one. */
  readonly name: string;
  /** For connections that are lost and come back. */
  readonly logger: Logger;
}

/** Everything that the instances of an application share. What is missing stays in the memory of each instance. */
export interface BackplanePorts {
  /** Reports changes to all instances, and brings replies to the instance that asked. */
  readonly bus?: Bus;
  /** What is kept under keys: sessions of 2025 clients, answers that count once, calls that run once, results. */
  readonly store?: Store;
  /** What 2025 clients missed on a lost stream. */
  readonly events?: EventStore;
  /** The tasks that actions have become. */
  readonly tasks?: TaskStore;
  /** Counts calls for rates and quotas. */
  readonly counter?: LimitStore;
  /** Counts calls that run. */
  readonly slots?: SlotStore;
  /** Tasks for the processes that work on them. */
  readonly queue?: WorkQueue;
  /** Ends what was opened. */
  close?(): Promise<void>;
}

/**
 * What the instances of an application share, so that each of them can serve every request.
 *
 * @example
 * const backplane: Backplane = { open: async () => ({ bus: new InMemoryBus() }) };
 * const app = await McpApplication.create(AppModule, { backplane, secrets: ['32 bytes or more, the same everywhere'] });
 */
export interface Backplane {
  /**
   * Called once by each application, before it serves.
   * @throws ToolwrightError TW_BACKPLANE_STORE when the store cannot be used as it is
   */
  open(application: BackplaneApplication): Promise<BackplanePorts>;
}

/** The options of an application that have to do with its backplane. */
interface SharingOptions {
  readonly backplane?: Backplane | BackplanePorts;
  readonly secrets?: Secrets;
  readonly telemetry?: Telemetry;
}

const PORTS: OptionRules<BackplanePorts> = {
  ...PORT_RULES,
  events: objectWith('an event store', 'storeEvent', 'replayEventsAfter'),
  bus: objectWith('a bus', 'publish', 'subscribe'),
  close: aFunction,
};

export const backplaneRule = either(objectWith('a backplane', 'open'), objectOf(PORTS));

/** Whether a backplane opens its ports: else it is the ports, which are for the instances of one process. */
export function isOpener(backplane: Backplane | BackplanePorts | undefined): backplane is Backplane {
  return backplane !== undefined && 'open' in backplane;
}

/** Reports a backplane that other instances could not use together with this one. */
export function checkBackplane({ backplane, secrets }: SharingOptions, problems: ProblemList): void {
  const isShared = isOpener(backplane) || backplane?.bus !== undefined;
  if (!isShared || secrets !== undefined) return;
  problems.add('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option backplane',
    what: 'has no `secrets` beside it.',
    why: 'each instance would seal what it shares with a key of its own, and no other one could read it.',
    fix: "secrets: [process.env['SECRET']], the same for all instances",
  });
}

/** The names by which ports are observed; the store is so by what is kept in it. */
const OBSERVED = {
  bus: 'bus',
  events: 'events',
  tasks: 'tasks',
  counter: 'limits',
  slots: 'slots',
  queue: 'queues',
} as const;

export const NOTHING_SHARED: BackplanePorts = Object.freeze({});

/** What the application shares with others; nothing without a backplane. */
export async function openBackplane({
  backplane,
  name,
  logger,
  telemetry,
}: BackplaneApplication & SharingOptions): Promise<BackplanePorts> {
  if (backplane === undefined) return NOTHING_SHARED;
  const ports = isOpener(backplane) ? await backplane.open(Object.freeze({ name, logger })) : backplane;
  if (telemetry === undefined) return ports;
  const observed = Object.entries(OBSERVED).map(([port, name]) => {
    const store: object | undefined = ports[port as keyof typeof OBSERVED];
    return [port, store && observeStore(store, name, telemetry)] as const;
  });
  return { ...ports, ...Object.fromEntries(observed), close: async () => ports.close?.() };
}
