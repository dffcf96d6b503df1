import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryAuditStore } from 'toolwright/audit';
import type { CallToolResult, LogRecord } from 'toolwright';
import { exposeNest, nestGuard, type ExposeNestOptions, type NestCaller } from 'toolwright/nest';
import { from, of } from 'rxjs';
import { textOf } from '../support/text-of.ts';
import { loadNest, type Listening } from './shop.ts';

const library = loadNest(11);
const { common: nest, core } = library;
const RESOURCE = 'https://shop.example/mcp';

interface User {
  readonly sub: string;
  readonly aud: readonly string[] | undefined;
  readonly roles: readonly string[];
}

const USERS: Readonly<Record<string, User>> = {
  'token-of-ada': { sub: 'ada', aud: [RESOURCE], roles: ['admin'] },
  'token-of-bob': { sub: 'bob', aud: [RESOURCE], roles: [] },
  'token-of-flat': { sub: 'ada', aud: [`${RESOURCE}/flat`], roles: [] },
  'token-for-others': { sub: 'bob', aud: ['https://other.example'], roles: ['admin'] },
  'token-for-any': { sub: 'eve', aud: undefined, roles: [] },
};

/** What the guards of routes saw of the caller. */
const seen: (string | undefined)[] = [];
let asked = 0;

@nest.Injectable()
class TokenGuard {
  canActivate(context: {
    switchToHttp(): { getRequest(): { headers: { authorization?: string }; user?: User } };
    getHandler(): object;
    getClass(): object;
  }): unknown {
    asked += 1;
    const request = context.switchToHttp().getRequest();
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (token === 'fails') throw new nest.InternalServerErrorException('secret of the database');
    if (token === 'nobody') return true;
    if (new core.Reflector().get('public', context.getHandler() as never) === true) return true;
    const user = USERS[token];
    if (user === undefined) throw new nest.UnauthorizedException();
    request.user = user;
    return from([false, true]);
  }
}

@nest.Controller('tasks')
@nest.UseGuards(TokenGuard)
class TasksController {
  @nest.Get() list(@nest.Req() request: { user: User; headers: { authorization?: string } }): unknown {
    seen.push(request.headers.authorization);
    return { sub: request.user.sub };
  }
  @nest.Delete(':id') @nest.SetMetadata('roles', ['admin']) remove(@nest.Param('id') id: string): unknown {
    seen.push(`removed ${id}`);
    return of('removed');
  }
}

class TasksModule {}
nest.Module({ controllers: [TasksController], providers: [TokenGuard] })(TasksModule);

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  seen.length = 0;
});

const byUser = (user: User): NestCaller => ({ sub: user.sub, audience: user.aud, roles: user.roles });

async function listen(options: ExposeNestOptions = {}, caller = byUser): Promise<string> {
  const made: unknown = await core.NestFactory.create(
    TasksModule as never,
    { logger: false, abortOnError: false } as object,
  );
  const app = made as Listening;
  ends.push(() => app.close());
  const verify = nestGuard(app, TokenGuard, { caller, issuers: ['https://issuer.example'] });
  await exposeNest(app, { logger: () => undefined, auth: { resource: RESOURCE, verify }, ...options });
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

async function connect(url: string, token: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  ends.push(() => client.close());
  return client;
}

function ping(url: string, headers: object): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
}

describe('the endpoint asks the guard of the application', () => {
  test('and without a token, or with one that it refuses, says where to sign in', async () => {
    const url = await listen();
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Bearer nobody' }]) {
      const refused = await ping(url, headers);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=');
    }
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ authorization_servers: ['https://issuer.example'] });
  });

  test('and knows the caller, whom the guards of routes see as at REST', async () => {
    const url = await listen();
    const client = await connect(url, 'token-of-ada');
    const result = (await client.callTool({
      name: 'tasks',
      arguments: { action: 'list' },
    })) as CallToolResult;
    expect(JSON.parse(textOf(result))).toEqual({ sub: 'ada' });
    expect(seen).toEqual(['Bearer token-of-ada']);
  });

  test('and takes a token that names the path of a surface', async () => {
    const url = await listen({ surface: 'auto' });
    expect((await ping(url, { authorization: 'Bearer token-of-flat' })).status).toBe(200);
  });

  test('and refuses a token that was issued for another audience', async () => {
    expect((await ping(await listen(), { authorization: 'Bearer token-for-others' })).status).toBe(401);
  });

  test('and warns once where nothing says what a token was issued for', async () => {
    const records: LogRecord[] = [];
    const url = await listen({ logger: (record) => void records.push(record) });
    for (let count = 0; count < 2; count += 1) await ping(url, { authorization: 'Bearer token-for-any' });
    expect(records.filter(({ code }) => code === 'TW_NEST_AUDIENCE')).toHaveLength(1);
  });

  test('and keeps no client out for long where the guard itself fails', async () => {
    const failed = await ping(await listen(), { authorization: 'Bearer fails' });
    expect(failed.status).toBe(503);
    expect(await failed.text()).not.toContain('secret');
  });
});

test('requirements hide what the guard would refuse, and it cannot be called either', async () => {
  const url = await listen({
    requirements: (_operation, metadata) => {
      const roles = metadata('roles') as readonly string[] | undefined;
      return roles === undefined ? undefined : { roles };
    },
  });
  const [ada, bob] = [await connect(url, 'token-of-ada'), await connect(url, 'token-of-bob')];
  expect(JSON.stringify((await ada.listTools()).tools)).toContain('remove');
  expect(JSON.stringify((await bob.listTools()).tools)).not.toContain('remove');
  const remove = { name: 'tasks', arguments: { action: 'remove', id: '7' } };
  expect(textOf((await bob.callTool(remove)) as CallToolResult)).toContain('Code: UNKNOWN_ACTION');
  expect(seen).toEqual([]);
  expect(textOf((await ada.callTool(remove)) as CallToolResult)).toBe('removed');
});

test('the token of a caller is in no log and no record of the audit', async () => {
  const texts: string[] = [];
  const store = new InMemoryAuditStore();
  const url = await listen({ logger: (record) => void texts.push(JSON.stringify(record)), audit: { store } });
  const client = await connect(url, 'token-of-bob');
  await client.callTool({ name: 'tasks', arguments: { action: 'list' } });
  await client.callTool({ name: 'tasks', arguments: { action: 'remove', id: 'missing' } });
  for (const end of ends.splice(0).reverse()) await end();
  for await (const text of store.read()) texts.push(text);
  expect(texts.join('\n')).toContain('"sub":"bob"');
  expect(texts.join('\n')).not.toContain('token-of-bob');
});

test('is asked once a request, and one that the application lacks is an error at once', async () => {
  const url = await listen();
  asked = 0;
  await ping(url, { authorization: 'Bearer token-of-ada' });
  expect(asked).toBe(1);
  const made: unknown = await core.NestFactory.create(
    TasksModule as never,
    { logger: false, abortOnError: false } as object,
  );
  const app = made as Listening;
  ends.push(() => app.close());
  class UnknownGuard {}
  expect(() => nestGuard(app, UnknownGuard, { caller: byUser })).toThrow(/UnknownGuard/);
  expect(() => nestGuard(app, TokenGuard, {} as never)).toThrow('TW_APPLICATION_OPTION');
});
