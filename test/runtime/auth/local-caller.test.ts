import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InMemoryRevocationList, jwt } from '../../../src/auth/index.ts';
import { McpApplication, type AuthOptions } from '../../../src/index.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { RESOURCE, WhoModule, type Seen } from '../../support/protected-app.ts';
import { TokenIssuer } from '../../support/token-issuer.ts';

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await TokenIssuer.start();
});
afterAll(() => issuer.close());

const given = { token: 't', clientId: 'tests', scopes: ['a'], extra: { sub: 'bob' } };

async function calledWith(local: AuthOptions['local'], authInfo?: typeof given) {
  const logger = new MemoryLogger();
  const auth = { resource: RESOURCE, verify: jwt({ issuer: issuer.url }), default: 'public' as const };
  const app = await McpApplication.create(WhoModule, {
    auth: { ...auth, ...(local === undefined ? {} : { local }) },
    logger,
  });
  const options = authInfo === undefined ? {} : { authInfo };
  const result = await app.call('who', { action: 'ami' }, options);
  await app.close();
  return { result, logger };
}

async function seenWith(...given: Parameters<typeof calledWith>) {
  const { result } = await calledWith(...given);
  const [block] = result.content as readonly { readonly text: string }[];
  return { seen: JSON.parse(block?.text ?? '') as Seen };
}

test('a call inside the process is anonymous, unless it says who calls', async () => {
  expect((await seenWith(undefined)).seen.authInfo).toBeUndefined();
  expect((await seenWith(undefined, given)).seen.authInfo).toMatchObject({ clientId: 'tests' });
});

test('the environment says who calls, with a token that is verified like any other', async () => {
  const token = await issuer.sign();
  const { seen } = await seenWith(({ verify }) => verify(token));
  expect(seen.authInfo).toMatchObject({ clientId: 'editor', extra: { sub: 'ann', issuer: issuer.url } });
  expect((await seenWith(({ verify }) => verify(token), given)).seen.authInfo?.clientId).toBe('tests');
});

test.each<readonly [string, AuthOptions['local']]>([
  ['a token that is refused', ({ verify }) => verify('a.b.c')],
  ['an error', () => Promise.reject(new Error('secret'))],
  ['nothing that is a caller', () => ({ token: 't' }) as never],
])('a call is refused where the environment has %s, also of what is public', async (_what, local) => {
  const { result, logger } = await calledWith(local);
  expect(result).toMatchObject({ isError: true, _meta: { 'toolwright/error': { code: 'UNAUTHENTICATED' } } });
  const said = logger.records.at(-1);
  expect(said).toMatchObject({ level: 'error', event: 'auth.refused' });
  expect('reason' in (said ?? {})).toBe(!String(local).includes('secret'));
  expect(JSON.stringify([result, logger.records])).not.toContain('secret');
});

test('a call is anonymous where the environment says that nobody in particular calls', async () => {
  expect((await seenWith(() => undefined)).seen.authInfo).toBeUndefined();
});

test('a caller of the environment who is revoked counts no more with the next call', async () => {
  const revocation = new InMemoryRevocationList();
  let token = await issuer.sign();
  const app = await McpApplication.create(WhoModule, {
    auth: {
      resource: RESOURCE,
      verify: jwt({ issuer: issuer.url }),
      local: ({ verify }) => verify(token),
      revocation,
    },
    logger: new MemoryLogger(),
  });
  const call = async () => (await app.call('who', { action: 'ami' })).isError;
  expect([await call(), await call()]).toEqual([undefined, undefined]);
  revocation.revoke({ issuer: issuer.url, sub: 'ann' });
  expect([await call(), await call()]).toEqual([true, true]);
  token = await issuer.sign({ sub: 'bob' });
  expect(await call()).toBeUndefined();
  await app.close();
});
