import { expect, test } from '@jest/globals';
import { createContractCache } from '../../src/compile/contract-cache.ts';
import type { JsonSchema } from '../../src/shared/json-schema.ts';

test('a source that cannot become a contract is reported for each place that asks for it', () => {
  const places: string[] = [];
  const contractOf = createContractCache((_code, { where }) => places.push(where));
  const broken: JsonSchema = { type: 'string' };
  const ofPlace = (where: string) => contractOf(broken, { unknownFields: 'strict', where });
  expect([ofPlace('tool "one"').names, ofPlace('tool "two"').names]).toEqual([[], []]);
  expect(places).toEqual([expect.stringContaining('"one"'), expect.stringContaining('"two"')]);
});

test('a source that has become a contract is made once', () => {
  const contractOf = createContractCache(() => undefined);
  const source: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
  const ofPlace = (where: string) => contractOf(source, { unknownFields: 'strict', where });
  expect(ofPlace('one')).toBe(ofPlace('two'));
});

test('a class that the scanner found sound is not looked at again', () => {
  class Bare {}
  const codes: string[] = [];
  const report = (code: string): void => void codes.push(code);
  const options = { unknownFields: 'strict', where: 'a test' } as const;
  createContractCache(report, { isScanned: true })(Bare, options);
  expect(codes).toEqual([]);
  createContractCache(report)(Bare, options);
  expect(codes).toEqual(['TW_SHAPE_UNDECORATED']);
});
