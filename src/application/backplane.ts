import type { Logger } from '../call/logger.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { Secrets } from '../shared/sealed-text.ts';
import type { SessionRecordStore } from '../engine/revisions/2025/session-record.ts';
import type { ResultStore } from '../runtime/budgets/result-store.ts';
import type { Bus } from '../runtime/bus.ts';
import type { IdempotencyStore } from '../runtime/idempotency/idempotency-store.ts';
import type { LimitStore } from '../runtime/limits/limit-store.ts';
import type { SlotStore } from '../runtime/limits/slot-store.ts';
import type { Store } from '../runtime/store/store.ts';
import type { OnceStore } from '../runtime/replay/answer-once.ts';
import type { TaskStore } from '../runtime/tasks/task-store.ts';
import { observeStore, type Telemetry } from '../runtime/telemetry/telemetry.ts';
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
  /** What is kept under keys: sessions, answers that count once, calls that run once, results. */
  readonly store?: Store;
  /** The sessions of 2025 clients; without a bus, replies do not find the instance that asked. */
  readonly sessions?: SessionRecordStore;
  /** What 2025 clients missed on a lost stream. */
  readonly events?: EventStore;
  /** Which questions were answered, and which confirmations were used. */
  readonly once?: OnceStore;
  /** Which calls of `@Idempotent({ key })` actions have run. */
  readonly idempotency?: IdempotencyStore;
  /** The tasks that actions have become. */
  readonly tasks?: TaskStore;
  /** Counts calls for rates and quotas. */
  readonly limits?: LimitStore;
  /** Counts calls that run. */
  readonly slots?: SlotStore;
  /** Results that were larger than their budget. */
  readonly results?: ResultStore;
  /** Tasks for the processes that work on them. */
  readonly queues?: WorkQueue;
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
  readonly backplane?: Backplane;
  readonly secrets?: Secrets;
  readonly telemetry?: Telemetry;
}

/** Reports a backplane that other instances could not use together with this one. */
export function checkBackplane({ backplane, secrets }: SharingOptions, problems: ProblemList): void {
  if (backplane === undefined || secrets !== undefined) return;
  problems.add('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option backplane',
    what: 'has no `secrets` beside it.',
    why: 'each instance would seal what it shares with a key of its own, and no other one could read it.',
    fix: "secrets: [process.env['SECRET']], the same for all instances",
  });
}

const STORES = [
  'store' as const,
  ...(['bus', 'sessions', 'events', 'once', 'idempotency'] as const),
  ...(['tasks', 'limits', 'slots', 'results', 'queues'] as const),
];

export const NOTHING_SHARED: BackplanePorts = Object.freeze({});

/** What the application shares with others; nothing without a backplane. */
export async function openBackplane({
  backplane,
  name,
  logger,
  telemetry,
}: BackplaneApplication & SharingOptions): Promise<BackplanePorts> {
  if (backplane === undefined) return NOTHING_SHARED;
  const ports = await backplane.open(Object.freeze({ name, logger }));
  if (telemetry === undefined) return ports;
  const observed = STORES.map((name) => {
    const store: object | undefined = ports[name];
    return [name, store && observeStore(store, name, telemetry)] as const;
  });
  return { ...Object.fromEntries(observed), close: async () => ports.close?.() };
}
