import { fileURLToPath } from 'node:url';
import { McpApplication } from 'toolwright';
import { OpenApiModule } from 'toolwright/openapi';

/** The document of your API takes its place. `npm run plan` says what is offered of it, and what is left out. */
const DOCUMENT = fileURLToPath(new URL('../api.json', import.meta.url));

/** The operations of the API as actions. Without variables it is `npm run api`, on this computer. */
export const createModule = (baseUrl = process.env['API_URL'] ?? 'http://127.0.0.1:4100') =>
  OpenApiModule.forRoot({
    document: DOCUMENT,
    baseUrl,
    credentials: { token: { value: process.env['API_TOKEN'] ?? 'for this computer only' } },
    actions: {
      'notes.*': { openWorld: false },
      // What a model reads in place of the text of the document
      'notes.remove': { description: 'Remove a note for good' },
    },
  });

/** What the command `toolwright` serves, checks and calls. Each client gets the tools in the form that fits it. */
export default async () =>
  McpApplication.create(await createModule(), { name: 'starter', version: '0.1.0', surface: 'auto' });
