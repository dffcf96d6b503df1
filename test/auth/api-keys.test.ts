import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { apiKeys, createApiKey, hashApiKey, type ApiKey } from '../../src/auth/index.ts';
import type { AuthOptions } from '../../src/index.ts';
import { protectedApp, type ProtectedApp } from '../support/protected-app.ts';

const now = (): number => Math.floor(Date.now() / 1000);
const opened: ProtectedApp[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function serve(verify: AuthOptions['verify']): Promise<ProtectedApp> {
  const app = await protectedApp({ verify });
  opened.push(app);
  return app;
}

describe('an API key', () => {
  const { key, hash } = createApiKey('tasks_');
  const stored = new Map<string, ApiKey>([[hash, { clientId: 'reports', scopes: ['a'], tenant: 'acme' }]]);
  const verify = apiKeys({ prefix: 'tasks_', find: (each) => stored.get(each) });

  test('is who calls, in either header', async () => {
    const app = await serve(verify);
    expect(await app.seen(key)).toMatchObject({
      authInfo: { clientId: 'reports', scopes: ['a'] },
      tenant: 'acme',
    });
    expect((await app.call(undefined, { 'x-api-key': key })).status).toBe(200);
  });

  test.each<readonly [string, Partial<ApiKey>]>([
    ['is revoked', { isRevoked: true }],
    ['has expired', { expiresAt: now() - 1 }],
  ])('is refused when it %s', async (_what, facts) => {
    const app = await serve(apiKeys({ find: () => ({ clientId: 'reports', ...facts }) }));
    expect((await app.call(key)).status).toBe(401);
  });

  test('is refused with one letter wrong, and when it is short', async () => {
    const app = await serve(verify);
    const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    for (const each of [wrong, 'tasks_short', 'other', `${key}A`])
      expect((await app.call(each)).status).toBe(401);
    expect(JSON.stringify([...stored])).not.toContain(key);
    expect(inspect(app.logger.records, { depth: 9 })).not.toContain(key);
  });

  const long = 'x'.repeat(30);
  test.each<readonly [what: string, sent: string, reason: string]>([
    ['too short', 'tasks_secret', 'the API key has fewer than 22 characters, tasks_ not counted'],
    ['of another kind', long, 'the API key does not begin with tasks_'],
    ['unknown', `tasks_${long}`, 'no API key is stored under its hash'],
    ['revoked', `tasks_r${long}`, 'the API key is revoked'],
    ['expired', `tasks_e${long}`, 'The token has expired'],
    ['of nobody', `tasks_n${long}`, 'A verifier gave a caller without a client id.'],
  ])('that is %s is refused alike, and only the log says why', async (_what, sent, reason) => {
    const facts = new Map<string, object>([
      [hashApiKey(`tasks_r${long}`), { clientId: 'reports', isRevoked: true }],
      [hashApiKey(`tasks_e${long}`), { clientId: 'reports', expiresAt: now() - 1 }],
      [hashApiKey(`tasks_n${long}`), {}],
    ]);
    const app = await serve(apiKeys({ prefix: 'tasks_', find: (hash) => facts.get(hash) as ApiKey }));
    const answers = [await app.call(sent), await app.call(undefined, { 'x-api-key': sent })];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    for (const { headers } of answers) expect(headers['www-authenticate']).toContain('error="invalid_token"');
    const said = app.logger.records.filter(({ event }) => event === 'auth.credential-refused');
    expect(said).toMatchObject([
      { level: 'warning', reason },
      { level: 'debug', reason },
    ]);
    expect(inspect(app.logger.records, { depth: 9 })).not.toContain(sent);
    expect(JSON.stringify(answers)).not.toContain('fewer than');
  });

  test('is not missed in the log where a request brings none', async () => {
    const app = await serve(verify);
    expect((await app.call()).status).toBe(401);
    expect(app.logger.records).toEqual([]);
  });

  test.each([['secret'], [''], ['x'.repeat(21)], [undefined], [7]])('cannot be %j', (given) => {
    expect(() => hashApiKey(given as string)).toThrow(
      expect.objectContaining({ code: 'TW_AUTH_KEY', fix: expect.stringContaining('randomBytes') }),
    );
    expect(hashApiKey('x'.repeat(22))).toHaveLength(43);
  });

  test('in two headers is malformed', async () => {
    const app = await serve(verify);
    expect((await app.call(key, { 'x-api-key': key })).status).toBe(400);
  });

  test('is 503 where the store fails', async () => {
    const app = await serve(apiKeys({ find: () => Promise.reject(new Error(`down at ${key}`)) }));
    expect((await app.call(key)).status).toBe(503);
    expect(inspect(app.logger.records, { depth: 9 })).not.toContain(key);
  });

  test('leads nowhere to sign in', async () => {
    const app = await serve(verify);
    expect((await app.call()).headers['www-authenticate']).toBe('Bearer realm="mcp"');
  });
});
