import { expect, test } from '@jest/globals';
import { jwt } from '../../../../src/auth/index.ts';
import { Action, McpApplication, Module, ToolGroup } from '../../../../src/index.ts';
import { examineSignIn, problems } from '../../../support/examine-sign-in.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';
import { SignInServer } from '../../../support/sign-in-server.ts';

@ToolGroup({ name: 'tasks' })
class TaskTools {
  @Action('Lists them') list() {
    return 'none';
  }
}

@Module({ controllers: [TaskTools] })
class TaskModule {}

test.each(['accept', undefined] as const)(
  'finds nothing wrong with a server of our own in front of a provider, with dpop: %s',
  async (dpop) => {
    const provider = await SignInServer.start();
    const verify = jwt({ issuer: provider.origin, ...(dpop === undefined ? {} : { dpop }) });
    const auth = { verify, scopesSupported: ['tasks:read'] };
    const app = await McpApplication.create(TaskModule, { auth, logger: new MemoryLogger() });
    const { url } = await app.listen({ port: 0, signals: false });
    for (const client of ['sdk-v1', 'sdk-v2', 'claude']) {
      const examined = await examineSignIn(url, ['--client', client]);
      expect(problems(examined)).toEqual([]);
      expect(examined.checks.filter(({ state }) => state === 'ok').length).toBeGreaterThan(8);
    }
    await app.close();
    await provider.close();
  },
);

/** What a member of a document may be instead of what it should be. */
const VALUES = [
  null,
  1,
  '',
  'x',
  'https://[',
  'javascript:alert(1)',
  '\u0000',
  [],
  [1],
  ['x'],
  {},
  { __proto__: null },
  'x'.repeat(1e5),
];
const RESOURCE = ['resource', 'authorization_servers', 'scopes_supported'];
const SERVER = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'code_challenge_methods_supported',
  'response_types_supported',
  'token_endpoint_auth_methods_supported',
  'client_id_metadata_document_supported',
  'scopes_supported',
];
const REGISTERED = ['client_id', 'client_secret', 'redirect_uris', 'token_endpoint_auth_method'];

test('survives any value of any member of what a server says', async () => {
  const server = await SignInServer.start();
  const changes = (
    [
      ['/.well-known/oauth-protected-resource', RESOURCE],
      ['/.well-known/oauth-authorization-server', SERVER],
      ['/reg', REGISTERED],
    ] as const
  ).flatMap(([path, names]) =>
    names.flatMap((name) => VALUES.map((value) => ({ path, change: { [name]: value } }))),
  );
  for (const { path, change } of changes) {
    server.fault = async (visit, origin) => {
      if (!visit.path.startsWith(path)) return undefined;
      if (visit.method === 'POST')
        return {
          status: 201,
          body: { client_id: 'x', ...(JSON.parse(await visit.read()) as object), ...change },
        };
      const metadata = await fetch(`${origin}/.well-known/openid-configuration`);
      const right = path.endsWith('resource') ? server.metadata : ((await metadata.json()) as object);
      return { body: { ...right, ...change } };
    };
    const { code } = await examineSignIn(server.url, ['--client', 'claude']);
    expect([change, [0, 1].includes(code)]).toEqual([change, true]);
  }
  await server.close();
});
