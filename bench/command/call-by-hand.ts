import { McpApplication } from 'toolwright';
import { MathModule } from './math.ts';

// What `toolwright call math.ts math.add a=40 b=2` does, without the command
const app = await McpApplication.create(MathModule);
const { content } = await app.call('math', { action: 'add', a: 40, b: 2 });
process.stdout.write(`${content.map((part) => ('text' in part ? part.text : '')).join('')}\n`);
await app.close();
