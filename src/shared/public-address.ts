import { BlockList, isIP } from 'node:net';

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
