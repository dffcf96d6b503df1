import { resolve } from 'node:path';
import { McpApplication } from 'toolwright';
import { AppModule } from './app.module.ts';

const file = resolve(process.env['TASK_BOARD_FILE'] ?? 'task-board.db');
const port = Number(process.env['PORT'] ?? 3000);

const app = await McpApplication.create(AppModule.forRoot({ file }), {
  name: 'task-board',
  version: '1.0.0',
  openWorld: false,
  surface: 'auto',
  instructions: 'Keep the tasks of a team. List before you change, and ask before you delete.',
});

if (process.argv.includes('--stdio')) {
  await app.stdio();
} else {
  const { url, explorer = '' } = await app.listen({ port, explorer: true });
  console.log(`task-board serves at ${url}`);
  console.log(`and keeps its data in ${file}\n`);
  for (const { name, inputSchema } of app.definitions) {
    const actions = inputSchema.properties?.['action']?.enum ?? [];
    console.log(`The tool ${name} can do:\n  ${actions.join('\n  ')}\n`);
  }
  console.log(`Call it, in another terminal:
  node dist/cli/main.js call ${url} board.tasks.create workspaceId=home title='Buy milk'

Try every action in the browser:
  ${explorer}

Connect a client:
  claude mcp add --transport http task-board ${url}
  npx @modelcontextprotocol/inspector --cli ${url} --method tools/list

Ctrl+C lets running calls finish and stops.`);
}
