import { expect, test } from '@jest/globals';
import { KIND } from '../../src/nest/metadata.ts';
import { readInputs } from '../../src/nest/read-inputs.ts';

class ParseIntPipe {}

function isOffered(name: string): boolean {
  const parameter = { kind: KIND.headers, index: 0, name, pipes: [new ParseIntPipe()], schema: undefined };
  return readInputs([{ ...parameter, type: Number }], '/tasks', new Map()).inputs.length === 1;
}

test.each(['x-page', 'if-match', 'prefer', 'x-region', 'x-trace', 'accept-language'])('offers %s', (name) => {
  expect(isOffered(name)).toBe(true);
});

test.each([
  ...['authorization', 'cookie', 'host', 'proxy-authorization', 'mcp-session-id', 'forwarded'],
  ...['x-forwarded-for', 'X-Forwarded', 'x-real-ip', 'x-request-id', 'true-client-ip', 'CF-Connecting-IP'],
  ...['x-user', 'X-User-Id', 'x-tenant', 'x-organization-id', 'x-account', 'x-original-url', 'x-client-id'],
  ...[
    'x-api-key',
    'x-apikey',
    'api-key',
    'x-auth-request-email',
    'x-csrf-token',
    'private-token',
    'x-app-secret',
    ...[
      'X_Forwarded_For',
      'x_user',
      'x-http-method-override',
      'X-Method-Override',
      'expect',
      'accept-encoding',
    ],
    ...[
      'remote-user',
      'x-remote-user',
      'impersonate-user',
      'x-roles',
      'x-rewrite-url',
      'x-goog-iap-jwt',
      'client-ip',
    ],
  ],
])('offers no %s', (name) => {
  expect(isOffered(name)).toBe(false);
});
