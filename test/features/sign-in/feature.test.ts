import { expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  Action,
  McpApplication,
  Module,
  Scopes,
  ToolGroup,
  type AuthInfo,
  type SignInProvider,
} from 'toolwright';
import type { SignInServer } from '../../../src/features/sign-in/options.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

@ToolGroup('tasks')
class Tasks {
  @Action() @Scopes('tasks:write') remove(): string {
    return 'removed';
  }
}
@Module({ controllers: [Tasks] })
class TasksModule {}

const RESOURCE = 'https://desk.example/mcp';
const ADA: AuthInfo = { token: 'own-ada', clientId: 'desk', scopes: ['tasks:read'], extra: { sub: 'ada' } };

/** A provider that gives one token to one person, and remembers who was refused for a lack of scopes. */
function ownTokens(refused: unknown[]): SignInProvider {
  const server: SignInServer = {
    issuer: 'https://desk.example',
    maxBodyBytes: 0,
    serves: () => false,
    answer: async () => new Response(),
    list: async () => [],
    end: async () => 0,
    recognizes: (token) => token.startsWith('own-'),
    verify: () => ADA,
    upstreamOf: () => undefined,
    stepUp: async (caller) => void refused.push(caller.extra?.['sub']),
  };
  return { name: 'own', open: async () => server };
}

test.each([
  ['up to 2025-11-25 replace their token, and their issuer learns of it', 'legacy', ['ada']],
  ['of 2026-07-28 ask for more by themselves', { pin: '2026-07-28' }, []],
] as const)('clients %s', async (_what, mode, expected) => {
  const refused: unknown[] = [];
  const app = await McpApplication.create(TasksModule, {
    name: 'desk',
    secrets: ['0123456789abcdef0123456789abcdef'],
    logger: new MemoryLogger(),
    auth: { resource: RESOURCE, signIn: ownTokens(refused) },
  });
  const statuses: number[] = [];
  const ask = async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const answer = await app.fetch(new Request(input, init));
    statuses.push(answer.status);
    return answer;
  };
  const options = { fetch: ask, requestInit: { headers: { authorization: 'Bearer own-ada' } } };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(RESOURCE), options));
  await expect(client.callTool({ name: 'tasks', arguments: { action: 'remove' } })).rejects.toThrow();
  expect(statuses).toContain(403);
  expect(refused).toEqual(expected);
  await client.close();
  await app.close();
});
