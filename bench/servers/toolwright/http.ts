import { McpApplication } from 'toolwright';
import { OrderModule } from './order.module.ts';

const app = await McpApplication.create(OrderModule, { name: 'orders', version: '1.0.0' });
const sessions = process.argv.includes('--sessions');
const { url } = await app.listen({ port: 0, sessions });
process.send?.({ url });
