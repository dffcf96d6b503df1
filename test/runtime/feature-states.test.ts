import { expect, test } from '@jest/globals';
import { createStates, findIssuer } from '../../src/runtime/feature-states.ts';
import type { RuntimeFacet, StateSource, TellFeatures } from '../../src/runtime/runtime-facet.ts';

declare module '../../src/runtime/runtime-facet.ts' {
  interface FeatureEvents {
    readonly 'sample:rang': { readonly bell: string };
  }
}

test('an event of a feature reaches all that listen to it, with their states', () => {
  const lines: string[] = [];
  let ring: TellFeatures | undefined;
  const bells: RuntimeFacet<string> = {
    name: 'bells',
    state: ({ tell }) => {
      ring = tell;
      return 'made';
    },
  };
  const listener = (name: string): RuntimeFacet<string> => ({
    name,
    state: () => `state of ${name}`,
    on: { 'sample:rang': ({ bell }, state) => void lines.push(`${name} ${bell} ${String(state)}`) },
  });
  const unwanted: RuntimeFacet<string> = { ...listener('garden'), wanted: () => false };
  const features = [
    bells,
    { name: 'deaf' },
    listener('house'),
    unwanted,
  ] as unknown as readonly RuntimeFacet[];
  createStates(features, {} as StateSource);
  ring?.('sample:rang', { bell: 'front' });
  expect(lines).toEqual(['house front state of house', 'garden front undefined']);
});

test('the first issuer that a feature has is taken', () => {
  const issuer = { verify: () => undefined, insufficientScope: () => undefined };
  const features = [
    { name: 'a' },
    { name: 'b', issuer: () => undefined },
    { name: 'c', issuer: () => issuer },
  ];
  expect(findIssuer(features, {}, () => 'https://a.example')).toBe(issuer);
  expect(findIssuer(features.slice(0, 2), {}, () => 'https://a.example')).toBeUndefined();
});
