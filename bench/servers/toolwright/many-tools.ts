import { Action, Module, Roles, ToolGroup, type Class } from 'toolwright';
import { Order } from '../../order/order.ts';
import { priceOrder } from '../../order/sample-order.ts';

/** A module with as many tools, each of which takes an order, and further ones that only administrators see. */
export function manyTools(count: number, hidden = 0): Class {
  class OrdersController {}
  const { prototype } = OrdersController;
  for (let number = 1; number <= count + hidden; number += 1) {
    const method = `price${number}`;
    const descriptor = { value: (order: Order) => priceOrder(order), configurable: true, writable: true };
    Object.defineProperty(prototype, method, descriptor);
    Action({ description: `Prices an order in way ${number}`, input: Order })(prototype, method, descriptor);
    if (number > count) Roles('admin')(prototype, method, descriptor);
  }
  ToolGroup({ name: 'orders', expose: 'flat' })(OrdersController);
  class OrdersModule {}
  Module({ controllers: [OrdersController] })(OrdersModule);
  return OrdersModule;
}
