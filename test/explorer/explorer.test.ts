import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ReadOnly, Roles, Scopes, ToolContext, ToolGroup } from 'toolwright';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { CALLER_HEADER, type CheckAnswer, type ExploredApplication } from '../../src/explorer/contract.ts';
import { ask, place, TOKEN } from '../support/explored-app.ts';
import { textOf } from '../support/text-of.ts';

@ToolGroup({ name: 'desk', description: 'The desk' })
class Desk {
  @Action('Who calls') @ReadOnly() who(ctx: ToolContext): string {
    return `${String(ctx.authInfo?.extra?.['sub'])} ${(ctx.authInfo?.scopes ?? []).join(' ')}`;
  }

  @Action('Write') @Scopes('desk:write') write(): string {
    return 'written';
  }

  @Action('Close') @Roles('chief') close(): string {
    return 'closed';
  }

  @Action('Ask') async ask(ctx: ToolContext): Promise<string> {
    const { action } = await ctx.ask(
      { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] },
      'Really?',
    );
    await ctx.progress(100, 100);
    return action;
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

let application: McpApplication;
let url: string;
let origin: string;
let token: string;

beforeAll(async () => {
  const refuse = { issuers: ['https://issuer.example'], verify: () => undefined };
  application = await McpApplication.create(DeskModule, {
    auth: { resource: 'http://127.0.0.1/mcp', verify: refuse },
  });
  const serving = await application.listen({ port: 0, explorer: true, signals: false });
  ({ url } = serving);
  [origin, token] = place(serving);
});

afterAll(() => application.close());

async function connect(era: '2025' | '2026', caller?: object | string): Promise<McpClient> {
  const given = typeof caller === 'string' ? caller : JSON.stringify(caller);
  const headers = { [TOKEN]: token, ...(caller === undefined ? {} : { [CALLER_HEADER]: given }) };
  return McpClient.connect(new HttpTransport(`${origin}/explorer/mcp`, { headers }), {
    era,
    onElicitation: () => ({ action: 'accept', content: { confirmed: true } }),
  });
}

async function actionsOf(client: McpClient): Promise<unknown> {
  const [tool] = await client.listTools();
  const action: { readonly enum?: unknown } | undefined = tool?.inputSchema.properties?.['action'];
  return action?.enum;
}

test.each(['2025', '2026'] as const)('a client of %s is the caller that it chooses', async (era) => {
  const all = await connect(era);
  expect(await actionsOf(all)).toEqual(['who', 'write', 'close', 'ask']);
  expect(textOf(await all.callTool('desk', { action: 'write' }))).toBe('written');
  await all.close();
  const nobody = await connect(era, 'nothing');
  // A missing scope can be signed in for: it is listed, and the refusal names it
  expect(await actionsOf(nobody)).toEqual(['who', 'write', 'ask']);
  await nobody.close();
  const ada = await connect(era, { subject: 'ada', scopes: ['desk:write'] });
  expect(await actionsOf(ada)).toEqual(['who', 'write', 'ask']);
  expect(textOf(await ada.callTool('desk', { action: 'who' }))).toBe('ada desk:write');
  await ada.close();
});

test.each(['2025', '2026'] as const)(
  'questions reach a client of %s, and its answers the handler',
  async (era) => {
    const client = await connect(era);
    expect(textOf(await client.callTool('desk', { action: 'ask' }))).toBe('accept');
    await client.close();
  },
);

test('the endpoint itself still asks for a token of its own, and takes none of the explorer', async () => {
  const headers = { [TOKEN]: token, [CALLER_HEADER]: 'everything', 'content-type': 'application/json' };
  expect((await ask(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
});

test('what is shown and checked is that of the caller', async () => {
  const get = async (caller: string): Promise<ExploredApplication> =>
    JSON.parse(
      (
        await ask(`${origin}/explorer/api/application`, {
          headers: { [TOKEN]: token, [CALLER_HEADER]: caller },
        })
      ).text,
    ) as ExploredApplication;
  const { authorization, tools } = await get('everything');
  expect(authorization).toMatchObject({ scopes: ['desk:write'], roles: ['chief'] });
  expect(tools[0]?.actions.find(({ key }) => key === 'write')?.inside.requires).toEqual([
    'the scope desk:write',
  ]);
  expect((await get('nothing')).tools[0]?.actions.map(({ key }) => key)).toEqual(['who', 'write', 'ask']);

  const headers = { [TOKEN]: token, 'content-type': 'application/json' };
  const body = JSON.stringify({ tool: 'desk', arguments: { action: 'close' }, caller: 'nothing' });
  const { text } = await ask(`${origin}/explorer/api/check`, { method: 'POST', headers, body });
  const nobody = await connect('2025', 'nothing');
  const refused = textOf(await nobody.callTool('desk', { action: 'close' }));
  expect(JSON.parse(text) as CheckAnswer).toMatchObject({ ok: false, code: 'UNKNOWN_ACTION', text: refused });
  await nobody.close();
});

test.each(['somebody', '{', '{"scopes":"all"}', '[1]'])('the caller %j is refused', async (caller) => {
  for (const path of ['/explorer/mcp', '/explorer/api/application']) {
    const headers = { [TOKEN]: token, [CALLER_HEADER]: caller };
    expect((await ask(`${origin}${path}`, { headers })).status).toBe(400);
  }
});
