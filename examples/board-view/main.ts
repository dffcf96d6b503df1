import { McpApplication } from 'toolwright';
import { BoardModule } from './board.module.ts';

const app = await McpApplication.create(BoardModule, { name: 'board', version: '1.0.0', surface: 'auto' });
if (process.argv.includes('--stdio')) await app.stdio();
else console.log('board at', (await app.listen(Number(process.env['PORT'] ?? 3000))).url);
