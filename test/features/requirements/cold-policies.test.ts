import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import { Action, Field, McpApplication, Module, Policy, Scopes, ToolGroup, type Caller } from 'toolwright';
import { testVerifier, tokenOf, type TestCaller } from '../../support/callers.ts';
import { post2026 } from '../../support/client-of-2026.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

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
