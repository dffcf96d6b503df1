import {
  Action,
  Injectable,
  Middleware,
  Module,
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
