import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  Action,
  createTool,
  Destructive,
  Idempotent,
  InMemoryStore,
  McpApplication,
  Module,
  Sensitive,
  ToolContext,
  ToolGroup,
  type AuthInfo,
  type CallToolResult,
  type Store,
} from 'toolwright';
import { authInfoOf } from '../support/callers.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { codeOf, errorFacts, replayOf } from '../support/payments.ts';

const SECRET = 'hunter2-hunter2';

class Owner {
  @IsString() name!: string;
  @IsString() @Sensitive() pin!: string;
}
class Common {
  @IsOptional() @IsString() @Sensitive() token?: string;
}
class Item {
  @IsInt() id!: number;
  @IsOptional() @IsInt() copies = 1;
  @IsOptional() @IsString() @Sensitive() password?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Owner) owners?: Owner[];
}
class Sure {
  @IsInt() count!: number;
}

const ran: string[] = [];

@ToolGroup({ name: 'items', common: Common })
class Items {
  @Action('Delete') @Destructive({ confirm: 'twice' }) delete(input: Item): string {
    ran.push(`delete ${String(input.id)}`);
    return Object.isFrozen(input) && !('confirmation' in input) ? 'deleted' : 'changed';
  }
  @Action('Purge') @Destructive({ confirm: 'twice' }) purge({ id }: Item): string {
    ran.push(`purge ${String(id)}`);
    return 'purged';
  }
  @Action('Ask') @Destructive({ confirm: 'twice' }) async ask(
    _input: Item,
    ctx: ToolContext,
  ): Promise<string> {
    const answer = await ctx.ask(Sure, 'How many?');
    ran.push('ask');
    return answer.action;
  }
  @Action('Once') @Destructive({ confirm: 'twice' }) @Idempotent({ key: 'arguments' }) once(
    _i: Item,
  ): string {
    ran.push('once');
    return 'once';
  }
  @Action('Signed') @Destructive({ confirm: true }) signed(_input: Item): string {
    return 'signed';
  }
  @Action('List') list(): string {
    return 'listed';
  }
}
@Module({ controllers: [Items] })
class ItemsModule {}

const acknowledgedBy = ({ _meta: meta }: CallToolResult): unknown => meta?.['toolwright/consent'];

function confirmationIn(result: CallToolResult): string {
  expect(codeOf(result)).toBe('CONSENT_REQUIRED');
  const { confirmation } = errorFacts(result)?.['details'] as { readonly confirmation: string };
  // A model reads the text
  expect(JSON.stringify(result.content)).toContain(confirmation);
  return confirmation;
}

beforeEach(() => {
  ran.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(CONNECTIONS)('over $name', (kind) => {
  let app: ConnectedApplication;
  beforeAll(async () => {
    app = await createConnectedApplication(kind, ItemsModule, { auth: false, logger: new MemoryLogger() });
    await app.connect({ onElicitation: () => ({ action: 'accept', content: { count: 2 } }) });
  });
  afterAll(() => app.close());
  const call = async (args: object): Promise<CallToolResult> =>
    (await (await app.client()).callTool({ name: 'items', arguments: { ...args } })) as CallToolResult;

  test('the first call shows what the second one does', async () => {
    const first = await call({ action: 'delete', id: 1 });
    expect(errorFacts(first)?.['message']).toContain('Allow "delete" of "items" (Delete)?');
    expect(errorFacts(first)?.['message']).toContain('\ncopies: 1\nid: 1');
    expect(ran).toEqual([]);
    // The same arguments in another order, with the default written out
    const again = { confirmation: confirmationIn(first), copies: 1, id: 1, action: 'delete' };
    const second = await call(again);
    expect(second.content).toEqual([{ type: 'text', text: 'deleted' }]);
    expect(acknowledgedBy(second)).toEqual({ acknowledged: 'twice' });
    expect(codeOf(await call(again))).toBe('OUTCOME_UNKNOWN');
    expect(ran).toEqual(['delete 1']);
  });

  test('what the handler asks afterwards needs no new confirmation', async () => {
    const confirmation = confirmationIn(await call({ action: 'ask', id: 1 }));
    const result = await call({ action: 'ask', id: 1, confirmation });
    if (!kind.canBeAsked) return expect(codeOf(result)).toBe('CLIENT_CAPABILITY_MISSING');
    expect(result.content).toEqual([{ type: 'text', text: 'accept' }]);
    expect(ran).toEqual(['ask']);
  });

  test('the argument is listed once, for every client', async () => {
    const { tools } = await (await app.client()).listTools();
    expect(tools[0]?.inputSchema.required).toEqual(['action']);
    expect(tools[0]?.inputSchema.properties?.['confirmation']).toEqual({
      type: 'string',
      maxLength: 1024,
      description:
        'Confirms the call: the text that the same call got without it. For: delete, purge, ask, once',
    });
  });
});

describe('a confirmation', () => {
  let app: McpApplication;
  let store: Store;
  const [ada, bob] = ['ada', 'bob'].map((sub) => authInfoOf({ sub })) as [AuthInfo, AuthInfo];
  const settings = { auth: false, secrets: ['x'.repeat(32)], logger: new MemoryLogger() } as const;
  const call = (args: object, authInfo = ada, on = app): Promise<CallToolResult> =>
    on.call('items', { action: 'delete', ...args }, { authInfo });
  const confirmed = async (args: object): Promise<string> => confirmationIn(await call(args));
  beforeAll(async () => {
    store = new InMemoryStore();
    app = await McpApplication.create(ItemsModule, { ...settings, backplane: { store } });
  });
  afterAll(() => app.close());

  test('is for these arguments, this action and this caller only, within five minutes', async () => {
    const confirmation = await confirmed({ id: 1 });
    confirmationIn(await call({ id: 2, confirmation }));
    confirmationIn(await call({ id: 1, copies: 2, confirmation }));
    confirmationIn(await call({ id: 1, action: 'purge', confirmation }));
    confirmationIn(await call({ id: 1, confirmation }, bob));
    confirmationIn(await call({ id: 1, confirmation }, authInfoOf({ sub: 'ada', clientId: 'another' })));
    for (const wrong of [`${confirmation}A`, confirmation.slice(1), 'yes', '']) {
      confirmationIn(await call({ id: 1, confirmation: wrong }));
    }
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 5 * 60_000);
    confirmationIn(await call({ id: 1, confirmation }));
    expect(ran).toEqual([]);
    clock.mockReturnValue(now);
    expect((await call({ id: 1, confirmation })).isError).toBeUndefined();
    expect(ran).toEqual(['delete 1']);
  });

  test('that does not fit is answered with one that does', async () => {
    const other = await confirmed({ id: 2 });
    const result = await call({ id: 1, confirmation: other });
    expect(errorFacts(result)?.['message']).toContain('for another call');
    expect((await call({ id: 1, confirmation: confirmationIn(result) })).isError).toBeUndefined();
  });

  test('lets one of two calls run that come at once, on any instance', async () => {
    const further = await McpApplication.create(ItemsModule, { ...settings, backplane: { store } });
    const confirmation = await confirmed({ id: 1 });
    const results = await Promise.all([app, further].map((on) => call({ id: 1, confirmation }, ada, on)));
    await further.close();
    expect(results.map((result) => codeOf(result)).sort()).toEqual(['OUTCOME_UNKNOWN', undefined]);
    expect(ran).toEqual(['delete 1']);
  });

  test('is not asked for where a stored result ends the call', async () => {
    const confirmation = await confirmed({ id: 1, action: 'once' });
    await call({ id: 1, action: 'once', confirmation });
    expect(replayOf(await call({ id: 1, action: 'once' }))).toMatchObject({ replayed: true });
    expect(ran).toEqual(['once']);
  });

  test('is refused while the store is down, and counts afterwards', async () => {
    const confirmation = await confirmed({ id: 1 });
    const put = jest.spyOn(store, 'put').mockRejectedValue(new Error('down'));
    expect(codeOf(await call({ id: 1, confirmation }))).toBe('TRY_AGAIN_LATER');
    expect(ran).toEqual([]);
    put.mockRestore();
    expect((await call({ id: 1, confirmation })).isError).toBeUndefined();
  });

  test('is not needed where the code agrees', async () => {
    const args = { action: 'delete', id: 1 };
    const replaying = await McpApplication.create(ItemsModule, { ...settings, replay: true });
    for (const each of [app, replaying]) {
      const result = await each.call('items', args, { consent: 'granted' });
      expect(acknowledgedBy(result)).toEqual({ acknowledged: 'policy' });
    }
    await replaying.close();
  });

  test('that is not a text, or too long for one, is wrong input', async () => {
    for (const confirmation of [7, {}, 'x'.repeat(1025)]) {
      expect(codeOf(await call({ id: 1, confirmation }))).toBe('VALIDATION_FAILED');
    }
    expect(codeOf(await call({ action: 'list', confirmation: 'x' }))).toBe('VALIDATION_FAILED');
  });

  test('is needed of flat tools and of builders alike', async () => {
    const flat = await McpApplication.create(ItemsModule, { ...settings, expose: 'flat' });
    const confirmation = confirmationIn(await flat.call('items_delete', { id: 1 }));
    expect((await flat.call('items_delete', { id: 1, confirmation })).isError).toBeUndefined();
    const listed = flat.definitions.filter(({ inputSchema }) => inputSchema.properties?.['confirmation']);
    expect(listed.map(({ name }) => name)).toEqual([
      'items_delete',
      'items_purge',
      'items_ask',
      'items_once',
    ]);
    await flat.close();
    const built = createTool('built')
      .description('Built')
      .action({ name: 'delete', destructive: { confirm: 'twice' }, handler: () => 'deleted' });
    const first = confirmationIn(await built.execute({ action: 'delete' }));
    const second = await built.execute({ action: 'delete', confirmation: first });
    expect(second.content).toEqual([{ type: 'text', text: 'deleted' }]);
  });
});

describe('what is sensitive', () => {
  const args = {
    ...{ id: 1, password: SECRET, token: SECRET },
    owners: [{ name: 'Ada', pin: SECRET }],
  };

  test.each(['delete', 'signed'])('is not shown before %s', async (action) => {
    const app = await McpApplication.create(ItemsModule, { auth: false, logger: new MemoryLogger() });
    let shown = '';
    const result = await app.call(
      'items',
      { action, ...args },
      {
        client: { capabilities: { elicitation: {} } },
        onRequest: (_method, { message }) => {
          shown = String(message);
          return { action: 'decline' };
        },
      },
    );
    shown += String(errorFacts(result)?.['message']);
    expect(shown).toContain(
      'copies: 1\nid: 1\nowners.0.name: "Ada"\nowners.0.pin: [redacted]\npassword: [redacted]\ntoken: [redacted]',
    );
    expect(JSON.stringify([shown, result])).not.toContain('hunter2');
    await app.close();
  });
});
