import { afterEach, expect, test, describe, afterAll, beforeAll } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import {
  Action,
  Module,
  Policy,
  ToolGroup,
  type AuthOptions,
  type Caller,
  Field,
  McpApplication,
  Scopes,
} from 'toolwright';
import {
  createAppWithCallers,
  type AppWithCallers,
  testVerifier,
  tokenOf,
  type TestCaller,
} from '../../support/callers.ts';
import { post2026 } from '../../support/client-of-2026.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

class Changing {
  @IsString() id!: string;
}

const closing: AppWithCallers[] = [];
afterEach(async () => {
  for (const { app } of closing.splice(0)) await app.close();
});

async function toolsOf(app: AppWithCallers, caller: Parameters<AppWithCallers['ask']>[0]) {
  return (await app.result<{ tools: readonly object[] }>(caller, 'tools/list')).tools;
}

const asked: string[] = [];
let owner = 'ada';
class OwnsTask {
  readonly reason = 'You did not write this task';
  list({ sub }: Caller): boolean | Promise<boolean> {
    asked.push(`list ${String(sub)}`);
    if (sub === 'thrower') throw new Error('broken');
    if (sub === 'hanger') return new Promise(() => undefined);
    return Promise.resolve(sub !== 'stranger');
  }
  call({ sub, loaded }: Caller, input: Changing): boolean {
    asked.push(`call ${input.id} ${JSON.stringify(loaded)}`);
    return sub === owner;
  }
}
@ToolGroup('own')
@Policy(OwnsTask)
class Own {
  @Action() edit(input: Changing): string {
    return `edited ${input.id}`;
  }
}
@Module({ controllers: [Own], providers: [OwnsTask] })
class OwnModule {}

async function startedOwn(auth: Partial<AuthOptions> = {}) {
  const app = await createAppWithCallers(OwnModule, { policyTimeout: 50, ...auth });
  closing.push(app);
  asked.length = 0;
  owner = 'ada';
  return app;
}
const edit = { name: 'own', arguments: { action: 'edit', id: '1' } };

test('policies decide what is listed once for a while, and each call by its validated input', async () => {
  const app = await startedOwn({ load: ({ sub }) => ({ team: sub }) });
  expect(await toolsOf(app, { sub: 'ada' })).toHaveLength(1);
  expect(await app.result({ sub: 'ada' }, 'tools/call', edit)).not.toHaveProperty('isError');
  const wrong = { name: 'own', arguments: { action: 'edit', id: 1 } };
  expect(JSON.stringify(await app.result({ sub: 'ada' }, 'tools/call', wrong))).toContain(
    'VALIDATION_FAILED',
  );
  expect(asked).toEqual(['list ada', 'call 1 {"team":"ada"}']);
  const denied = JSON.stringify(await app.result({ sub: 'bob' }, 'tools/call', edit));
  expect(denied).toContain('FORBIDDEN');
  expect(denied).toContain('[own/edit] You did not write this task');
  expect(await toolsOf(app, { sub: 'stranger' })).toEqual([]);
});

test('policies deny by throwing and by taking too long, and the log has it', async () => {
  const app = await startedOwn();
  for (const sub of ['thrower', 'hanger']) {
    expect(await toolsOf(app, { sub })).toEqual([]);
    expect(JSON.stringify(await app.result({ sub }, 'tools/call', edit))).toContain('UNKNOWN_TOOL');
  }
  const events = app.logger.records.filter(({ event }) => event === 'policy.failed');
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(asked.filter((each) => each.startsWith('call'))).toEqual([]);
});

test('policies are asked again after notifyViews(), which reaches those who are concerned', async () => {
  const app = await startedOwn();
  await toolsOf(app, { sub: 'ada' });
  await toolsOf(app, { sub: 'bob' });
  app.app.notifyViews({
    issuer: 'https://issuer.example',
    clientId: 'program',
    sub: 'ada',
    tenant: undefined,
  });
  await toolsOf(app, { sub: 'ada' });
  await toolsOf(app, { sub: 'bob' });
  expect(asked).toEqual(['list ada', 'list bob', 'list ada']);
});

describe('policies that nobody has asked yet', () => {
  class Deployment {
    @IsString() @Field({ description: 'Where', header: 'Region' }) region!: string;
  }

  const SLOW = 300;
  /** Longer than a waiting client of a session is kept without a stream. */
  async function mayDeploy({ sub }: Caller): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, sub === 'slow' ? SLOW : 0));
    return sub !== 'bob';
  }

  @ToolGroup('deploy')
  class DeployTools {
    @Action() status(): string {
      return 'up';
    }
    @Action() @Policy({ list: mayDeploy }) start({ region }: Deployment): string {
      return `started in ${region}`;
    }
    @Action() @Policy({ list: mayDeploy }) @Scopes('deploy:stop') stop(): string {
      return 'stopped';
    }
  }
  @Module({ controllers: [DeployTools] })
  class DeployModule {}

  let app: McpApplication;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    app = await McpApplication.create(DeployModule, {
      auth: { verify: testVerifier, policyTtl: 0 },
      logger: new MemoryLogger(),
    });
    url = (await app.listen(0)).url;
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(() => app.close());

  function call(caller: TestCaller, action: string, headers: Readonly<Record<string, string>> = {}) {
    const params = { name: 'deploy', arguments: { action, region: 'eu' } };
    return post2026(url, 'tools/call', params, { authorization: `Bearer ${tokenOf(caller)}`, ...headers });
  }

  test('headers that repeat arguments are compared with what the caller sees, also where a policy has to be asked', async () => {
    const without = await call({ sub: 'ada' }, 'start');
    expect([without.status, without.body]).toEqual([400, expect.stringContaining('Mcp-Param-Region')]);
    expect((await call({ sub: 'ada' }, 'start', { 'mcp-param-region': 'us' })).status).toBe(400);
    const agreeing = await call({ sub: 'ada' }, 'start', { 'mcp-param-region': 'eu' });
    expect([agreeing.status, agreeing.body]).toEqual([200, expect.stringContaining('started in eu')]);
    // Who does not see the action gets the answer for an unknown one, with and without the header
    const hidden = await call({ sub: 'bob' }, 'start');
    expect([hidden.status, hidden.body]).toEqual([200, expect.stringContaining('UNKNOWN_ACTION')]);
    expect((await call({ sub: 'bob' }, 'start', { 'mcp-param-region': 'us' })).body).toBe(hidden.body);
  });

  test('a missing scope is 403 in a session, however long the policies take', async () => {
    const client = new Client({ name: 'tester', version: '1.0.0' });
    const answers: [number, string | null][] = [];
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${tokenOf({ sub: 'slow' })}` } },
        fetch: async (target, init) => {
          const response = await fetch(target, init);
          answers.push([response.status, response.headers.get('www-authenticate')]);
          return response;
        },
      }),
    );
    closing.push(() => client.close());
    const stopping = client.callTool({ name: 'deploy', arguments: { action: 'stop' } });
    await expect(stopping).rejects.toThrow();
    expect(answers).toContainEqual([403, expect.stringContaining('deploy:stop')]);
    const started = client.callTool({ name: 'deploy', arguments: { action: 'start', region: 'eu' } });
    expect(JSON.stringify(await started)).toContain('started in eu');
  });
});
