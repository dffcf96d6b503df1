import { BlockList, isIPv4 } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ClientAddresses,
  proxiesRule,
  type AddressSource,
} from '../../../../src/transports/http/guards/client-address.ts';
import { tries } from '../../../support/thorough.ts';

function requestFrom(peer: string | undefined, forwarded?: string): AddressSource {
  const headers = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
  return {
    method: 'POST',
    url: new URL('http://localhost/mcp'),
    headers,
    peer,
    headerRecord: () => Object.fromEntries(headers),
  };
}

const addressOf = (proxies: readonly string[], peer: string | undefined, forwarded?: string) =>
  new ClientAddresses(proxies).of(requestFrom(peer, forwarded));

describe('the address of a client', () => {
  test('is that of the connection, whatever the request says', () => {
    expect(addressOf([], '192.0.2.1', '10.0.0.1')).toBe('192.0.2.1');
    expect(addressOf([], '::ffff:192.0.2.1', '10.0.0.1')).toBe('192.0.2.1');
    expect(addressOf(['10.0.0.0/8'], '192.0.2.1', '10.0.0.1')).toBe('192.0.2.1');
    expect(addressOf(['10.0.0.0/8'], undefined, '192.0.2.1')).toBeUndefined();
  });

  test.each([
    ['the last one that is not a proxy', '203.0.113.9, 192.0.2.1, 10.1.1.1', '192.0.2.1'],
    ['one with a port', '192.0.2.1:4711', '192.0.2.1'],
    ['one of IPv6 in brackets', '[2001:db8::1]:4711', '2001:db8:0:0:0:0:0:1'],
    ['that of the proxy where nothing is said', '', '10.0.0.2'],
    ['that of the proxy where no address is said', '192.0.2.1, unknown', '10.0.0.2'],
    ['the first one where all are proxies', '10.0.0.8, 10.0.0.9', '10.0.0.8'],
  ])('behind a proxy is %s', (_what, forwarded, address) => {
    expect(addressOf(['10.0.0.0/8'], '10.0.0.2', forwarded)).toBe(address);
  });

  test('is what the function gives', () => {
    const given = new ClientAddresses([], ({ headers }) => headers['x-forwarded-for']);
    expect(given.of(requestFrom(undefined, '2001:db8::1'))).toBe('2001:db8:0:0:0:0:0:1');
    expect(given.of(requestFrom('192.0.2.1'))).toBeUndefined();
  });
});

// Of one kind: a network of IPv6 has no addresses of IPv4 here, while Node finds mapped ones in it
const networks = fc.oneof(
  fc.record({ address: fc.ipV4(), bits: fc.nat({ max: 32 }), peer: fc.ipV4() }),
  fc.record({ address: fc.ipV6(), bits: fc.nat({ max: 128 }), peer: fc.ipV6() }),
);

test('takes for a proxy what Node finds in the network', () => {
  fc.assert(
    fc.property(networks, ({ address, bits, peer }) => {
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      const client = family === 'ipv4' ? '2001:db8:0:0:0:0:0:1' : '192.0.2.1';
      const list = new BlockList();
      list.addSubnet(address, bits, family);
      for (const from of [address, peer]) {
        const found = addressOf([`${address}/${String(bits)}`], from, client);
        expect(found === client).toBe(list.check(from, family));
      }
    }),
    { numRuns: tries(100, 1000) },
  );
});

test.each(['10.0.0.0/33', '10.0.0/8', 'proxy.example', '::1/129', '10.0.0.1/8/8', '10.0.0.1/-1', ''])(
  'refuses %j as a proxy',
  (text) => {
    expect(proxiesRule.faultsOf([text], 'trustedProxies')).toHaveLength(1);
  },
);
