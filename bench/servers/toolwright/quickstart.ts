import { McpApplication } from 'toolwright';
import { MathModule } from '../../command/math.ts';

// As the quickstart of the README, over stdio or HTTP
const app = await McpApplication.create(MathModule, { name: 'math', version: '1.0.0' });
if (process.argv.includes('--stdio')) await app.stdio();
else process.stdout.write(`${(await app.listen({ port: 0, sessions: false })).url}\n`);
