import { afterEach, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  Budget,
  createTool,
  McpApplication,
  Module,
  Prompt,
  Resource,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
} from 'toolwright';
import { loadClients } from '../../src/profiles/clients.ts';
import { envelope, headers2026, message2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { JSON_HEADERS } from '../support/raw-http.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

class Wide {
  @IsString() text!: string;
}

const LONG = 'a line of a text that is long enough\n'.repeat(100);

@ToolGroup('notes')
@Budget({ bytes: 2000 })
class Notes {
  @Action() text() {
    return LONG;
  }
  @Action({ output: Wide }) wide() {
    return { text: LONG };
  }
  @Resource('page://all', { description: 'All pages' }) all() {
    return LONG;
  }
  @Prompt('Ask for a review') review() {
    return LONG;
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

const running: McpApplication[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

async function open(surface?: ApplicationOptions['surface']): Promise<McpApplication> {
  const app = await McpApplication.create(NotesModule, {
    ...{ logger: new MemoryLogger(), auth: false as const },
    ...(surface === undefined ? {} : { surface }),
  });
  running.push(app);
  return app;
}

/** Asks as a client of this name; without one, requests say nothing of their client. */
function askAs(app: McpApplication, client: string, path = '') {
  return async (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    const meta = { ...envelope(), 'io.modelcontextprotocol/clientInfo': { name: client, version: '1.0.0' } };
    const name = params['name'] ?? params['uri'];
    const response = await app.fetch(
      new Request(`http://localhost/mcp${path}`, {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...headers2026(method, name as string | undefined) },
        body: JSON.stringify(message2026(method, { ...params, _meta: meta })),
      }),
    );
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (result === undefined) throw new Error(`${method} was refused: ${JSON.stringify(error)}`);
    return result;
  };
}

type Ask = ReturnType<typeof askAs>;

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function list(ask: Ask): Promise<readonly Listed[]> {
  return ((await ask('tools/list')) as { tools: readonly Listed[] }).tools;
}

async function call(ask: Ask, name: string, args: object = {}): Promise<CallToolResult> {
  return (await ask('tools/call', { name, arguments: args })) as CallToolResult;
}

const { clients } = await loadClients();
const KNOWN = Object.values(clients).flatMap(({ match: [name] = [], facts, choices }) => {
  const kind = JSON.stringify([choices?.surface, choices?.result, facts.resources?.value]);
  return name === undefined ? [] : [[kind, name.replace('*', 'x')] as const];
});
/** A name that nobody knows, and one of each known client, or of each kind of them. */
const NAMES = ['some-program', ...(IS_THOROUGH ? KNOWN.map(([, name]) => name) : new Map(KNOWN).values())];

const OPTIONS = [
  [undefined, ['']],
  ['flat', ['', '/grouped']],
  [{ asTools: true }, ['', '/flat']],
  ['auto', ['', '/flat', '/own']],
  [{ use: 'auto', asTools: 'auto' }, ['']],
  [{ use: 'auto', asTools: true }, ['', '/progressive']],
] as const;

describe.each(OPTIONS)('with the option %j', (surface, paths) => {
  test('each client that reads of read_result is listed it, and finds the rest of its text by it', async () => {
    const app = await open(surface);
    for (const path of paths) {
      for (const client of NAMES) {
        const ask = askAs(app, client, path);
        const names = (await list(ask)).map(({ name }) => name);
        const isListed = names.includes('read_result');
        const read = names.filter((name) => name === 'read_resource');
        const results = [
          await call(ask, 'notes_text'),
          await call(ask, 'notes_wide'),
          ...(await Promise.all(read.map((name) => call(ask, name, { uri: 'page://all' })))),
        ];
        const named = results.map(({ content }) => /read_result (\{.*?\})/.exec(JSON.stringify(content)));
        const where = `${client} at /mcp${path}`;
        for (const found of named) expect([where, found !== null && !isListed]).toEqual([where, false]);
        const isChosen = path !== '' || client === 'some-program';
        if (surface === 'auto' && isChosen) expect([where, isListed]).toEqual([where, false]);
        // A client that has the tool is shown how to use it
        expect([where, named[0] !== null]).toEqual([where, isListed]);
      }
    }
  });
});

test('a tool of the application keeps its name, and then no text speaks of the other one', async () => {
  const app = await open('auto');
  const ask = askAs(app, 'openai-mcp');
  expect(JSON.stringify(await call(ask, 'notes_text'))).toContain('read_result {');
  app.registry.register(
    createTool('read_result').action({ name: 'own', handler: () => 'its own', readOnly: true }),
  );
  const names = (await list(ask)).map(({ name }) => name);
  expect(names.filter((name) => name === 'read_result')).toEqual([]);
  expect(names).toContain('read_result_own');
  expect(JSON.stringify(await call(ask, 'notes_text'))).not.toContain('read_result {');
  expect(JSON.stringify(await call(ask, 'read_result', { action: 'own' }))).toContain('its own');
});
