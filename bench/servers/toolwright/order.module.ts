import {
  Action,
  Injectable,
  Middleware,
  Module,
  RateLimit,
  Scopes,
  Timeout,
  ToolGroup,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import { Order } from '../../order/order.ts';
import { priceOrder, type Price } from '../../order/sample-order.ts';

@Injectable()
class Prices {
  of(order: Order): Price {
    return priceOrder(order);
  }
}

@Injectable()
class Counting {
  calls = 0;

  use(_call: MiddlewareCall, next: Next): Promise<unknown> {
    this.calls += 1;
    return next();
  }
}

@ToolGroup({ name: 'orders', expose: 'flat', prefix: '' })
@Middleware(Counting)
class OrdersController {
  constructor(private readonly prices: Prices) {}

  @Action({ name: 'price_order', description: 'Prices an order' })
  price(order: Order): Price {
    return this.prices.of(order);
  }
}

/** A validated input, one middleware, one injected service. */
@Module({ controllers: [OrdersController], providers: [Prices, Counting] })
export class OrderModule {}

@ToolGroup({ name: 'orders', expose: 'flat', prefix: '' })
@Middleware(Counting)
class LimitedController {
  constructor(private readonly prices: Prices) {}

  @Action({ name: 'price_order', description: 'Prices an order' })
  @Scopes('orders:read', 'orders:price')
  @RateLimit({ limit: 1_000_000, per: 'second' })
  @Timeout(30_000)
  price(order: Order): Price {
    return this.prices.of(order);
  }
}

/** The same, for callers with two scopes who do not call too often. */
@Module({ controllers: [LimitedController], providers: [Prices, Counting] })
export class LimitedOrderModule {}
