/** What no subscription may name: a title, the URIs, and the reason that a client gets. */
export const tooLarge: [string, readonly string[], string][] = [
  [
    'too many resources',
    Array<string>(1001).fill('memo:one'),
    'resourceSubscriptions names 1001 URIs; at most 1000 are allowed',
  ],
  [
    'a resource with an overlong URI',
    ['x'.repeat(8193)],
    'a URI in resourceSubscriptions is longer than 8192 characters',
  ],
  [
    'resources with too long URIs together',
    Array<string>(17).fill('ä'.repeat(2000)),
    'the URIs in resourceSubscriptions have 68000 bytes; at most 65536 are allowed',
  ],
];
