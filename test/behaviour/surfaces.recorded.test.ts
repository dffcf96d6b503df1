import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Action, Destructive, McpApplication, Module, ReadOnly, ToolContext, ToolGroup } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import { JSON_HEADERS, send } from '../support/raw-http.ts';

/** What a client sent first. The source has its name and revision; capabilities are left out. */
interface Recorded {
  readonly client: string;
  readonly source: string;
  readonly date: string;
  readonly params: { readonly protocolVersion: string; readonly clientInfo: { readonly name: string } };
}

const RECORDED = readFileSync(new URL('../clients/recorded/initialize.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

@ToolGroup({ name: 'notes' })
class Notes {
  @Action('Find notes') @ReadOnly() find(ctx: ToolContext): string {
    return ctx.surface;
  }
  @Action('Remove all') @Destructive() clear(): string {
    return 'cleared';
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

/** For each surface: its tools, and a call of the action that only reads. */
const SURFACES = {
  own: [['notes'], { name: 'notes', arguments: { action: 'find' } }],
  grouped: [['notes'], { name: 'notes', arguments: { action: 'find' } }],
  'grouped-by-risk': [
    ['notes_read', 'notes_destructive'],
    { name: 'notes_read', arguments: { action: 'find' } },
  ],
  flat: [['notes_find', 'notes_clear'], { name: 'notes_find', arguments: {} }],
} as const;
type SurfaceName = keyof typeof SURFACES;

const CHOSEN: Readonly<Record<string, SurfaceName>> = { generic: 'own', n8n: 'own', chatgpt: 'flat' };

let app: McpApplication;
let url: string;
beforeAll(async () => {
  app = await McpApplication.create(NotesModule, { logger: new MemoryLogger(), surface: 'auto' });
  url = (await app.listen({ port: 0 })).url;
});
afterAll(() => app.close());

/** Replays the start of a session, and asks for the list and a call in it. */
async function replay(at: string, { params }: Recorded) {
  const post = async (method: string, content: object, headers: Record<string, string> = {}) =>
    send(at, {
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', method, params: content },
        ...(method.startsWith('notifications/') ? {} : { id: 1 }),
      }),
    });
  const started = await post('initialize', params);
  expect(started.status).toBe(200);
  const session = {
    'mcp-session-id': String(started.headers['mcp-session-id']),
    'mcp-protocol-version': params.protocolVersion,
  };
  await post('notifications/initialized', {}, session);
  return (method: string, content: object) => post(method, content, session);
}

describe.each(RECORDED.map((recorded) => [recorded.params.clientInfo.name, recorded] as const))(
  'what %s sent',
  (_name, recorded) => {
    test.each(['fitting', ...(Object.keys(SURFACES) as SurfaceName[])] as const)(
      'is answered on the surface: %s',
      async (chosen) => {
        const isFitting = chosen === 'fitting';
        const surface = isFitting ? (CHOSEN[recorded.client] ?? 'grouped-by-risk') : chosen;
        const [names, call] = SURFACES[surface];
        const ask = await replay(isFitting ? url : `${url}/${chosen}`, recorded);
        const { body } = await ask('tools/list', {});
        expect([...body.matchAll(/"name":"(notes[a-z_]*)"/g)].map(([, name]) => name)).toEqual(names);
        expect((await ask('tools/call', call)).body).toContain(`"text":"${surface}"`);
      },
    );
  },
);

test('each has its source and its date', () => {
  expect(RECORDED.length).toBeGreaterThan(8);
  for (const { source, date } of RECORDED) {
    expect(new URL(source).protocol).toBe('https:');
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
});
