import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './sdk-v2-server.mjs';

serveStdio(() => createServer());
