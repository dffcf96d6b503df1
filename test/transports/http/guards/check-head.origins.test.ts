import { expect, test } from '@jest/globals';
import { openingOf } from '../../../../src/cli/target/serve-entry.ts';
import { guardSource } from '../../../../src/transports/http/guards/check-head.ts';

const APP = 'https://app.example';

test.each([
  ['localhost:3000', 'http://localhost:3000', true],
  ['127.0.0.1:3000', 'http://localhost:3000', true],
  ['localhost:3000', 'http://[::1]:3000', true],
  ['localhost', 'http://localhost', true],
  ['localhost:3000', 'http://localhost:9999', false],
  ['localhost:3000', 'http://127.0.0.1', false],
  ['localhost', 'http://localhost:9999', false],
  ['', 'http://localhost:9999', false],
  ['a b', 'http://localhost:9999', false],
  ['localhost:3000', 'null', false],
  ['localhost:3000', 'https://evil.example:3000', false],
  ['localhost:3000', APP, true],
] as const)(
  'at %s, where other ports are not allowed, a page of %s is allowed: %s',
  (host, origin, isAllowed) => {
    const settings = { allowedHosts: undefined, allowedOrigins: [APP] };
    const guard = (localOrigins: 'all' | 'own'): string | undefined =>
      guardSource({ host, origin }, { ...settings, localOrigins });
    if (isAllowed) expect(guard('own')).toBe(origin);
    else expect(() => guard('own')).toThrow('is not allowed; see the option allowedOrigins');
    const isLocal = /localhost|127\.0\.0\.1|::1/.test(origin);
    if (isLocal) expect(guard('all')).toBe(origin);
  },
);

test('what a command line says of origins comes on top of what the file says', () => {
  const opening = openingOf({ localOrigins: 'own', allowedOrigin: ['http://localhost:6274'] });
  expect(opening.listen({ port: 0, allowedOrigins: [APP] })).toMatchObject({
    allowedOrigins: [APP, 'http://localhost:6274'],
    localOrigins: 'own',
  });
  expect(opening.listen({ port: 0, localOrigins: 'all' })).toMatchObject({ localOrigins: 'all' });
});
