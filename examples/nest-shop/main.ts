/** The shop as it was: REST alone. */
import { createShop } from './create-shop.ts';

const shop = await createShop();
await shop.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
console.log(`shop at ${await shop.getUrl()}/api`);
