import { Buffer } from 'node:buffer';
import { lookup, type LookupAddress } from 'node:dns';
import { request as requestOverTls } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const TIMEOUT = 3000;
const MAX_BYTES = 64 * 1024;

/** RFC 6890 and its successors: addresses that are not for everybody. */
const SPECIAL: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ...(
    [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 4],
      ['240.0.0.0', 4],
    ] as const
  ).map(([address, bits]) => [address, bits, 'ipv4'] as const),
];
const SPECIAL_IPV4 = new BlockList();
for (const [address, bits, family] of SPECIAL) SPECIAL_IPV4.addSubnet(address, bits, family);
/** What is for everybody in IPv6, and in it what is not, or leads to an address of IPv4. */
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
const SPECIAL_IPV6 = new BlockList();
SPECIAL_IPV6.addSubnet('2001::', 23, 'ipv6');
SPECIAL_IPV6.addSubnet('2001:db8::', 32, 'ipv6');
SPECIAL_IPV6.addSubnet('2002::', 16, 'ipv6');
SPECIAL_IPV6.addSubnet('3fff::', 20, 'ipv6');

/** Whether an address may be reached for somebody whom nobody knows. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_IPV4.check(address);
  if (isIP(address) !== 6) return false;
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
}

/** Looks a name up, and refuses all of it where one address is not public: before any connection. */
const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses: readonly LookupAddress[] = found;
    if (error !== null) {
      done(error, '', 4);
      return;
    }
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
      done(new Error('the name does not stand for a public address'), '', 4);
      return;
    }
    if (options.all === true) done(null, [...addresses]);
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  });
};

/**
 * Fetches what a client names, over TLS only: from public addresses, without redirects, and no more than 64 KiB in 3 s.
 * @throws Error in every other case
 */
export function fetchGuarded(url: string, init: RequestInit = {}): Promise<Response> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    if (target.protocol !== 'https:') throw new Error('only https is fetched');
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Error('the address is not public');
    const request = requestOverTls(
      target,
      {
        method: init.method ?? 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        agent: false,
        lookup: lookUpPublic,
      },
      (answer) => {
        const pieces: Buffer[] = [];
        let size = 0;
        answer.on('data', (piece: Buffer) => {
          size += piece.length;
          pieces.push(piece);
          if (size > MAX_BYTES) request.destroy(new Error('the answer is too large'));
        });
        answer.on('error', reject);
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer;
          const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
          if (status !== 200 || isEncoded) reject(new Error(`the answer has the status ${String(status)}`));
          else resolve(new Response(Buffer.concat(pieces), { status, headers: plainHeaders(headers) }));
        });
      },
    );
    // All of it, however slowly it comes
    const timer = setTimeout(() => request.destroy(new Error('the answer takes too long')), TIMEOUT);
    request.on('close', () => {
      clearTimeout(timer);
    });
    request.on('error', reject);
    request.end();
  });
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return ['content-type', 'cache-control', 'expires'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}
