import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { subjectKey, subjectOf } from '../../src/index.ts';

const token = { token: 't', clientId: 'editor', scopes: [] };
const keyOf = (extra: Readonly<Record<string, unknown>>, clientId = 'editor') =>
  subjectKey(subjectOf({ ...token, clientId, extra }));

test('a subject is the issuer, the client, the person and the tenant of a token', () => {
  const extra = { issuer: 'https://a.example', sub: 'ann', tenant: 'acme', roles: ['admin'] };
  expect(subjectOf({ ...token, extra })).toEqual({
    issuer: 'https://a.example',
    clientId: 'editor',
    sub: 'ann',
    tenant: 'acme',
  });
});

test('an anonymous caller has no subject, and a token without a person stands for its client', () => {
  expect(subjectOf(undefined)).toBeUndefined();
  const nothing = { issuer: undefined, sub: undefined, tenant: undefined };
  expect(subjectOf(token)).toEqual({ clientId: 'editor', ...nothing });
  expect(subjectOf({ ...token, extra: { sub: null } })).toEqual({ clientId: 'editor', ...nothing });
});

test('a value that is not a text counts as its JSON', () => {
  expect(subjectOf({ ...token, extra: { sub: 7 } }).sub).toBe('7');
  expect(keyOf({ sub: 7 })).not.toBe(keyOf({ sub: 8 }));
});

test('people of two issuers or tenants are two subjects, also with the same name', () => {
  const ann = { issuer: 'https://a.example', sub: 'ann', tenant: 'acme' };
  const others = [
    keyOf({ ...ann, issuer: 'https://b.example' }),
    keyOf({ ...ann, tenant: 'other' }),
    keyOf({ ...ann, sub: 'bob' }),
    keyOf(ann, 'other'),
    keyOf({ sub: 'ann', tenant: 'acme' }),
  ];
  expect(new Set([keyOf(ann), ...others]).size).toBe(6);
});

test('two subjects have one key only if they are equal', () => {
  const part = fc.option(fc.string(), { nil: undefined });
  const subject = fc.record({ issuer: part, clientId: fc.string(), sub: part, tenant: part });
  fc.assert(
    fc.property(subject, subject, (one, other) => {
      const isEqual = Object.values(one).every((value, place) => value === Object.values(other)[place]);
      expect(subjectKey(one) === subjectKey(other)).toBe(isEqual);
    }),
  );
});
