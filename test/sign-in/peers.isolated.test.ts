import { expect, jest, test } from '@jest/globals';

const loaded: string[] = [];
for (const name of ['oidc-provider', 'openid-client'])
  jest.unstable_mockModule(name, () => {
    loaded.push(name);
    throw new Error(`${name} is not installed`);
  });

test('95: without signIn, neither package is loaded; 86: with it, the error says what to install', async () => {
  const { McpApplication, Module } = await import('../../src/index.ts');
  const { oidc } = await import('../../src/sign-in/index.ts');
  class AppModule {}
  Module({})(AppModule);
  const logger = () => undefined;
  const app = await McpApplication.create(AppModule, { logger });
  await app.fetch(new Request('https://desk.example/mcp', { method: 'POST' }));
  await app.close();
  expect(loaded).toEqual([]);
  const signIn = oidc({ issuer: 'https://id.example', clientId: 'desk' });
  const auth = { resource: 'https://desk.example/mcp', signIn };
  await expect(
    McpApplication.create(AppModule, { logger, auth, secrets: ['thirty-two bytes of a secret, or more'] }),
  ).rejects.toThrow(/TW_SIGN_IN_PEER[^]*npm install oidc-provider/);
});
