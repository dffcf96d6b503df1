import { expect, test } from '@jest/globals';
import { extractWWWAuthenticateParams as read1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { extractWWWAuthenticateParams as read2 } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { AuthenticationError } from '../../../src/index.ts';
import { bearerChallenge } from '../../../src/runtime/auth/challenge.ts';
import { protectedApp } from '../../support/protected-app.ts';

const METADATA = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';

test('both clients read a challenge whose description has quotes, backslashes, lines and letters of all languages', async () => {
  const description = 'The "token"\r\nof C:\\keys, scope="all" error=none, größer als 日本🙂, is too old';
  const served = await protectedApp({
    authorizationServers: ['https://issuer.example'],
    verify: {
      verify: () => {
        throw new AuthenticationError(401, { description, scope: 'tasks:read tasks:write' });
      },
    },
  });
  const { status, headers } = await served.call('any');
  await served.close();
  expect(status).toBe(401);
  const header = headers['www-authenticate'] as string;
  const answer = new Response(null, { status, headers: { 'www-authenticate': header } });
  const expected = {
    resourceMetadataUrl: new URL(METADATA),
    scope: 'tasks:read tasks:write',
    error: 'invalid_token',
  };
  expect(read1(answer)).toEqual(expected);
  expect(read2(answer)).toEqual({
    ...expected,
    errorDescription: "The 'token' of C:keys, scope='all' error=none, grer als , is too old",
  });
});

test('both clients read what a challenge says, whatever its description is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const description = `${text} scope=none error="none" resource_metadata=https://evil.example`;
      const value = bearerChallenge({
        error: 'insufficient_scope',
        description,
        scope: 'a b',
        resourceMetadata: METADATA,
      });
      const answer = new Response(null, { headers: { 'www-authenticate': value } });
      const expected = {
        error: 'insufficient_scope',
        scope: 'a b',
        resourceMetadataUrl: new URL(METADATA),
      };
      expect(read1(answer)).toEqual(expected);
      expect(read2(answer)).toMatchObject(expected);
    }),
  );
});
