import { expect, test } from '@jest/globals';
import { InMemoryStore } from 'toolwright';
import { Adapter, type AdapterPlace } from '../../src/sign-in/adapter.ts';
import { Records } from '../../src/sign-in/records.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

class Refused extends Error {}

function adapter(kind: string): Adapter {
  const records = new Records(new InMemoryStore(), {
    ...{ server: 'desk', secrets: ['thirty-two bytes of a secret, or more'], logger: new MemoryLogger() },
  });
  const errors = { InvalidGrant: Refused, TemporarilyUnavailable: Refused };
  const place = { records, errors, refreshGrace: 120_000, ended: async () => Promise.resolve() };
  return new Adapter(kind, place as unknown as AdapterPlace);
}

const payload = { exp: Math.floor(Date.now() / 1000) + 60 };

test('of all who use a code at once, one does', async () => {
  const codes = adapter('AuthorizationCode');
  await codes.upsert('a', payload, 60);
  const used = await Promise.allSettled(Array.from({ length: 10 }, () => codes.consume('a')));
  expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a refresh may be repeated five times, also at once', async () => {
  const tokens = adapter('RefreshToken');
  await tokens.upsert('a', payload, 60);
  const used = await Promise.allSettled(Array.from({ length: 10 }, () => tokens.consume('a')));
  expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  expect(await tokens.find('a')).not.toHaveProperty('consumed');
});
