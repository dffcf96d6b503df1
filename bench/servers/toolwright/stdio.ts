import { McpApplication } from 'toolwright';
import { OrderModule } from './order.module.ts';

const app = await McpApplication.create(OrderModule, { name: 'orders', version: '1.0.0' });
await app.stdio();
