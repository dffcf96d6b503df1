import { McpApplication } from 'toolwright';
import { NotesModule } from './server.ts';

const app = await McpApplication.create(NotesModule, { name: 'notes', version: '1.0.0', surface: 'auto' });
if (process.argv.includes('--stdio')) await app.stdio();
else console.log('notes at', (await app.listen(Number(process.env['PORT'] ?? 3000))).url);
