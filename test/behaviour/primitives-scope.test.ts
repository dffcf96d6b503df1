import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  createContextKey,
  createDecorator,
  Inject,
  Injectable,
  Middleware,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { refusalFrom, type FeatureClient } from '../support/connections/feature-client.ts';
import { refusedSubscription } from '../support/connections/refused-subscription.ts';
import { MemoryLogger } from '../support/fake-application.ts';

const Audit = createDecorator<string>('Audit');
const USER = createContextKey<string>('user');
const trace: string[] = [];
const disposed: string[] = [];

class Note {
  @IsString() id!: string;
}

@Injectable({ scope: 'request' })
class Session {
  constructor(private readonly ctx: ToolContext) {}
  get caller(): string {
    return String(this.ctx.meta['caller']);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    disposed.push(this.caller);
  }
}

@Injectable({ scope: 'request' })
class Authenticate {
  constructor(private readonly session: Session) {}

  async use(call: MiddlewareCall, next: Next): Promise<unknown> {
    if (this.session.caller === 'stranger') throw new Error('Who are you?');
    call.context.set(USER, `user ${this.session.caller}`);
    return next();
  }
}

async function traced(call: MiddlewareCall, next: Next): Promise<unknown> {
  const { kind, name, tool, action, input } = call;
  trace.push([kind, name, tool, action, call.metadata(Audit), JSON.stringify(input)].join(' '));
  const value = await next();
  return typeof value === 'string' ? value.toUpperCase() : value;
}

@Injectable({ scope: 'request' })
@ToolGroup({ name: 'notes', tags: ['notes'] })
@Middleware(Authenticate)
@Audit('class')
class NotesController {
  constructor(private readonly session: Session) {}

  @Action({ name: 'one', tags: ['read'] })
  @Audit('method')
  action({ id }: Note, @Inject('PREFIX') prefix: string, ctx: ToolContext): string {
    return this.#answer(prefix, id, ctx);
  }

  @Prompt({ name: 'one', tags: ['read'] })
  @Audit('method')
  prompt({ id }: Note, @Inject('PREFIX') prefix: string, ctx: ToolContext): string {
    return this.#answer(prefix, id, ctx);
  }

  @Resource('notes://{id}', { name: 'one', tags: ['read'] })
  @Audit('method')
  resource({ id }: Note, @Inject('PREFIX') prefix: string, ctx: ToolContext): string {
    return this.#answer(prefix, id, ctx);
  }

  @Action({ name: 'admin', tags: ['admin'] }) adminAction(): string { return 'admin'; } // oxfmt-ignore
  @Prompt({ name: 'admin', tags: ['admin'] }) adminPrompt(): string { return 'admin'; } // oxfmt-ignore
  @Resource('admin://all', { name: 'admin', tags: ['admin'] }) adminResource(): string { return 'admin'; } // oxfmt-ignore

  #answer(prefix: string, id: string, ctx: ToolContext): string {
    if (id === 'broken') throw Object.assign(new Error('secret path /etc'), { code: 'ENOENT' });
    return `${prefix} ${id} for ${this.session.caller} (${String(ctx.get(USER))})`;
  }
}

@Module({
  controllers: [NotesController],
  providers: [Session, Authenticate, { provide: 'PREFIX', useValue: 'note' }],
})
class NotesModule {}

/** One of each kind, asked in the same words. */
const KINDS = {
  action: async (client: FeatureClient, id: string, caller: string): Promise<string> => {
    const args = { action: 'one', id };
    const result = await client.callTool({ name: 'notes', arguments: args, _meta: { caller } });
    return (result.content as { text: string }[])[0]?.text ?? '';
  },
  prompt: async (client: FeatureClient, id: string, caller: string): Promise<string> => {
    const { messages } = await client.getPrompt({ name: 'one', arguments: { id }, _meta: { caller } });
    return (messages as { content: { text: string } }[])[0]?.content.text ?? '';
  },
  resource: async (client: FeatureClient, id: string, caller: string): Promise<string> => {
    const { contents } = await client.readResource({ uri: `notes://${id}`, _meta: { caller } });
    return (contents as { text: string }[])[0]?.text ?? '';
  },
};
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

/** What a failure says first, in an error result or as an error. */
async function messageOf(answer: Promise<string>): Promise<string> {
  const text = await answer.catch(async () => (await refusalFrom(() => answer)).message);
  return text.replace(/\n[^]*$/, '');
}

beforeEach(() => {
  trace.length = 0;
  disposed.length = 0;
});

describe.each(CONNECTIONS)('$name', (connection) => {
  describe.each(NAMES)('a %s', (kind) => {
    let app: ConnectedApplication;
    let client: FeatureClient;
    const logger = new MemoryLogger();

    beforeAll(async () => {
      app = await createConnectedApplication(connection, NotesModule, { middleware: [traced], logger });
      client = await app.client();
    });
    afterAll(() => app.close());

    test('gets its input, its dependencies, what middleware found, and is changed by middleware', async () => {
      expect(await KINDS[kind](client, 'a', 'ann')).toBe('NOTE A FOR ANN (USER ANN)');
      const call = kind === 'action' ? 'action one notes one' : `${kind} one  `;
      expect(trace).toEqual([`${call} method {"id":"a"}`]);
    });

    test('has a scope of its own, which is disposed once, after a failure too', async () => {
      const callers = ['ann', 'bob', 'cy'];
      const answers = await Promise.all(callers.map((caller) => KINDS[kind](client, 'a', caller)));
      expect(answers).toEqual(
        callers.map((name) => `NOTE A FOR ${name.toUpperCase()} (USER ${name.toUpperCase()})`),
      );
      expect(await messageOf(KINDS[kind](client, 'broken', 'dan'))).toContain('secret path');
      expect(disposed.sort()).toEqual(['ann', 'bob', 'cy', 'dan']);
    });

    test('is not run when middleware refuses', async () => {
      expect(await messageOf(KINDS[kind](client, 'a', 'stranger'))).toMatch(/^\[[^\]]*one\] Who are you\?$/);
      expect(disposed).toEqual(['stranger']);
    });

    test('fails with the message alone, and the log has the error', async () => {
      logger.records.length = 0;
      expect(await messageOf(KINDS[kind](client, 'broken', 'ann'))).toMatch(
        /^\[[^\]]*one\] secret path \/etc$/,
      );
      expect(logger.records).toMatchObject([
        { level: 'error', event: 'call.failed', error: { code: 'ENOENT' } },
      ]);
    });
  });

  describe('with maskErrors', () => {
    test.each(NAMES)('a %s that fails gives a reference, under which the log has the error', async (kind) => {
      const logger = new MemoryLogger();
      const app = await createConnectedApplication(connection, NotesModule, { maskErrors: true, logger });
      const message = await messageOf(KINDS[kind](await app.client(), 'broken', 'ann'));
      const [, reference] = /^\[[^\]]*one\] The \w+ failed\. Reference: ([\w-]+)$/.exec(message) ?? [];
      expect(reference).toBeDefined();
      expect(logger.records).toMatchObject([{ reference, error: { message: 'secret path /etc' } }]);
      await app.close();
    });
  });

  describe('a filter by tags', () => {
    let app: ConnectedApplication;

    afterEach(() => app.close());

    async function serve(filter: object): Promise<FeatureClient> {
      app = await createConnectedApplication(connection, NotesModule, {
        ...filter,
        logger: new MemoryLogger(),
      });
      return app.client();
    }

    async function names(client: FeatureClient) {
      const [tool] = (await client.listTools()).tools;
      const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
      const { resources } = await client.listResources();
      const { resourceTemplates } = await client.listResourceTemplates();
      const action: { readonly enum?: unknown } | undefined = tool?.inputSchema.properties?.['action'];
      return {
        actions: action?.enum,
        prompts,
        resources: [...resources, ...resourceTemplates].map(({ name }) => name),
      };
    }

    test.each([
      ['exclude', { exclude: ['admin'] }, ['one']],
      ['anyTag', { anyTag: ['admin', 'other'] }, ['admin']],
      ['tags, those of the class among them', { tags: ['notes', 'read'] }, ['one']],
    ])('%s hides from all lists alike', async (_name, filter, left) => {
      expect(await names(await serve(filter))).toEqual({ actions: left, prompts: left, resources: left });
    });

    test('hides from calls: what is hidden answers like what does not exist', async () => {
      const client = await serve({ exclude: ['admin'] });
      const prompts = ['admin', 'absent'].map((name) => client.refusal('prompts/get', { name }));
      const uris = ['admin://all', 'admin://not'].map((uri) => client.refusal('resources/read', { uri }));
      expect(await Promise.all(prompts)).toEqual(
        ['admin', 'absent'].map((name) => ({
          code: -32602,
          message: `Unknown prompt "${name}". Available: one`,
          data: { available: ['one'] },
        })),
      );
      expect(await Promise.all(uris)).toEqual(
        ['admin://all', 'admin://not'].map((uri) => ({
          code: -32602,
          message: `Resource not found: ${uri}`,
          data: { uri },
        })),
      );
      const uri = 'admin://all';
      expect(await client.refusal('resources/subscribe', { uri })).toEqual(
        refusedSubscription(connection, uri),
      );
    });
  });
});
