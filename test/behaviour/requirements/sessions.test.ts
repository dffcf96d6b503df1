import { afterEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsBoolean } from 'class-validator';
import { Action, McpApplication, Module, Roles, Scopes, ToolContext, ToolGroup } from 'toolwright';
import { eventually } from '../../support/eventually.ts';
import { authInfoOf, testVerifier, tokenOf, type TestCaller } from '../../support/callers.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { post2026 } from '../../support/client-of-2026.ts';

class Agreed {
  @IsBoolean() agreed!: boolean;
}

const ran: string[] = [];

@ToolGroup('tasks')
class Tasks {
  @Action() list(): string {
    return 'all';
  }
  @Action() @Roles('admin') purge(): string {
    return 'purged';
  }
  @Action() @Scopes('tasks:write') edit(): string {
    return 'edited';
  }
  @Action() @Scopes('tasks:ask') async ask(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Agreed, 'Really?');
    ran.push(answer.action);
    return answer.action;
  }
}
@Module({ controllers: [Tasks] })
class AppModule {}

/** What the identity provider says of people now. */
const roles = new Map<string, readonly string[]>();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  roles.clear();
  ran.length = 0;
  for (const close of closing.splice(0).reverse()) await close();
});

async function started() {
  const verify = {
    ...testVerifier,
    verify: (token: string) => {
      const { sub = '', ...caller } = JSON.parse(Buffer.from(token, 'base64url').toString()) as TestCaller;
      return authInfoOf({ ...caller, sub, roles: roles.get(sub) ?? [] });
    },
  };
  const app = await McpApplication.create(AppModule, { auth: { verify }, logger: new MemoryLogger() });
  closing.push(() => app.close());
  return { app, url: (await app.listen(0)).url };
}

async function connect(url: string, caller: TestCaller) {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const heard: string[] = [];
  const statuses: number[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.push('tools');
  });
  const headers = { authorization: `Bearer ${tokenOf(caller)}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: async (target, init) => {
      const response = await fetch(target, init);
      statuses.push(response.status);
      return response;
    },
  });
  await client.connect(transport);
  closing.push(() => client.close());
  return { client, heard, statuses };
}

const purge = { name: 'tasks', arguments: { action: 'purge' } };

test('a role that is withdrawn in a session counts with the next call, and only its owner is notified', async () => {
  roles.set('ada', ['admin']);
  const { app, url } = await started();
  const ada = await connect(url, { sub: 'ada' });
  const bob = await connect(url, { sub: 'bob' });
  expect((await ada.client.callTool(purge)).isError).toBeUndefined();
  expect((await bob.client.callTool(purge)).isError).toBe(true);
  roles.delete('ada');
  app.notifyViews({ issuer: 'https://issuer.example', clientId: 'program', sub: 'ada', tenant: undefined });
  expect((await ada.client.callTool(purge)).isError).toBe(true);
  expect(JSON.stringify(await ada.client.listTools())).not.toContain('purge');
  await eventually(() => ada.heard.length > 0);
  app.notifyViews();
  await eventually(() => bob.heard.length > 0);
  expect([ada.heard.length, bob.heard.length]).toEqual([2, 1]);
});

test('in a session, a missing scope is answered with 403 before a stream begins', async () => {
  const { url } = await started();
  const ada = await connect(url, { sub: 'ada' });
  const call = ada.client.callTool({ name: 'tasks', arguments: { action: 'edit' } });
  await expect(call).rejects.toThrow();
  expect(ada.statuses).toContain(403);
});

test('a scope that is lost between a question and its answer ends the call with 403', async () => {
  const { url } = await started();
  const params = { name: 'tasks', arguments: { action: 'ask' } };
  const capabilities = { elicitation: { form: {} } };
  const send = (scopes: readonly string[], more: object) =>
    post2026(
      url,
      'tools/call',
      { ...params, ...more },
      { authorization: `Bearer ${tokenOf({ sub: 'ada', scopes })}` },
    );
  const meta = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
  };
  const asked = JSON.parse((await send(['tasks:ask'], meta)).body) as {
    readonly result: { readonly requestState: string; readonly inputRequests: Record<string, object> };
  };
  const { requestState, inputRequests } = asked.result;
  const [name = ''] = Object.keys(inputRequests);
  const answers = {
    ...meta,
    requestState,
    inputResponses: { [name]: { action: 'accept', content: { agreed: true } } },
  };
  expect((await send([], answers)).status).toBe(403);
  expect(ran).toEqual([]);
  expect((await send(['tasks:ask'], answers)).status).toBe(200);
  expect(ran).toEqual(['accept']);
});
