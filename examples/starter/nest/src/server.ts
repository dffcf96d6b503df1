import type { Server } from 'node:http';
import { createNest } from './app.ts';
import { expose } from './mcp.ts';

const nest = await createNest();
await expose(nest);
await nest.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');

// The commands of toolwright serve the tools themselves, and leave this port closed
const { listening } = nest.getHttpServer() as Server;
const url = await nest.getUrl();
if (listening) console.log(`REST is at ${url}/notes, MCP at ${url}/mcp`);
