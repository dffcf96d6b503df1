import { McpApplication } from 'toolwright';
import { WorkModule } from './client-app.ts';

const app = await McpApplication.create(WorkModule, {
  name: 'work',
  version: '1.2.3',
  instructions: 'Work well',
  pageSize: 2,
});
await app.stdio();
