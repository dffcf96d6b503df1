import { describe, expect, test } from '@jest/globals';
import { IsArray, IsEnum, IsIn, IsNotIn, IsOptional } from 'class-validator';
import { createClassContract } from '../../../src/compile/contracts/create-contract.ts';
import { strict } from '../../support/check-helpers.ts';

const LENGTH = 2000;
let reads = 0;
const counted = <List extends object>(list: List): List =>
  new Proxy(list, {
    get: (target, name, receiver) => {
      reads += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
const VALUES = Array.from({ length: LENGTH }, (_, index) => `value-${String(index)}`);
const LIST = counted(VALUES);
const ENUM = counted(Object.fromEntries(VALUES.map((value) => [value, value])));

class Lists {
  @IsOptional() @IsArray() @IsIn(LIST, { each: true }) isIn?: string[];
  @IsOptional() @IsArray() @IsNotIn(LIST, { each: true }) isNotIn?: string[];
  @IsOptional() @IsArray() @IsEnum(ENUM, { each: true }) isEnum?: string[];
}

const LAST = Array.from({ length: LENGTH }, () => VALUES.at(-1));
const OTHER = Array.from({ length: LENGTH }, (_, index) => `other-${String(index)}`);

describe.each(['generated', 'closures', 'class-stack'] as const)(
  'a long list of allowed values, by %s',
  (path) => {
    test.each<[string, object, boolean]>([
      ['that are all the last one', { isIn: LAST }, true],
      ['that are all wrong', { isIn: OTHER }, false],
      ['that are all right, of a list of others', { isNotIn: OTHER }, true],
      ['that are all wrong, of a list of others', { isNotIn: LAST }, false],
      ['of an enum', { isEnum: LAST }, true],
      ['of an enum, all wrong', { isEnum: OTHER }, false],
    ])('is not gone through for each of the values %s', async (_kind, value, isRight) => {
      const { check } = createClassContract(Lists, { ...strict, path });
      await check({ isIn: ['value-1'] });
      reads = 0;
      const outcome = await check(value as never);
      expect(outcome.ok).toBe(isRight);
      // Ten million, if each value were compared with each
      expect(reads).toBeLessThan(50 * LENGTH);
    });
  },
);
