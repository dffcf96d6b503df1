import type { INestApplication } from '@nestjs/common';
import type { McpApplication } from 'toolwright';
import { exposeNest } from 'toolwright/nest';

/** Offers the routes as actions at /mcp of the same server. Each client gets the tools in the form that fits it. */
export const expose = (nest: INestApplication): Promise<McpApplication> =>
  exposeNest(nest, {
    name: 'starter',
    version: '0.1.0',
    surface: 'auto',
    actions: {
      'notes.list': { description: 'List all notes' },
      'notes.add': { description: 'Write a note down' },
      'notes.remove': { description: 'Remove a note' },
    },
  });
