import { expect, test } from '@jest/globals';
import { ContractCache } from '../../../src/compile/contracts/input-contracts.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';

test('a source that cannot become a contract is reported for each place that asks for it', () => {
  const problems = new ProblemList();
  const contracts = new ContractCache(problems);
  const broken: JsonSchema = { type: 'string' };
  const ofPlace = (where: string) => contracts.input(broken, { unknownFields: 'strict', where });
  expect([ofPlace('tool "one"').names, ofPlace('tool "two"').names]).toEqual([[], []]);
  expect(problems.problems.map(({ where }) => where)).toEqual([
    expect.stringContaining('"one"'),
    expect.stringContaining('"two"'),
  ]);
});

test('a source that has become a contract is made once', () => {
  const contracts = new ContractCache(new ProblemList());
  const source: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
  const ofPlace = (where: string) => contracts.input(source, { unknownFields: 'strict', where });
  expect(ofPlace('one')).toBe(ofPlace('two'));
});

test('a class that the scanner found sound is not looked at again', () => {
  class Bare {}
  const problems = new ProblemList();
  const options = { unknownFields: 'strict', where: 'a test' } as const;
  new ContractCache(problems, { isScanned: true }).input(Bare, options);
  expect(problems.problems).toEqual([]);
  new ContractCache(problems).input(Bare, options);
  expect(problems.problems).toMatchObject([{ code: 'TW_SHAPE_UNDECORATED' }]);
});
