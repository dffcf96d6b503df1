/** The shop with MCP at /mcp of the same server: the one file that is new. */
import { exposeNest, nestGuard } from 'toolwright/nest';
import { createShop } from './create-shop.ts';
import { AUDIENCE, TokenGuard, type User } from './guards.ts';

const shop = await createShop();
const verify = nestGuard(shop, TokenGuard, {
  caller: (user: User) => user,
  issuers: ['https://issuer.example'],
});
await exposeNest(shop, {
  name: 'shop',
  version: '1.0.0',
  surface: 'auto',
  auth: { resource: AUDIENCE, verify },
  // What the guards read, so that callers are not even shown what they may not do
  requirements: (_operation, metadata) => {
    const roles = metadata('roles') as readonly string[] | undefined;
    return roles === undefined ? undefined : { roles };
  },
  actions: {
    'products.find': { description: 'Find products by words and price' },
    'orders.search': { readOnly: true, description: 'Find orders with all of these products' },
    'orders.pay': { idempotent: { key: 'idempotencyKey' } },
    'customers.list': { fields: ['id', 'name'] },
  },
});
await shop.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
console.log(`shop at ${await shop.getUrl()}/mcp`);
