import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { InMemoryStore, type Store } from 'toolwright';
import { Grants } from '../../src/sign-in/grants.ts';
import { PersonRefused, readPerson } from '../../src/sign-in/person.ts';
import type { ProviderDefinition } from '../../src/sign-in/provider-definition.ts';
import { Records } from '../../src/sign-in/records.ts';
import type { UpstreamProvider, UpstreamTokens } from '../../src/sign-in/upstream-provider.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { SECRET } from '../support/sign-in/desk.ts';

const ANN = { sub: 'ann', roles: [] };

/** Grants of one provider, which a test answers for. */
function grantsWith(answers: Partial<UpstreamProvider> = {}, store: Store = new InMemoryStore()) {
  const logger = new MemoryLogger();
  const revoked: string[] = [];
  const provider = {
    ...{ name: 'acme', definition: { facts: { claims: {} }, options: {} } },
    revoke: async ({ access }: UpstreamTokens) => Promise.resolve(void revoked.push(access)),
    ...answers,
  } as unknown as UpstreamProvider;
  const grants = new Grants({
    ...{ issuer: 'https://desk.example', signInTtl: 1e9, accessTokenTtl: 1, logger },
    options: { provider: {} as never },
    records: new Records(store, { server: 'desk', secrets: [SECRET], logger }),
    providers: new Map([['acme', provider]]),
    onEnded: () => undefined,
    tell: () => undefined,
  });
  const add = (access = 'a', person: object = ANN, expiresAt?: number): Promise<string> => {
    const tokens = { access, refresh: 'r', expiresAt };
    return grants.add({ provider, person: { ...ANN, ...person }, client: 'c', scopes: [], tokens });
  };
  return { grants, revoked, add };
}

test('a person can end all of their sign-ins, however many there are', async () => {
  const { grants, add, revoked } = grantsWith();
  const ids: string[] = [];
  for (let n = 0; n < 202; n += 1) ids.push(await add(String(n)));
  expect(await grants.end({ sub: 'ann' })).toBe(200);
  const ended = await Promise.all(ids.map((id) => grants.isEnded(id)));
  expect(ended.filter((isEnded) => !isEnded)).toEqual([]);
  // At some providers that would take all of the person's tokens away
  expect(revoked).not.toContain('0');
});

test('of many sign-ins of a person at once, none is missing in the list', async () => {
  const { grants, add } = grantsWith();
  const added = await Promise.allSettled(Array.from({ length: 40 }, () => add()));
  const ids = added.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const listed = (await grants.list({ sub: 'ann' })).map(({ grant }) => grant);
  expect(ids.filter((id) => !listed.includes(id))).toEqual([]);
});

test('a sign-in that ends while its provider is asked stays ended, and the new token is given back', async () => {
  let id = '';
  const { grants, add, revoked } = grantsWith({
    refresh: async () => {
      expect(await grants.end({ grant: id })).toBe(1);
      return { tokens: { access: 'new', refresh: 's' } };
    },
  });
  id = await add('old', ANN, 10);
  await expect(grants.upstreamOf(id).token()).rejects.toMatchObject({ code: 'UPSTREAM_SIGN_IN_NEEDED' });
  expect([await grants.claimsOf(id), revoked]).toEqual([undefined, ['old', 'new']]);
});

test('73: of 20 calls on each of three instances, one refreshes a token that rotates', async () => {
  const store = new InMemoryStore();
  const used: (string | undefined)[] = [];
  const refresh: UpstreamProvider['refresh'] = async (before) => {
    used.push(before.refresh);
    await setImmediate();
    const tokens = { access: 'new', refresh: 's', expiresAt: Date.now() + 1e6 };
    return { tokens };
  };
  const instances = [1, 2, 3].map(() => grantsWith({ refresh }, store));
  const id = await instances[0]!.add('old', ANN, 10);
  const calls = instances.flatMap(({ grants }) =>
    Array.from({ length: 20 }, () => grants.upstreamOf(id).token()),
  );
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['new']));
  expect(used).toEqual(['r']);
});

test('what a provider has only said of a person has no token, ends with them, and pushes no sign-in out', async () => {
  const { grants, add, revoked } = grantsWith();
  const signedIn = await add();
  const provider = { name: 'acme' } as unknown as UpstreamProvider;
  const asserted: string[] = [];
  for (let n = 0; n < 201; n += 1)
    asserted.push(await grants.addAsserted({ provider, person: ANN, client: 'agent', scopes: [] }, 60_000));
  expect(await grants.isEnded(asserted[0] ?? '')).toBe(true);
  expect(await grants.isEnded(signedIn)).toBe(false);
  await expect(grants.upstreamOf(asserted[1] ?? '').token()).rejects.toMatchObject({
    code: 'UPSTREAM_SIGN_IN_NEEDED',
  });
  expect(await grants.end({ sub: 'ann' })).toBe(201);
  expect([await grants.list({ sub: 'ann' }), revoked]).toEqual([[], ['a']]);
});

test('a token for another service is not given from memory after the end', async () => {
  const { grants, add } = grantsWith({
    exchange: async () => Promise.resolve({ access: 'x', expiresAt: Date.now() + 1e6 }),
  });
  const id = await add();
  const { exchange } = grants.upstreamOf(id);
  expect(await exchange({ audience: 'files' })).toBe('x');
  await grants.end({ grant: id });
  await expect(exchange({ audience: 'files' })).rejects.toMatchObject({ code: 'UPSTREAM_SIGN_IN_NEEDED' });
});

test('53: the token of a person does not follow a redirect', async () => {
  const sent: (string | undefined)[] = [];
  const elsewhere = createServer((request, response) => {
    sent.push(request.headers.authorization);
    response.end();
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const location = `http://127.0.0.1:${String((elsewhere.address() as AddressInfo).port)}/`;
  const files = createServer((_, response) => response.writeHead(302, { location }).end());
  await once(files.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${String((files.address() as AddressInfo).port)}`;
  const definition = { facts: {}, options: { origins: [origin] } } as unknown as ProviderDefinition;
  const { grants, add } = grantsWith({ definition });
  const { fetch } = grants.upstreamOf(await add());
  const answer = await fetch(origin, { redirect: 'follow' });
  expect([answer.status, sent]).toEqual([302, []]);
  for (const url of [`${origin}@evil.example/`, location, 'x'])
    await expect(fetch(url)).rejects.toMatchObject({ code: 'UPSTREAM_SCOPE' });
  files.close();
  elsewhere.close();
});

test('further facts of a person name no tenant, no scopes and no key', async () => {
  const { grants, add } = grantsWith();
  const more = { tenant: 'evil', scp: 'desk:write', cnf: {}, grant: 'g', roles: ['admin'], team: 'a' };
  const claims = JSON.parse(JSON.stringify(await grants.claimsOf(await add('a', { more })))) as object;
  expect(claims).toEqual({ team: 'a', roles: [], grant: expect.not.stringMatching(/^g$/) as unknown });
});

test('a person whom claims() does not understand is refused', async () => {
  const claims = (): never => {
    throw new TypeError('no name');
  };
  const definition = { facts: { claims: {} }, options: { claims } } as unknown as ProviderDefinition;
  await expect(readPerson({ sub: 'ann' }, definition, '')).rejects.toBeInstanceOf(PersonRefused);
});
