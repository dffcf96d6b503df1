import { McpApplication } from 'toolwright';
import { OrderModule } from './order.module.ts';

const [token = '', ...flags] = process.argv.slice(2);
const expected = `Bearer ${token}`;
const app = await McpApplication.create(OrderModule, { name: 'orders', version: '1.0.0' });
const { url } = await app.listen({
  port: 0,
  sessions: flags.includes('--sessions'),
  authenticate: ({ headers }) =>
    headers['authorization'] === expected ? { token, clientId: 'bench', scopes: [] } : undefined,
});
process.send?.({ url });
