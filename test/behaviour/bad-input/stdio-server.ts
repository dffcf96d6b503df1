import { McpApplication } from 'toolwright';
import { LIMIT } from './limit.ts';
import { PitModule } from './pit.module.ts';

const app = await McpApplication.create(PitModule, { name: 'pit' });
await app.stdio({ maxMessageBytes: LIMIT, drainTimeout: 50 });
