import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { IsBoolean } from 'class-validator';
import {
  Action,
  Budget,
  Concurrency,
  Destructive,
  Idempotent,
  McpApplication,
  Module,
  RateLimit,
  ToolContext,
  ToolGroup,
  type Backplane,
  type BackplanePorts,
} from 'toolwright';
import { MemoryLogger } from '../support/memory-logger.ts';
import { JSON_HEADERS, message } from '../support/raw-http.ts';
import { SharedMemory } from '../support/shared-memory.ts';
import { filledIn, TaskRequests, TASKS, type TaskAnswer } from '../support/task-requests.ts';

class Sure {
  @IsBoolean() isSure!: boolean;
}

const effects: string[] = [];
const did = (what: string): string => {
  effects.push(what);
  return what;
};

@ToolGroup({ name: 'desk', expose: 'flat' })
class Desk {
  @Action('Pay') @Idempotent({ key: 'idempotencyKey' }) pay(): string {
    return did('pay');
  }
  @Action('Remove') @Destructive({ confirm: 'twice' }) remove(): string {
    return did('remove');
  }
  @Action('Ask') async ask(ctx: ToolContext): Promise<string> {
    await ctx.ask(Sure, 'Sure?');
    return did('ask');
  }
  @Action({ description: 'Long', task: 'required' }) long(): string {
    return did('long');
  }
  @Action('Large') @Budget({ bytes: 1024 }) large(): string {
    return 'x'.repeat(5000);
  }
  @Action('Counted') @RateLimit({ limit: 1000, per: 'hour' }) counted(): string {
    return did('counted');
  }
  @Action('Single') @Concurrency({ limit: 10 }) single(): string {
    return did('single');
  }
  @Action('Plain') plain(): string {
    return did('plain');
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

/** Ports, and collections of the store. */
type Port = keyof SharedMemory['ports'] | 'once' | 'idempotency' | 'results' | 'sessions';
type Members = Readonly<Record<string, unknown>>;

/** A backplane whose ports reject when a test says so. */
class LeavingBackplane implements Backplane {
  readonly away = new Set<string>();
  readonly #memory = new SharedMemory();

  async open(): Promise<BackplanePorts> {
    const ports = Object.entries(this.#memory.ports).map(
      ([name, port]) => [name, this.#leaving(name, port)] as const,
    );
    return Object.fromEntries(ports);
  }

  #leaving<Store extends object>(name: string, port: Store): Store {
    return new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const part = name === 'store' ? String(given[0]) : name;
          if (this.away.has(part)) return Promise.reject(new Error(`${part} is away`));
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  }
}

let backplane: LeavingBackplane;
let app: McpApplication;
let logger: MemoryLogger;

beforeEach(async () => {
  effects.length = 0;
  backplane = new LeavingBackplane();
  logger = new MemoryLogger();
  app = await McpApplication.create(DeskModule, {
    ...{ backplane, logger, secrets: ['a secret of thirty-two bytes or more'] },
    limits: { onStoreFailure: 'closed' },
  });
});
afterEach(() => app.close());

type Send = (method: string, params: Members) => Promise<TaskAnswer>;

const ERAS: Readonly<Record<string, () => Send>> = {
  '2025-11-25': () => async (method, params) => {
    const response = await app.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2025-11-25' },
        body: message(method, params),
      }),
    );
    const text = await response.text();
    const data = text.split('\n').find((line) => line.startsWith('data: {'));
    return { ...(JSON.parse(data?.slice(6) ?? text) as TaskAnswer), status: response.status };
  },
  '2026-07-28': () => {
    const client = new TaskRequests(app.fetch, { elicitation: {}, extensions: { [TASKS]: {} } });
    return (method, params) => {
      const { uri } = params;
      return client.send(method, params, typeof uri === 'string' ? { 'mcp-name': uri } : {});
    };
  },
};

function factsOf({ result, error }: TaskAnswer): unknown {
  const meta = result?.['_meta'] as Members | undefined;
  return meta?.['toolwright/error'] ?? error?.data;
}

const call = (name: string, args: Members = {}, others: Members = {}): readonly [string, Members] => [
  'tools/call',
  { name, arguments: args, ...others },
];

/** What is asked for while a port is away; what comes before it is in order. */
type Use = (send: Send) => Promise<() => Promise<TaskAnswer>>;

async function idOf(send: Send): Promise<string> {
  const { result } = await send(...call('desk_long', {}, { task: {} }));
  const task = (result?.['task'] ?? result) as Members | undefined;
  return String(task?.['taskId']);
}

const USES: readonly (readonly [port: Port, what: string, eras: readonly string[], use: Use])[] = [
  [
    'idempotency',
    'a call that runs once',
    Object.keys(ERAS),
    async (send) => () => send(...call('desk_pay', { idempotencyKey: 'a' })),
  ],
  [
    'once',
    'a confirmation',
    Object.keys(ERAS),
    async (send) => {
      const first = await send(...call('desk_remove'));
      const { details } = factsOf(first) as { readonly details: Members };
      return () => send(...call('desk_remove', details));
    },
  ],
  [
    'once',
    'the answer to a question',
    ['2026-07-28'],
    async (send) => {
      const { result } = await send(...call('desk_ask'));
      const [key = ''] = Object.keys(result?.['inputRequests'] as Members);
      const inputResponses = { [key]: filledIn({ isSure: true }) };
      const answer = { inputResponses, requestState: result?.['requestState'] };
      return () => send(...call('desk_ask', {}, answer));
    },
  ],
  [
    'tasks',
    'a call that becomes a task',
    Object.keys(ERAS),
    async (send) => () => send(...call('desk_long', {}, { task: {} })),
  ],
  [
    'tasks',
    'the state of a task',
    Object.keys(ERAS),
    async (send) => {
      const taskId = await idOf(send);
      return () => send('tasks/get', { taskId });
    },
  ],
  [
    'tasks',
    'the end of a task',
    Object.keys(ERAS),
    async (send) => {
      const taskId = await idOf(send);
      return () => send('tasks/cancel', { taskId });
    },
  ],
  [
    'results',
    'a stored result',
    Object.keys(ERAS),
    async (send) => {
      const { result } = await send(...call('desk_large'));
      const blocks = result?.['content'] as readonly { readonly uri?: string }[];
      const uri = blocks.find((block) => block.uri !== undefined)?.uri;
      return () => send('resources/read', { uri });
    },
  ],
  [
    'counter',
    'a call that is counted',
    Object.keys(ERAS),
    async (send) => () => send(...call('desk_counted')),
  ],
  [
    'slots',
    'a call that takes a place',
    Object.keys(ERAS),
    async (send) => () => send(...call('desk_single')),
  ],
];

const TABLE = USES.flatMap(([port, what, eras, use]) => eras.map((era) => [port, what, era, use] as const));

describe('While a store is away, a client is asked to try again later', () => {
  test.each(TABLE)('%s: %s, in %s', async (port, _what, era, use) => {
    const send = (ERAS[era] as () => Send)();
    const ask = await use(send);
    effects.length = 0;
    backplane.away.add(port);
    const refused = await ask();
    expect(factsOf(refused)).toMatchObject({ code: 'TRY_AGAIN_LATER', retryAfter: expect.any(Number) });
    expect(effects).toEqual([]);
    expect(logger.records.map(({ event }) => event)).not.toContain('call.escaped');
    backplane.away.clear();
    expect(factsOf(await ask())).toBeUndefined();
  });

  test('sessions: a request is refused with 503, and goes on afterwards', async () => {
    const { url } = await app.listen({ port: 0, signals: false });
    const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body });
    const clientInfo = { name: 'client', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const session = (await post(message('initialize', params))).headers.get('mcp-session-id') ?? '';
    const other = await McpApplication.create(DeskModule, {
      ...{ backplane, logger, secrets: ['a secret of thirty-two bytes or more'] },
    });
    const elsewhere = await other.listen({ port: 0, signals: false });
    const ping = (): Promise<Response> =>
      fetch(elsewhere.url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
        body: message('ping', {}),
      });
    backplane.away.add('sessions');
    for (const refused of [await ping(), await post(message('initialize', params))]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    }
    backplane.away.clear();
    expect((await ping()).status).toBe(200);
    await other.close();
  });

  test.each(
    Object.keys(ERAS).flatMap((era) => (['bus', 'events'] as const).map((port) => [port, era] as const)),
  )('%s: a call needs none, in %s', async (port, era) => {
    backplane.away.add(port);
    const answer = await (ERAS[era] as () => Send)()(...call('desk_plain'));
    expect(answer.result).toMatchObject({ content: [{ text: 'plain' }] });
  });
});
