/** The shop as Max, of its staff, uses it: cases have no token. */
import { exposeNest } from 'toolwright/nest';
import { createShop } from '../create-shop.ts';

const shop = await createShop();
shop.use((request: { headers: Record<string, string> }, _response: unknown, next: () => void) => {
  request.headers['authorization'] = 'Bearer token-of-max';
  next();
});
await exposeNest(shop, {
  name: 'shop',
  version: '1.0.0',
  actions: {
    'products.find': { description: 'Find products by words and price' },
    'orders.search': { readOnly: true, description: 'Find orders with all of these products' },
    'orders.pay': { idempotent: { key: 'idempotencyKey' } },
    'customers.list': { fields: ['id', 'name'] },
  },
});
await shop.listen(0, '127.0.0.1');
