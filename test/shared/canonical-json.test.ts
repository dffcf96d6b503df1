import { expect, test } from '@jest/globals';
import { canonicalJson } from '../../src/shared/canonical-json.ts';

test('canonical JSON sorts keys at every level', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: undefined })).toBe('{"b":[{"c":null,"d":1}]}');
});
