import { resolve } from 'node:path';
import { McpApplication } from 'toolwright';
import { AppModule } from './app.module.ts';

const file = resolve(process.env['RELEASE_MANAGER_FILE'] ?? 'release-manager.db');
const port = Number(process.env['PORT'] ?? 3000);

const app = await McpApplication.create(AppModule.forRoot(file), {
  name: 'release-manager',
  version: '1.0.0',
  openWorld: false,
  surface: 'auto',
  instructions:
    'Ask workflow_list what can be done, start a run with workflow_start, and hand in each step with workflow_continue. A run outlives your context: workflow_resume finds it again.',
});

if (process.argv.includes('--stdio')) {
  await app.stdio();
} else {
  const { url } = await app.listen(port);
  console.log(`release-manager serves at ${url}`);
  console.log(`and keeps its runs in ${file}\n`);
  console.log(`Connect a client:
  claude mcp add --transport http release-manager ${url}
  npx @modelcontextprotocol/inspector --cli ${url} --method prompts/list

Ctrl+C lets running calls finish and stops.`);
}
