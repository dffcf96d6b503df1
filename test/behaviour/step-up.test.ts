import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Action, McpApplication, Module, RateLimit, Scopes, ToolGroup } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { clientOfUser, REGISTERED, signIn, startIdentityProvider } from '../support/identity-provider.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { WhoModule, type Seen } from '../support/protected-app.ts';

let ran = 0;

@ToolGroup('tasks')
@Scopes('tasks:read')
class Tasks {
  @Action() list(): string {
    return 'all';
  }
  @Action() @Scopes('tasks:write') @RateLimit({ limit: 1, per: 'hour' }) remove(): string {
    ran += 1;
    return 'removed';
  }
  @Action() @Scopes('tasks:everything') purge(): string {
    ran += 1;
    return 'purged';
  }
}
@Module({ controllers: [Tasks] })
class TasksModule {}

const call = (action: string) => ({ name: 'tasks', arguments: { action } });

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let app: McpApplication;
let url: URL;
/** The statuses of the server's answers to calls. */
let statuses: number[] = [];
let challenges: (string | null)[] = [];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  provider = await startIdentityProvider(['tasks:read', 'tasks:write']);
});
afterAll(() => {
  provider.close();
});
beforeEach(async () => {
  app = await McpApplication.create(TasksModule, {
    logger: new MemoryLogger(),
    auth: { verify: jwt({ issuer: provider.url }), scopesSupported: ['tasks:read'] },
  });
  url = new URL((await app.listen({ port: 0, signals: false })).url);
  [ran, statuses, challenges] = [0, [], []];
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await app.close();
});

async function counted(target: URL | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(target, init);
  if (typeof init?.body === 'string' && init.body.includes('tools/call')) {
    statuses.push(response.status);
    challenges.push(response.headers.get('www-authenticate'));
  }
  return response;
}

interface SignedIn {
  call(action: string): Promise<{ readonly content: unknown; readonly _meta?: unknown }>;
  /** The user signs in for what the client asked for last, and gives the scopes that it asked for. */
  agree(): Promise<string | null>;
}

async function withClient1(): Promise<SignedIn> {
  const user = clientOfUser(REGISTERED);
  const options = { authProvider: user as never, fetch: counted };
  const first = new Transport1(url, options);
  await expect(new Client1({ name: 'tester', version: '1.0.0' }).connect(first as never)).rejects.toThrow();
  await first.finishAuth((await signIn(user.kept.asked as URL)).get('code') ?? '');
  const client = new Client1({ name: 'tester', version: '1.0.0' });
  const transport = new Transport1(url, options);
  await client.connect(transport);
  closing.push(() => client.close());
  return {
    call: (action) => client.callTool(call(action)) as ReturnType<SignedIn['call']>,
    agree: async () => {
      await transport.finishAuth((await signIn(user.kept.asked as URL)).get('code') ?? '');
      return (user.kept.asked as URL).searchParams.get('scope');
    },
  };
}

async function withClient2(mode: 'legacy' | { readonly pin: string }): Promise<SignedIn> {
  const user = clientOfUser(REGISTERED);
  const options = { authProvider: user as never, fetch: counted };
  const made = () => new Client2({ name: 'tester', version: '2.0.0' }, { versionNegotiation: { mode } });
  const first = new Transport2(url, options);
  await expect(made().connect(first)).rejects.toThrow();
  await first.finishAuth(await signIn(user.kept.asked as URL));
  const client = made();
  const transport = new Transport2(url, options);
  await client.connect(transport);
  closing.push(() => client.close());
  return {
    call: (action) => client.callTool(call(action)),
    agree: async () => {
      await transport.finishAuth(await signIn(user.kept.asked as URL));
      return (user.kept.asked as URL).searchParams.get('scope');
    },
  };
}

describe.each<readonly [string, () => Promise<SignedIn>]>([
  ['SDK 1', withClient1],
  ['SDK 2, in the era of 2025', () => withClient2('legacy')],
  ['SDK 2, in the era of 2026', () => withClient2({ pin: '2026-07-28' })],
])('a client of %s', (_name, signedIn) => {
  test('signs in for the scope that a call lacks and calls again, which runs and counts once', async () => {
    const client = await signedIn();
    expect(textOf(await client.call('list'))).toBe('all');
    await expect(client.call('remove')).rejects.toThrow();
    expect(ran).toBe(0);
    expect((await client.agree())?.split(' ').sort()).toEqual(['tasks:read', 'tasks:write']);
    expect(textOf(await client.call('remove'))).toBe('removed');
    expect(ran).toBe(1);
    // The first answer of the limit, so neither the refusal nor the sign-in was counted
    expect(factsOf(await client.call('remove'))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(ran).toBe(1);
    expect(statuses).toEqual([200, 403, 200, 200]);
  });

  test('that is never granted the scope stops: one request for each call, with the same challenge', async () => {
    const client = await signedIn();
    await expect(client.call('purge')).rejects.toThrow();
    await client.agree();
    await expect(client.call('purge')).rejects.toThrow();
    expect(statuses).toEqual([403, 403]);
    expect(challenges[0]).toContain('scope="tasks:everything tasks:read"');
    expect(challenges[1]).toBe(challenges[0]);
    expect(ran).toBe(0);
    expect(textOf(await client.call('list'))).toBe('all');
  });
});

describe('signing in', () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
  let app: McpApplication;
  let url: URL;

  beforeAll(async () => {
    provider = await startIdentityProvider();
    app = await McpApplication.create(WhoModule, {
      auth: { verify: jwt({ issuer: provider.url }), scopesSupported: ['tasks:read'] },
    });
    url = new URL((await app.listen({ port: 0, signals: false })).url);
  });
  afterAll(async () => {
    await app.close();
    provider.close();
  });

  const CALL = { name: 'who', arguments: { action: 'ami' } };

  function check(result: unknown): void {
    const { content } = result as { readonly content: readonly { readonly text: string }[] };
    const { authInfo } = JSON.parse(content[0]?.text ?? '') as Seen;
    expect(authInfo).toMatchObject({ scopes: ['tasks:read'], extra: { sub: 'ann', issuer: provider.url } });
  }

  test('a client of SDK 1 signs in from the first refusal, without configuration', async () => {
    const authProvider = clientOfUser();
    const first = new Transport1(url, { authProvider: authProvider as never });
    await expect(new Client1({ name: 'tester', version: '1.0.0' }).connect(first as never)).rejects.toThrow();
    const answer = await signIn(authProvider.kept.asked as URL);
    await first.finishAuth(answer.get('code') ?? '');
    const client = new Client1({ name: 'tester', version: '1.0.0' });
    await client.connect(new Transport1(url, { authProvider: authProvider as never }));
    check(await client.callTool(CALL));
    await client.close();
  });

  test.each([
    ['2025', 'legacy' as const],
    ['2026', { pin: '2026-07-28' } as const],
  ])(
    'a client of SDK 2 signs in from the first refusal, without configuration, in the era of %s',
    async (_era, mode) => {
      const authProvider = clientOfUser();
      const made = () => new Client2({ name: 'tester', version: '2.0.0' }, { versionNegotiation: { mode } });
      const first = new Transport2(url, { authProvider: authProvider as never });
      await expect(made().connect(first)).rejects.toThrow();
      const answer = await signIn(authProvider.kept.asked as URL);
      await first.finishAuth(answer);
      const client = made();
      await client.connect(new Transport2(url, { authProvider: authProvider as never }));
      check(await client.callTool(CALL));
      await client.close();
    },
  );
});
