import { McpApplication } from 'toolwright';
import { manyTools } from './many-tools.ts';

const count = Number(process.argv[2]);
const app = await McpApplication.create(manyTools(count), { name: 'orders', version: '1.0.0' });
const { url } = await app.listen({ port: 0, sessions: false });
process.send?.({ url });
