/** A replica or a worker of a shop, whose effects are lines of a file: that outlives every process and every store. */
import { appendFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from '@redis/client';
import { IsOptional, IsString } from 'class-validator';
import { Pool } from 'pg';
import {
  Action,
  Destructive,
  Idempotent,
  McpApplication,
  Module,
  ReadOnly,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type LogRecord,
} from 'toolwright';
import * as postgres from 'toolwright/postgres';
import * as redis from 'toolwright/redis';
import { serveAttacked } from '../serve-attacked.ts';

const {
  SHOP_STORE: url = '',
  SHOP_EFFECTS = '',
  SHOP_LOG = '',
  SHOP_ROLE = 'replica',
  SHOP_VERSION = '1',
} = process.env;

class Order {
  @IsString() label!: string;
}

class NewOrder extends Order {
  @IsString() @IsOptional() note?: string;
}

class Choice {
  @IsString() word!: string;
}

function log(text: string): void {
  const at = new Date().toISOString().slice(11, -1);
  appendFileSync(SHOP_LOG, `${at} ${SHOP_ROLE}-${String(process.pid)} ${text}\n`);
}

/**
 * What an action does lasts a while before and after its effect, so that it can be cut off on either side. Progress makes
 * a stream of the answer.
 */
async function leaveEffect(text: string, ctx?: ToolContext): Promise<void> {
  await ctx?.progress(1, 2);
  await after(Math.random() * 40);
  appendFileSync(SHOP_EFFECTS, `${text}\n`);
  log(`effect ${text}`);
  await after(Math.random() * 40);
}

@ToolGroup({ name: 'shop', description: 'A shop', expose: 'flat' })
class Shop {
  @Action('Looks at an order')
  @ReadOnly()
  async get({ label }: Order): Promise<string> {
    await after(Math.random() * 20);
    return `get ${label}`;
  }

  @Action('Pays for an order')
  @Idempotent({ key: 'idempotencyKey' })
  async pay({ label }: Order, ctx: ToolContext): Promise<string> {
    await leaveEffect(`pay ${label}`, ctx);
    return `pay ${label}`;
  }

  @Action('Pays back')
  @Destructive({ confirm: true })
  async refund({ label }: Order, ctx: ToolContext): Promise<string> {
    await leaveEffect(`refund ${label}`, ctx);
    return `refund ${label}`;
  }

  @Action('Asks for a word, and orders') async buy({ label }: Order, ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Choice, `Which word for ${label}?`);
    const word = answer.action === 'accept' ? answer.content.word : answer.action;
    await ctx.progress(1, 2);
    await ctx.step('buy', () => leaveEffect(`buy ${label}`));
    return `buy ${label} ${word}`;
  }

  @Action({ description: 'Writes a report in two steps, in a worker', task: { queue: 'reports' } })
  async report({ label }: Order, ctx: ToolContext): Promise<string> {
    await ctx.step('read', () => leaveEffect(`read ${label}`));
    await ctx.progress(1, 2);
    await ctx.step('write', () => leaveEffect(`write ${label}`));
    return `report ${label}`;
  }
}

/** The next version: a field more, a step more in the middle of a task, and an action more. */
@ToolGroup({ name: 'shop', description: 'A shop that ships', expose: 'flat' })
class NewShop extends Shop {
  @Action('Pays for an order')
  @Idempotent({ key: 'idempotencyKey' })
  override pay(order: NewOrder, ctx: ToolContext): Promise<string> {
    return super.pay(order, ctx);
  }

  @Action({ description: 'Writes a report in three steps, in a worker', task: { queue: 'reports' } })
  override async report({ label }: Order, ctx: ToolContext): Promise<string> {
    await ctx.step('read', () => leaveEffect(`read ${label}`));
    await ctx.step('check', () => leaveEffect(`check ${label}`));
    await ctx.progress(1, 2);
    await ctx.step('write', () => leaveEffect(`write ${label}`));
    return `report ${label}`;
  }

  @Action('Ships an order') ship({ label }: Order): string {
    return `ship ${label}`;
  }
}

@Module({ controllers: [SHOP_VERSION === '1' ? Shop : NewShop] })
class ShopModule {}

function backplane(): NonNullable<ApplicationOptions['backplane']> {
  const { hostname: host, port, protocol } = new URL(url);
  if (protocol === 'redis:') {
    const queues = redis.bullQueues({ connection: { host, port: Number(port) } });
    return redis.redisBackplane({ client: createClient({ url }), queues });
  }
  const pool = new Pool({ connectionString: url, max: 5, connectionTimeoutMillis: 1000 });
  const connection = { connectionString: url, schema: 'bull', migrate: true, max: 3 };
  return postgres.postgresBackplane({
    pool,
    migrate: 'auto',
    queues: postgres.bullQueues({ connection }),
  });
}

const app = await McpApplication.create(ShopModule, {
  name: 'shop',
  version: SHOP_VERSION,
  secrets: ['a secret of all replicas, long enough'],
  backplane: backplane(),
  tasks: { lease: 3000, ttl: 120_000 },
  drainDelay: 1000,
  maskErrors: false,
  logger: ({ level, event, message, ...more }: LogRecord) => {
    const facts = JSON.stringify(more, (_, value: unknown) =>
      value instanceof Error ? String(value.stack) : value,
    );
    log(`${level} ${event} ${message} ${facts}`);
  },
});
if (SHOP_ROLE === 'worker') {
  await app.work({ queues: ['reports'], concurrency: 4 });
  process.on('disconnect', () => process.exit());
  process.send?.({ url: '' });
} else if (SHOP_ROLE === 'stdio') {
  await app.stdio();
} else if (SHOP_ROLE === 'attached') {
  const server = new McpServer({ name: 'shop', version: SHOP_VERSION });
  app.attach(server);
  server.server.onclose = () => void app.close().then(() => process.exit());
  process.stdin.on('end', () => void server.close());
  await server.connect(new StdioServerTransport());
} else {
  await serveAttacked(app, { sessions: { retryInterval: 100 } });
}
