/**
 * Checks the shop at the address given as argument, with a client of the SDK for each protocol era:
 *
 *     PORT=3000 node --import @oxc-node/core/register nest-shop/mcp.ts
 *     node --import @oxc-node/core/register nest-shop/client.ts http://127.0.0.1:3000/mcp
 */
import * as sdk2 from '@modelcontextprotocol/client';
import * as sdk1 from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import assert from 'node:assert/strict';
import { check } from '../connect.ts';
import type { Order } from './store.ts';

const address = new URL(process.argv[2] ?? 'http://127.0.0.1:3000/mcp');
const information = { name: 'example-client', version: '1.0.0' };

async function connect(era: string, token: string): Promise<sdk1.Client | sdk2.Client> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  if (era === '2025-11-25') {
    const client = new sdk1.Client(information);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    return client;
  }
  const client = new sdk2.Client(information, { versionNegotiation: { mode: { pin: era } } });
  await client.connect(new sdk2.StreamableHTTPClientTransport(address, { requestInit }));
  return client;
}

type Called = (name: string, args: Record<string, unknown>) => Promise<string>;

function caller(client: sdk1.Client | sdk2.Client): Called {
  return async (name, args) => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
  };
}

async function namesOf(client: sdk1.Client | sdk2.Client): Promise<string> {
  return JSON.stringify((await client.listTools()).tools);
}

for (const era of ['2025-11-25', '2026-07-28']) {
  const [ada, max] = [await connect(era, 'token-of-ada'), await connect(era, 'token-of-max')];
  const [asAda, asMax] = [caller(ada), caller(max)];

  await check(`${era}: a customer sees what customers may do, and staff the rest as well`, async () => {
    const [own, all] = [await namesOf(ada), await namesOf(max)];
    for (const name of ['pay', 'search']) assert.ok(own.includes(`"${name}"`) && all.includes(`"${name}"`));
    assert.ok(!own.includes('"customers') && all.includes('"customers'));
    assert.ok(!all.includes('health'));
  });

  await check(
    `${era}: an order is made, found and paid once, and a second payment is a conflict`,
    async () => {
      const made = JSON.parse(
        await asAda('orders', { action: 'create', customerId: 1, productIds: [1, 2] }),
      ) as Order;
      const found = JSON.parse(await asAda('orders', { action: 'search', productIds: [2] })) as Order[];
      assert.ok(found.some(({ id }) => id === made.id));
      const pay = { action: 'pay', id: made.id };
      const paid = await asAda('orders', { ...pay, idempotencyKey: `${era} first` });
      assert.equal(await asAda('orders', { ...pay, idempotencyKey: `${era} first` }), paid);
      assert.match(
        await asAda('orders', { ...pay, idempotencyKey: `${era} second` }),
        /409[^]*Code: CONFLICT/,
      );
      assert.match(await asAda('orders', { action: 'invoice', id: made.id }), /178\.00 euros/);
    },
  );

  await check(`${era}: a wrong input is answered before the shop sees it, with the field`, async () => {
    assert.match(await asAda('products', { action: 'review', id: 1, stars: 9, text: 'fine' }), /stars/);
    assert.match(await asAda('products', { action: 'read', id: 99 }), /Code: NOT_FOUND/);
  });

  await check(`${era}: only staff changes the shop, and sees no more of people than it needs`, async () => {
    assert.match(await asAda('products', { action: 'remove', id: 1 }), /Code: UNKNOWN_ACTION/);
    assert.match(await asMax('products', { action: 'create', name: `Desk of ${era}`, cents: 100 }), /Desk/);
    assert.deepEqual(JSON.parse(await asMax('customers', { action: 'list' })), [{ id: 1, name: 'Ada' }]);
  });

  await Promise.all([ada.close(), max.close()]);
}

await check('REST is as it was', async () => {
  const headers = { authorization: 'Bearer token-of-ada' };
  assert.equal((await fetch(new URL('/api/products', address), { headers })).status, 200);
  assert.equal((await fetch(new URL('/api/customers', address), { headers })).status, 403);
  assert.equal((await fetch(new URL('/health', address))).status, 200);
});

await check('without a token a client learns where to sign in', async () => {
  const refused = await fetch(address, { method: 'POST', body: '{}' });
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate') ?? '', /resource_metadata=/);
});
