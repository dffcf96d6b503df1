import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { IsBoolean } from 'class-validator';
import { randomUUID } from 'node:crypto';
import {
  Action,
  Idempotent,
  McpApplication,
  Module,
  Quota,
  RateLimit,
  ToolContext,
  ToolGroup,
  type Backplane,
} from 'toolwright';
import { postgresBackplane } from 'toolwright/postgres';
import { redisBackplane } from 'toolwright/redis';
import { Database } from '../../../src/backplane/postgres/database.ts';
import { RedisLink } from '../../../src/backplane/redis/redis-link.ts';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';
import { JSON_HEADERS, message } from '../../support/raw-http.ts';
import { useRedis } from '../../support/services/use-services.ts';
import { filledIn, TaskRequests } from '../../support/task-requests.ts';

class Sure {
  @IsBoolean() isSure!: boolean;
}

@ToolGroup({ name: 'desk', expose: 'flat' })
class Desk {
  @Action('Hello') hello(): string {
    return 'hello';
  }
  @Action('Pay') @Idempotent({ key: 'idempotencyKey' }) pay(): string {
    return 'paid';
  }
  @Action('Ask') async ask(ctx: ToolContext): Promise<string> {
    const { action } = await ctx.ask(Sure, 'Sure?');
    return action;
  }
  @Action('Counted')
  @RateLimit({ limit: 1000, per: 'hour' })
  @RateLimit({ limit: 10, per: 'second' })
  @Quota({ limit: 1000, per: 'day' })
  counted(): string {
    return 'counted';
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

const redis = useRedis();
const database = usePostgresSchema();
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

interface Counted {
  readonly backplane: Backplane;
  /** How many commands were sent since the last question. */
  readonly taken: () => number;
}

const STORES: Readonly<Record<string, () => Counted>> = {
  Redis: () => {
    const backplane = redisBackplane({
      client: createClient({ url: redis.url }),
      prefix: `${randomUUID()}:`,
      timeout: 60_000,
    });
    const sent = jest.spyOn(RedisLink.prototype, 'send');
    return { backplane, taken: () => sent.mock.calls.splice(0).length };
  },
  PostgreSQL: () => {
    const backplane = postgresBackplane({ pool: database.pool, schema: database.schema });
    const sent = jest.spyOn(Database.prototype, 'query');
    // It sweeps when it likes
    const taken = (): number => sent.mock.calls.splice(0).filter(([sql]) => !sql.includes('.sweep(')).length;
    return { backplane, taken };
  },
};

type Members = Readonly<Record<string, unknown>>;

describe.each(Object.entries(STORES))('over %s', (_name, countedIn) => {
  async function start(sessions: boolean) {
    const { backplane, taken } = countedIn();
    const app = await McpApplication.create(DeskModule, {
      ...{ name: randomUUID(), backplane, secrets: ['a secret of thirty-two bytes or more'] },
      ...{ logger: () => undefined, drainTimeout: 0, fetch: { sessions } },
    });
    closing.push(() => app.close());
    const client = new TaskRequests(app.fetch, { elicitation: {} });
    const call = (name: string, args: Members = {}, others: Members = {}): Promise<Members> =>
      client.result('tools/call', { name: `desk_${name}`, arguments: args, ...others });
    // Scripts are known, and clocks are compared, after the first calls
    const count = async (work: () => Promise<unknown>): Promise<number> => {
      await work();
      taken();
      await work();
      return taken();
    };
    return { app, call, count, taken };
  }

  test('a call that keeps nothing costs no command, and one of any number of limits costs one', async () => {
    const { call, count } = await start(false);
    expect(await count(() => call('hello'))).toBe(0);
    expect(await count(() => call('counted'))).toBe(1);
  });

  test('a call of a key is looked for, claimed and put down, and found in one when it is repeated', async () => {
    const { call, count } = await start(false);
    expect(await count(() => call('pay', { idempotencyKey: randomUUID() }))).toBe(3);
    const key = randomUUID();
    expect(await count(() => call('pay', { idempotencyKey: key }))).toBe(1);
  });

  test('an answered question is claimed and put down, and asking costs nothing', async () => {
    const { call, taken } = await start(false);
    for (const expected of [undefined, 2]) {
      taken();
      const { inputRequests, requestState } = await call('ask');
      if (expected !== undefined) expect(taken()).toBe(0);
      const [name = ''] = Object.keys(inputRequests as Members);
      await call('ask', {}, { inputResponses: { [name]: filledIn({ isSure: true }) }, requestState });
      if (expected !== undefined) expect(taken()).toBe(expected);
    }
  });

  test('a call in a session costs one', async () => {
    const { app, count } = await start(true);
    const send = async (body: string, session: Readonly<Record<string, string>> = {}): Promise<Response> => {
      const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2025-11-25', ...session };
      const response = await app.fetch(
        new Request('http://localhost/mcp', { method: 'POST', headers, body }),
      );
      await response.text();
      return response;
    };
    const introduction = {
      ...{ protocolVersion: '2025-11-25', capabilities: {} },
      clientInfo: { name: 'raw', version: '0' },
    };
    const opened = await send(message('initialize', introduction, 0));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    let id = 0;
    const call = (): Promise<Response> =>
      send(message('tools/call', { name: 'desk_hello', arguments: {} }, (id += 1)), session);
    expect((await call()).status).toBe(200);
    expect(await count(call)).toBe(1);
  });
});
