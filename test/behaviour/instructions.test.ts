import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Action,
  createTool,
  McpApplication,
  Module,
  Policy,
  Roles,
  ToolGroup,
  type ApplicationOptions,
  type Caller,
} from 'toolwright';
import { createAppWithCallers, tokenOf, type AppWithCallers, type TestCaller } from '../support/callers.ts';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';

@ToolGroup({ name: 'crm', description: 'Customers of\n the company.' })
class Crm {}
@ToolGroup({ name: 'customers', parent: Crm })
class Customers {
  @Action('Find customers') find(): void {}
  @Action() @Roles('admin') remove(): void {}
}
@ToolGroup({ name: 'contacts', parent: Crm })
class Contacts {
  @Action() add(): void {}
  @Action() list(): void {}
}
@ToolGroup({ name: 'logs', expose: 'flat' })
class Logs {
  @Action() read(): void {}
  @Action() write(): void {}
}
class IsKnown {
  readonly reason = 'You are not known';
  list({ sub }: Caller): Promise<boolean> {
    if (sub === 'thrower') throw new Error('broken');
    return Promise.resolve(sub !== 'stranger');
  }
  call(): boolean {
    return true;
  }
}
@ToolGroup('vault')
@Policy(IsKnown)
class Vault {
  @Action() open(): void {}
}
@Module({ controllers: [Crm, Customers, Contacts, Logs] })
class OpenModule {}
@Module({ controllers: [Crm, Customers, Contacts, Vault], providers: [IsKnown] })
class GuardedModule {}
@Module({ controllers: [Vault], providers: [IsKnown] })
class OneToolModule {}
@Module({ controllers: [Crm, Customers, Contacts] })
class CrmModule {}

const OPEN = { auth: false } as const;
const SUMMARY = [
  'HTTP server logs.',
  'crm: Customers of the company (customers: find; contacts: add, list)',
  'logs (read, write)',
].join('\n');

test.each(CONNECTIONS)('$name: sums up the tools where the author wrote nothing', async (kind) => {
  const app = await createConnectedApplication(kind, OpenModule, { name: 'HTTPServer_logs', ...OPEN });
  try {
    const client = await app.client();
    expect(client.getInstructions()).toBe(kind.isAttached ? undefined : SUMMARY);
  } finally {
    await app.close();
  }
});

test.each(CONNECTIONS)('$name: sends the words of the author, or nothing', async (kind) => {
  for (const instructions of ['Ask  first.\n', false] as const) {
    const app = await createConnectedApplication(kind, OpenModule, { instructions, ...OPEN });
    const said = (await app.client()).getInstructions();
    await app.close();
    expect(said).toBe(kind.isAttached || instructions === false ? undefined : instructions);
  }
});

const closing: AppWithCallers[] = [];
afterEach(async () => {
  for (const { app } of closing.splice(0)) await app.close();
});

async function started(options: ApplicationOptions = {}, module = GuardedModule): Promise<AppWithCallers> {
  const made = await createAppWithCallers(module, {}, { title: 'Desk', ...options });
  closing.push(made);
  return made;
}

interface Discovered {
  readonly instructions?: string;
  readonly cacheScope: string;
}

const discover = (app: AppWithCallers, caller: TestCaller): Promise<Discovered> =>
  app.result(caller, 'server/discover');

const ADMIN = { sub: 'ada', roles: ['admin'] };
const USER = { sub: 'user' };
const STRANGER = { sub: 'stranger', roles: ['admin'] };
const FOR_ADMIN =
  'Desk.\ncrm: Customers of the company (customers: find, remove; contacts: add, list)\nvault (open)';
const FOR_USER = 'Desk.\ncrm: Customers of the company (customers: find; contacts: add, list)\nvault (open)';

describe('each caller reads of what it sees', () => {
  test('in 2026-07-28, where the answer may not be shared', async () => {
    const app = await started();
    expect(await discover(app, ADMIN)).toMatchObject({ instructions: FOR_ADMIN, cacheScope: 'private' });
    expect(await discover(app, USER)).toMatchObject({ instructions: FOR_USER, cacheScope: 'private' });
    expect(await discover(app, ADMIN)).toMatchObject({ instructions: FOR_ADMIN });
  });

  test.each([true, false])('in 2025, with sessions: %s', async (sessions) => {
    const { app } = await started();
    const { url, close } = await app.listen({ port: 0, sessions });
    const readAs = async (caller: TestCaller): Promise<string | undefined> => {
      const client = new Client({ name: 'reader', version: '1.0.0' });
      const headers = { authorization: `Bearer ${tokenOf(caller)}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      const said = client.getInstructions();
      await client.close();
      return said;
    };
    expect([await readAs(ADMIN), await readAs(USER), await readAs(STRANGER)]).toEqual([
      FOR_ADMIN,
      FOR_USER,
      undefined,
    ]);
    await close();
  });

  test('nothing of one tool alone, whether others are hidden or not', async () => {
    expect(await discover(await started(), STRANGER)).not.toHaveProperty('instructions');
    expect(await discover(await started({}, OneToolModule), ADMIN)).not.toHaveProperty('instructions');
  });

  test('nothing where a policy fails: the server answers nevertheless', async () => {
    expect(await discover(await started(), { sub: 'thrower' })).not.toHaveProperty('instructions');
  });
});

test('says what is registered and removed at run time', async () => {
  const app = await started();
  app.app.registry.register(createTool('late').action({ name: 'go', handler: () => 'gone' }));
  expect((await discover(app, ADMIN)).instructions).toBe(`${FOR_ADMIN}\nlate (go)`);
  app.app.registry.unregister('late');
  expect((await discover(app, ADMIN)).instructions).toBe(FOR_ADMIN);
});

test('an application that takes the place of another one says that its summary differs', async () => {
  const first = await McpApplication.create(OpenModule, { name: 'one', ...OPEN });
  const next = await McpApplication.create(CrmModule, { name: 'one', ...OPEN });
  expect(first.replaceWith(next).unannounced).toEqual(['instructions']);
  await next.close();
  await first.close();
});
