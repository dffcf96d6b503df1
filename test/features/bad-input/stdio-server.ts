import { McpApplication } from 'toolwright';
import { LIMIT } from './limit.ts';
import { PitModule } from './pit.module.ts';

const app = await McpApplication.create(PitModule, { name: 'pit' });
await app.stdio({ messageLimit: LIMIT, drainTimeout: 50 });
