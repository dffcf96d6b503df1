import { fileURLToPath } from 'node:url';
import { McpApplication, Module } from 'toolwright';
import { ProxyModule } from 'toolwright/proxy';

/** A program over stdio: the notes of the quickstart, started with the flags of this process. */
const notes = fileURLToPath(new URL('../quickstart/main.ts', import.meta.url));
/** A server over HTTP: the task board, which somebody else has started. */
const board = process.env['TASK_BOARD_URL'] ?? 'http://127.0.0.1:3000/mcp';

@Module({
  imports: [
    ProxyModule.forRoot({
      name: 'quick',
      command: { command: process.execPath, args: [...process.execArgv, notes, '--stdio'] },
    }),
    ProxyModule.forRoot({ name: 'team', url: board, describe: { board: 'The tasks of the team' } }),
  ],
})
class GatewayModule {}

const app = await McpApplication.create(GatewayModule, { name: 'gateway', version: '1.0.0' });
if (process.argv.includes('--stdio')) await app.stdio();
else console.log('gateway at', (await app.listen(Number(process.env['PORT'] ?? 3001))).url);
