import { afterEach, describe, expect, test } from '@jest/globals';
import { IsBoolean } from 'class-validator';
import {
  Action,
  McpApplication,
  Middleware,
  Module,
  Resource,
  ToolContext,
  ToolError,
  ToolGroup,
  type MiddlewareFunction,
} from 'toolwright';
import { createTestApplication, FakeToolContext, type TestApplication } from 'toolwright/testing';
import { factsOf, textOf } from '../support/text-of.ts';

const adminsOnly: MiddlewareFunction = ({ context }, next) => {
  const roles = context.authInfo?.extra?.['roles'];
  if (!Array.isArray(roles) || !roles.includes('admin')) throw new ToolError('FORBIDDEN', 'Admins only');
  return next();
};

class Sure {
  @IsBoolean() isSure!: boolean;
}

@ToolGroup('vault')
class VaultTools {
  @Action() @Middleware(adminsOnly) open(ctx: ToolContext): string {
    return `${ctx.authInfo?.clientId ?? 'nobody'} of ${ctx.header('X-Tenant') ?? 'no tenant'}`;
  }
  @Action() async empty(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Sure, 'Empty it?');
    return `${answer.action} by ${ctx.authInfo?.clientId ?? 'nobody'}`;
  }
  @Resource('vault://door') @Middleware(adminsOnly) door(ctx: ToolContext): string {
    return `shown to ${ctx.authInfo?.clientId ?? 'nobody'}`;
  }
}

@Module({ controllers: [VaultTools] })
class VaultModule {}

let vault: TestApplication | undefined;
afterEach(() => vault?.close());

const ADMIN = { token: 'test', clientId: 'editor', scopes: [], extra: { roles: ['admin'] } };

describe('a client of the test kit', () => {
  const call = async (client: Awaited<ReturnType<TestApplication['client']>>, action: string) =>
    (await client.callTool({ name: 'vault', arguments: { action } })) as {
      readonly content: unknown;
      readonly _meta?: unknown;
    };

  test('is signed in as the test says, for tools and resources', async () => {
    vault = await createTestApplication(VaultModule);
    const client = await vault.connect({ authInfo: ADMIN });
    expect(textOf(await call(client, 'open'))).toBe('editor of no tenant');
    const { contents } = await client.readResource({ uri: 'vault://door' });
    expect(contents).toMatchObject([{ text: 'shown to editor' }]);
    await client.close();
  });

  test('has headers, whatever the case of their letters, and stays who it is when it is asked', async () => {
    vault = await createTestApplication(VaultModule, { replay: false });
    const client = await vault.connect({
      authInfo: ADMIN,
      headers: { 'X-TENANT': 'acme' },
      onElicitation: () => ({ action: 'decline' }),
    });
    expect(textOf(await call(client, 'open'))).toBe('editor of acme');
    expect(textOf(await call(client, 'empty'))).toBe('decline by editor');
    await client.close();
  });

  test('is not signed in unless the test says otherwise, beside others that are', async () => {
    vault = await createTestApplication(VaultModule);
    const admin = await vault.connect({ authInfo: ADMIN });
    const nobody = await vault.client();
    expect(factsOf(await call(nobody, 'open'))).toMatchObject({ code: 'FORBIDDEN' });
    await expect(nobody.readResource({ uri: 'vault://door' })).rejects.toMatchObject({
      data: { code: 'FORBIDDEN' },
    });
    expect(textOf(await call(admin, 'open'))).toBe('editor of no tenant');
    await admin.close();
  });

  test('can be played in a call from the process', async () => {
    vault = await createTestApplication(VaultModule);
    const result = await vault.call(
      'vault',
      { action: 'empty' },
      { client: { capabilities: { elicitation: {} } }, onRequest: () => ({ action: 'decline' }) },
    );
    expect(textOf(result)).toBe('decline by nobody');
  });
});

describe('the option replay', () => {
  let runs = 0;

  @ToolGroup('dialog')
  class DialogTools {
    @Action() async ask(ctx: ToolContext): Promise<string> {
      runs += 1;
      return (await ctx.ask(Sure, 'Go on?')).action;
    }
  }

  @Module({ controllers: [DialogTools] })
  class DialogModule {}

  const runsOf = async (app: McpApplication): Promise<number> => {
    runs = 0;
    const answers = {
      client: { capabilities: { elicitation: {} } },
      onRequest: () => ({ action: 'decline' }),
    };
    expect(textOf(await app.call('dialog', { action: 'ask' }, answers))).toBe('decline');
    await app.close();
    return runs;
  };

  test('runs a handler again after an answer, unless it is off', async () => {
    expect(await runsOf((await createTestApplication(DialogModule)).app)).toBe(2);
    expect(await runsOf((await createTestApplication(DialogModule, { replay: false })).app)).toBe(1);
  });

  test('works in McpApplication.create as well, where it is off by default', async () => {
    expect(await runsOf(await McpApplication.create(DialogModule, { replay: true }))).toBe(2);
    expect(await runsOf(await McpApplication.create(DialogModule))).toBe(1);
  });
});

describe('options of the test kit', () => {
  test.each([
    [{ onElicitaton: () => ({}) }, 'onElicitation'],
    [{ authInfo: { clientId: 'editor' } }, 'authInfo'],
    [{ headers: { 'x-tenant': 7 } }, 'headers'],
    [{ roots: {} }, 'roots'],
  ])('refuses %o for a client', async (options, named) => {
    vault = await createTestApplication(VaultModule);
    const refused = expect.objectContaining({
      code: 'TW_TESTING_OPTION',
      message: expect.stringContaining(named),
    });
    await expect(vault.connect(options as never)).rejects.toEqual(refused);
  });

  test.each([
    [{ answer: [] }, 'answers'],
    [{ answers: () => ({ action: 'accept' }) }, 'answers'],
    [{ authInfo: 'editor' }, 'authInfo'],
  ])('refuses %o for a context', (options, named) => {
    expect(() => new FakeToolContext(options as never)).toThrow(named);
  });

  test('keeps a token out of the message', () => {
    const build = (): unknown => new FakeToolContext({ authInfo: { token: 'secret-token' } as never });
    expect(build).toThrow('TW_TESTING_OPTION');
    expect(build).not.toThrow('secret-token');
  });
});
