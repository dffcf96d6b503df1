import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BlockList, isIP } from 'node:net';
import {
  isLoopbackAddress,
  isLoopbackRedirect,
  isLoopbackUrl,
  isWrittenAsLoopback,
  reachesLoopback,
} from '../../src/shared/loopback.ts';
import { tries } from '../support/thorough.ts';

const runs = { numRuns: tries(500, 5000) };
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** What a URL says of its host, as each place asks. */
function verdictsOf(text: string): readonly boolean[] {
  const url = new URL(text);
  return [isLoopbackUrl(url), reachesLoopback(url), isWrittenAsLoopback(text), isLoopbackRedirect(text)];
}

test('addresses of sockets are on this machine as Node understands them', () => {
  const near = fc.ipV4().map((address) => address.replace(/^\d+/, '127'));
  const ipv4 = fc.oneof(fc.ipV4(), near);
  const mapped = fc.tuple(fc.constantFrom('::ffff:', '::FFFF:'), ipv4).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(ipv4, mapped, fc.ipV6(), fc.constant('::1')), (address) => {
      // Node writes an address in one form alone, which is the one that counts
      fc.pre(
        !address.includes(':') ||
          new URL(`http://[${address}]`).hostname === `[${address}]` ||
          /ffff:/i.test(address),
      );
      const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
      expect(isLoopbackAddress(address)).toBe(LOOPBACK.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4'));
    }),
    runs,
  );
});

test.each(['', 'localhost', '127.0.0', '::2', '127.0.0.1.evil.example', '::ffff:10.0.0.1', '[::1]'])(
  '%j does not name an address of this machine',
  (address) => {
    expect(isLoopbackAddress(address)).toBe(false);
  },
);

test.each([
  // url, named as browsers do, reached, written so, a redirect
  ['http://localhost', true, true, true, true],
  ['http://localhost:3000/a?b', true, true, true, true],
  ['http://127.0.0.1/', true, true, true, true],
  ['http://[::1]:80', true, true, true, true],
  ['https://localhost/', true, true, false, false],
  ['http://LOCALHOST/', true, true, false, false],
  ['HTTP://localhost/', true, true, false, false],
  ['http://127.1/', true, true, false, false],
  ['http://0x7f000001/', true, true, false, false],
  ['http://[0:0:0:0:0:0:0:1]/', true, true, false, false],
  ['http://127.0.0.2/', false, true, false, false],
  ['http://localhost./', false, true, false, false],
  ['http://app.localhost/', false, true, false, false],
  ['http://[::ffff:127.0.0.1]/', false, false, false, false],
  ['http://localhost.evil.example/', false, false, false, false],
  ['http://127.0.0.1.evil.example/', false, false, false, false],
  ['http://evil.example/localhost', false, false, false, false],
  ['http://localhost@evil.example/', false, false, false, false],
  ['http://localhost/#part', true, true, true, false],
  ['http://localhost?b', true, true, false, true],
] as const)('%s', (url, ...verdicts) => {
  expect(verdictsOf(url)).toEqual(verdicts);
});

test('who takes few names takes none that others do not', () => {
  const name = fc.constantFrom(
    'localhost',
    'LocalHost',
    '127.0.0.1',
    '127.1',
    '[::1]',
    'localhost.',
    'a.localhost',
    'evil.example',
  );
  const rest = fc.constantFrom('', '/', ':80', ':3000/a', '?b', '/#c', '.evil.example', '@evil.example');
  const url = fc
    .tuple(fc.constantFrom('http', 'https', 'HTTP'), name, rest)
    .map(([a, b, c]) => `${a}://${b}${c}`);
  fc.assert(
    fc.property(fc.oneof(url, fc.webUrl()), (text) => {
      fc.pre(URL.canParse(text));
      const [named, reached, , redirect] = verdictsOf(text);
      expect([named === true && reached !== true, redirect === true && named !== true]).toEqual([
        false,
        false,
      ]);
    }),
    runs,
  );
});
