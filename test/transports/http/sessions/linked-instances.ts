import type { ChangeNotice } from '../../../../src/call/notifier.ts';
import { SharedRecords } from '../../../../src/engine/revisions/2025/shared-records.ts';
import { InMemoryBus, type Bus } from '../../../../src/runtime/peers/bus.ts';
import { Peers } from '../../../../src/runtime/peers/peers.ts';
import { InMemoryStore } from '../../../../src/runtime/store/memory-store.ts';
import type { Store } from '../../../../src/runtime/store/store.ts';
import { InMemoryEventStore } from '../../../../src/transports/event-store/in-memory-event-store.ts';
import { createFetchHandler } from '../../../../src/transports/fetch/create-fetch-handler.ts';
import type { HttpHandlerOptions } from '../../../../src/transports/http/http-options.ts';
import type { McpService } from '../../../../src/runtime/service.ts';
import { fakeApplication, type FakeTool } from '../../../support/fake-application.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';
import { JSON_HEADERS, message } from '../../../support/raw-http.ts';

/** What fails, and how often it was tried since. */
interface Faults {
  bus: boolean;
  store: boolean;
  tried: { bus: number; store: number };
  /** The bus works again, and some of its texts are lost. */
  endGap: () => void;
}

function faultyBus(bus: Bus, faults: Faults): Bus {
  const listeners = new Set<() => void>();
  faults.endGap = () => {
    faults.bus = false;
    for (const listener of listeners) listener();
  };
  return {
    publish: async (channel, text) => {
      if (faults.bus) {
        faults.tried.bus += 1;
        throw new Error('no bus');
      }
      await bus.publish(channel, text);
    },
    subscribe: (channel, listener) => bus.subscribe(channel, listener),
    onGap: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Instances of one application, which share their sessions and their events. */
export async function cluster(
  tools: Readonly<Record<string, FakeTool>>,
  options: HttpHandlerOptions = {},
  service?: McpService,
) {
  const store = new InMemoryStore();
  const asked: string[] = [];
  /** What a load waits for with what it has found. */
  const slow: { loading?: Promise<unknown> } = {};
  const faults: Faults = {
    bus: false,
    store: false,
    tried: { bus: 0, store: 0 },
    endGap: () => undefined,
  };
  const reach = (): void => {
    if (!faults.store) return;
    faults.tried.store += 1;
    throw new Error('no store');
  };
  const records: Store = {
    get: async (...given) => {
      asked.push(given[1]);
      reach();
      const found = await store.get(...given);
      await slow.loading;
      return found;
    },
    put: async (...given) => {
      reach();
      return store.put(...given);
    },
    delete: async (...given) => {
      reach();
      return store.delete(...given);
    },
  };
  const bus = faultyBus(new InMemoryBus(), faults);
  const eventStore = new InMemoryEventStore();
  const secrets = ['a secret of all instances'];
  const open = async () => {
    const { logger } = fakeApplication({});
    const heard = { count: 0 };
    const own: Bus = {
      ...bus,
      subscribe: (channel, listener) =>
        bus.subscribe(channel, (text) => {
          heard.count += 1;
          listener(text);
        }),
    };
    const application = {
      ...fakeApplication(tools),
      ...(service && { service }),
      sessions: {
        records: new SharedRecords(records, { server: 'app', secrets, logger }),
        peers: await Peers.join(own, { name: 'app', secrets, logger }),
      },
    };
    const handler = createFetchHandler(application, {
      sessions: { eventStore, retryInterval: 7 },
      ...options,
    });
    return {
      close: () => handler.close(),
      notify: (change: ChangeNotice) => {
        handler.notify(change);
      },
      /** The texts that came to it over the bus. */
      heard,
      fetch: (init: RequestInit) => handler.fetch(new Request('http://localhost/mcp', init)),
    };
  };
  const reader = new SharedRecords(store, { server: 'app', secrets, logger: new MemoryLogger() });
  const recordOf = async (headers: Headers) =>
    (await reader.load(headers['mcp-session-id'] ?? '', 60_000))?.record;
  return {
    one: await open(),
    two: await open(),
    three: await open(),
    eventStore,
    store,
    recordOf,
    asked,
    slow,
    faults,
  };
}

export type Instance = Awaited<ReturnType<typeof cluster>>['one'];
export type Headers = Readonly<Record<string, string>>;

const VERSION = { 'mcp-protocol-version': '2025-11-25' };
const INTRODUCTION = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: { form: {} } },
  clientInfo: { name: 'raw', version: '0' },
};

export async function initialize({ fetch }: Instance, own: Headers = {}): Promise<Headers> {
  const body = message('initialize', INTRODUCTION, 0);
  const response = await fetch({ method: 'POST', headers: { ...JSON_HEADERS, ...own }, body });
  await response.body?.cancel();
  const id = response.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${String(response.status)}`);
  return { ...JSON_HEADERS, ...VERSION, ...own, 'mcp-session-id': id };
}

export const post = ({ fetch }: Instance, headers: Headers, body: string): Promise<Response> =>
  fetch({ method: 'POST', headers, body });
export const call = (to: Instance, headers: Headers, name: string, id: number): Promise<Response> =>
  post(to, headers, message('tools/call', { name, arguments: {} }, id));
export const resume = ({ fetch }: Instance, headers: Headers, lastEventId: string): Promise<Response> =>
  fetch({ headers: { ...headers, 'last-event-id': lastEventId } });
