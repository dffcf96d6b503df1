import {
  McpApplication,
  type ApplicationOptions,
  type Backplane,
  type BackplanePorts,
  type Bus,
} from 'toolwright';
import type { Class } from '../../src/shared/class-type.ts';
import { MemoryLogger } from './memory-logger.ts';
import { roundRobin, type Backend, type RoundRobin } from './round-robin.ts';

/** One instance of an application behind a proxy. */
export interface Replica extends Backend {
  readonly app: McpApplication;
  readonly logger: MemoryLogger;
  /** It loses its power: its connections break, and nobody gets a word of it any more. */
  kill(): void;
}

export interface Replicas {
  readonly replicas: readonly Replica[];
  readonly proxy: RoundRobin;
  close(): Promise<void>;
}

export interface ReplicasOptions extends Omit<ApplicationOptions, 'backplane'> {
  readonly count?: number;
  readonly backplane: Backplane;
  /** Milliseconds after which a client comes back to a stream that has ended. */
  readonly retryInterval?: number;
  readonly idleTimeout?: number;
  readonly maxSessions?: number;
}

/** Instances of one application that share a backplane, behind a proxy that gives each request to another one. */
export async function openReplicas(module: Class, given: ReplicasOptions): Promise<Replicas> {
  const { count = 3, backplane, retryInterval = 20, idleTimeout, maxSessions, ...options } = given;
  const sessions = {
    retryInterval,
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(maxSessions !== undefined && { maxSessions }),
  };
  const replicas: Replica[] = [];
  const proxies: RoundRobin[] = [];
  for (let index = 0; index < count; index += 1) {
    const power = { isOn: true };
    const logger = new MemoryLogger();
    const app = await McpApplication.create(module, {
      name: 'replicated',
      secrets: ['a secret of all replicas, long enough'],
      logger,
      drainTimeout: 0,
      ...options,
      backplane: { open: async (application) => poweredBy(power, await backplane.open(application)) },
    });
    const { url } = await app.listen({ port: 0, sessions });
    const kill = (): void => {
      power.isOn = false;
      for (const proxy of proxies) proxy.cut(index);
    };
    replicas.push({
      app,
      logger,
      url,
      kill,
      get isDown() {
        return !power.isOn;
      },
    });
  }
  const proxy = await roundRobin(replicas);
  proxies.push(proxy);
  const close = async (): Promise<void> => {
    await proxy.close();
    for (const { app } of replicas) await app.close();
  };
  return { replicas, proxy, close };
}

/** Of a replica without power nothing arrives, and nothing reaches it. */
function poweredBy(power: { readonly isOn: boolean }, ports: BackplanePorts): BackplanePorts {
  const { bus, events } = ports;
  const silent = new Promise<never>(() => undefined);
  return {
    ...ports,
    ...(bus && {
      bus: {
        publish: (channel, text) => (power.isOn ? bus.publish(channel, text) : silent),
        subscribe: (channel, listener) =>
          bus.subscribe(channel, (text) => {
            if (power.isOn) listener(text);
          }),
        onGap: (listener) => bus.onGap(listener),
      } satisfies Bus,
    }),
    ...(events && {
      events: {
        storeEvent: (stream, message, session) =>
          power.isOn ? events.storeEvent(stream, message, session) : silent,
        replayEventsAfter: (id, target) => events.replayEventsAfter(id, target),
        getStreamIdForEventId: async (id) => events.getStreamIdForEventId?.(id),
        forgetSession: async (session) => events.forgetSession?.(session),
        forget: async (owner) => (await events.forget?.(owner)) ?? 0,
      },
    }),
  };
}
