import { describe, expect, test } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import {
  IsNumber,
  IsOptional,
  IsString,
  registerDecorator,
  Validate,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { check, issues, strict } from '../../support/check-helpers.ts';

describe('trouble in the class stack', () => {
  test('of a number without decimal places is an issue', () => {
    class Dto {
      @IsNumber({ maxDecimalPlaces: 2 }) price!: number;
      @IsString() name!: string;
    }
    expect(issues(Dto, { price: 1e-7, name: 1 }).map(({ path }) => path)).toEqual(['price', 'name']);
  });

  test('of a validator that throws is an issue without its message', async () => {
    @ValidatorConstraint({ name: 'broken' })
    class Broken {
      validate(): boolean {
        throw new Error('secret');
      }
    }
    class Dto {
      @Validate(Broken) value!: string;
    }
    const outcome = await createContract(Dto, strict).check({ value: 'a' });
    expect(outcome).toMatchObject({ ok: false, issues: [{ path: 'value' }] });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test('of a transform that throws is an issue', () => {
    class Dto {
      @Transform(({ value }) => (value as string).trim()) @IsString() text!: string;
    }
    expect(issues(Dto, { text: 5 })).toHaveLength(1);
  });

  test.each([64, 10_000])('does not come from input that is nested %d levels deep', (depth) => {
    class Node {
      @IsOptional() @ValidateNested() @Type(() => Node) child?: unknown;
      @IsOptional() free?: unknown;
    }
    let child: object = {};
    let free: object = {};
    for (let level = 0; level < depth; level += 1) {
      child = { child };
      free = level % 2 === 0 ? [free] : { free };
    }
    const isFine = depth < 100;
    expect(check(Node, child).ok).toBe(isFine);
    expect(check(Node, { free }).ok).toBe(isFine);
    if (!isFine)
      expect(issues(Node, child)).toMatchObject([{ path: 'child', message: 'is nested too deeply' }]);
  });
});

describe('asynchronous validators', () => {
  @ValidatorConstraint({ name: 'isFree', async: true })
  class IsFree {
    validate(value: unknown): Promise<boolean> {
      return Promise.resolve(value === 'free');
    }
    defaultMessage(): string {
      return '$property is taken';
    }
  }

  function IsLater(): PropertyDecorator {
    return (target, property) => {
      registerDecorator({
        name: 'isLater',
        target: target.constructor,
        propertyName: property as string,
        // not marked as asynchronous: validateSync would take the promise for a yes
        validator: {
          validate: (value: unknown) => (value === undefined ? false : Promise.resolve(value === 'later')),
        },
      });
    };
  }

  test('are awaited', async () => {
    class Dto {
      @Validate(IsFree) name!: string;
    }
    const contract = createContract(Dto, strict);
    expect(await contract.check({ name: 'free' })).toMatchObject({ ok: true });
    expect(await contract.check({ name: 'gone' })).toMatchObject({ issues: [{ message: 'name is taken' }] });
  });

  test('are awaited although they are not declared asynchronous', async () => {
    class Dto {
      @IsLater() when!: string;
    }
    expect(await createContract(Dto, strict).check({ when: 'now' })).toMatchObject({ ok: false });
  });

  test('that reject are an issue', async () => {
    class Rejects {
      validate(): Promise<boolean> {
        return Promise.reject(new Error('no database'));
      }
    }
    ValidatorConstraint({ name: 'rejects', async: true })(Rejects);
    class Dto {
      @Validate(Rejects) name!: string;
    }
    expect(await createContract(Dto, strict).check({ name: 'a' })).toMatchObject({ ok: false });
  });
});
