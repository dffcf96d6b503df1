import { createClient } from '@redis/client';
import {
  Action,
  Idempotent,
  McpApplication,
  Module,
  Quota,
  RateLimit,
  ToolGroup,
  type Backplane,
} from 'toolwright';
import { redisBackplane } from 'toolwright/redis';
import { Order } from '../../order/order.ts';
import { priceOrder } from '../../order/sample-order.ts';

@ToolGroup({ name: 'orders', expose: 'flat', prefix: '' })
class OrdersController {
  @Action({ name: 'price_order', description: 'Prices an order' })
  price(order: Order) {
    return priceOrder(order);
  }

  @Action({ name: 'place_order', description: 'Prices an order, once for each key' })
  @Idempotent({ key: 'idempotencyKey' })
  place(order: Order) {
    return priceOrder(order);
  }

  @Action({ name: 'count_order', description: 'Prices an order, counted by three limits' })
  @RateLimit({ limit: 1_000_000, per: 'second' })
  @RateLimit({ limit: 1_000_000, per: 'minute' })
  @Quota({ limit: 1_000_000_000, per: 'day' })
  count(order: Order) {
    return priceOrder(order);
  }
}

@Module({ controllers: [OrdersController] })
class OrdersModule {}

/** What this replica has asked of the store. */
const counts = { roundTrips: 0, published: 0, delivered: 0 };

interface Client {
  duplicate(...given: readonly unknown[]): Client;
  sendCommand(...given: readonly unknown[]): Promise<unknown>;
}

/** The same client, and all its duplicates, with every command counted. */
function counted<Given extends Client>(client: Given): Given {
  const duplicate = client.duplicate.bind(client);
  const sendCommand = client.sendCommand.bind(client);
  client.duplicate = (...given) => counted(duplicate(...given));
  client.sendCommand = async (...given) => {
    counts.roundTrips += 1;
    const reply = await sendCommand(...given);
    const [words] = given.filter((each) => Array.isArray(each)) as readonly (readonly string[])[];
    if (words?.[0] === 'PUBLISH') {
      counts.published += 1;
      counts.delivered += Number(reply);
    }
    return reply;
  };
  return client;
}

const store = process.argv[2];
const backplane: Backplane | undefined =
  store === undefined
    ? undefined
    : redisBackplane({ client: counted(createClient({ url: store }) as unknown as Client) as never });
const app = await McpApplication.create(OrdersModule, {
  name: 'orders',
  version: '1.0.0',
  secrets: ['the same long text in each replica'],
  ...(backplane === undefined ? {} : { backplane }),
});
const { url } = await app.listen({
  port: 0,
  sessions: { maxSessions: 100_000, maxSessionsPerOwner: 100_000 },
});
process.on('message', (question: unknown) => {
  if (question === 'announce') app.notifyViews();
  if (question !== 'counts' && question !== 'announce') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ ...counts, processor: user + system });
});
process.send?.({ url });
