import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpApplication } from 'toolwright';
import { AppModule } from './app.module.ts';

const sample = fileURLToPath(new URL('sample', import.meta.url));
const folder = resolve(process.env['KNOWLEDGE_BASE_FOLDER'] ?? 'knowledge-base-pages');
const port = Number(process.env['PORT'] ?? 3000);

const app = await McpApplication.create(AppModule.forRoot({ folder, sample }), {
  name: 'knowledge-base',
  version: '1.0.0',
  title: 'Knowledge base',
  openWorld: false,
  surface: 'auto',
  instructions:
    'Read kb://index first. Search before you write a page, and link to pages instead of copying them.',
});

if (process.argv.includes('--stdio')) {
  await app.stdio();
} else {
  const { url } = await app.listen(port);
  console.log(`knowledge-base serves at ${url}`);
  console.log(`and keeps its pages in ${folder}\n`);
  console.log(`Connect a client:
  claude mcp add --transport http knowledge-base ${url}
  npx @modelcontextprotocol/inspector --cli ${url} --method resources/list

Edit a page with any editor: clients that subscribed to it hear of it.
Ctrl+C lets running calls finish and stops.`);
}
