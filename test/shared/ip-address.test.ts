import { isIPv4, isIPv6 } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressParts, networkOf, normalAddress } from '../../src/shared/ip-address.ts';
import { tries } from '../support/thorough.ts';

const near = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom('0', '1', '2', '9', 'a', 'f', ':', '::', '.', 'g'), maxLength: 20 }),
);

test('reads what Node takes for an address, and nothing else', () => {
  fc.assert(
    fc.property(near, (text) => {
      expect(addressParts(text)?.length).toBe(isIPv4(text) ? 4 : isIPv6(text) ? 8 : undefined);
    }),
    { numRuns: tries(200, 2000) },
  );
});

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ['::', '0:0:0:0:0:0:0:0'],
  ['unknown', undefined],
  ['1.2.3', undefined],
  ['01.2.3.4', undefined],
  ['1::2::3', undefined],
  ['', undefined],
])('writes %s as %s', (text, written) => {
  expect(normalAddress(text)).toBe(written);
});

test('counts IPv6 by its /64, and IPv4 by itself', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2:ffff::'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'));
});
