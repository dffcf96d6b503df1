import { describe, expect, test } from '@jest/globals';
import { Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  ValidateNested,
  registerDecorator,
  Validate,
  ValidatorConstraint,
} from 'class-validator';
import type { Contract } from '../../../src/compile/contracts/contract.ts';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { Field } from '../../../src/decorators/members.ts';
import { ApplicationError } from '../../../src/errors/problem-list.ts';
import { check, issues, strict, valueOf } from '../../support/check-helpers.ts';
import { Port, Server } from '../../support/server-input.ts';

describe('hydration', () => {
  test('gives an instance, nested ones included, with the defaults of the initialisers', () => {
    const server = valueOf(
      check(Server, { host: 'ab', open: [{ number: 1 }], main: { number: 2 } }),
    ) as Server;
    expect(server).toBeInstanceOf(Server);
    expect(server.open?.[0]).toBeInstanceOf(Port);
    expect(server.main).toBeInstanceOf(Port);
    expect(server.ports).toEqual([80]);
  });

  test('fills in the defaults that @Field declares, a new copy each time', () => {
    class Dto {
      @IsArray() @Field({ default: ['a'] }) tags!: string[];
    }
    const first = valueOf(check(Dto, {})) as Dto;
    const second = valueOf(check(Dto, {})) as Dto;
    expect(first.tags).toEqual(['a']);
    expect(first.tags).not.toBe(second.tags);
  });

  test('makes dates of strings without any @Type', () => {
    class Dto {
      @IsDate() due!: Date;
    }
    expect((valueOf(check(Dto, { due: '2020-01-01T00:00:00Z' })) as Dto).due).toEqual(new Date('2020-01-01'));
    expect(issues(Dto, { due: 'soon' })[0]).toMatchObject({ received: 'string "soon"' });
  });

  test('makes Maps and Sets where @Type says what is in them', () => {
    class Dto {
      @Type(() => Number) @IsNumber({}, { each: true }) scores!: Map<string, number>;
      @Type(() => String) @IsString({ each: true }) names!: Set<string>;
    }
    const dto = valueOf(check(Dto, { scores: { a: 1 }, names: ['x', 'x'] })) as Dto;
    expect(dto.scores).toEqual(new Map([['a', 1]]));
    expect(dto.names).toEqual(new Set(['x']));
  });

  test('reports names that a Map cannot take over from JSON', () => {
    class Dto {
      @Type(() => Number) @IsNumber({}, { each: true }) scores!: Map<string, number>;
    }
    expect(issues(Dto, { scores: { get: 1 } })).toMatchObject([
      { path: 'scores.get', message: 'unknown field' },
    ]);
  });

  test('converts what @Transform converts and does not convert anything by itself', () => {
    class Dto {
      @Transform(({ value }) => Number(value)) @IsInt() count!: number;
      @IsInt() plain!: number;
    }
    expect(valueOf(check(Dto, { count: '3', plain: 1 }))).toEqual({ count: 3, plain: 1 });
    expect(issues(Dto, { count: '3', plain: '1' }).map(({ path }) => path)).toEqual(['plain']);
  });

  test('picks the sub-type that the discriminator names, and refuses others', () => {
    class Shape {
      @IsInt() size!: number;
    }
    class Circle extends Shape {}
    class Square extends Shape {
      @IsOptional() @IsString() corner?: string;
    }
    class Dto {
      @IsArray()
      @ValidateNested({ each: true })
      @Type(() => Shape, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { name: 'circle', value: Circle },
            { name: 'square', value: Square },
          ],
        },
      })
      shapes!: Shape[];
    }
    const input = { shapes: [{ kind: 'square', size: 1, corner: 'a' }] };
    const dto = valueOf(check(Dto, input)) as Dto;
    expect(dto.shapes[0]).toBeInstanceOf(Square);
    expect(input.shapes[0]).toHaveProperty('kind');
    expect(issues(Dto, { shapes: [{ kind: 'sqare', size: 1 }, null, { size: 1 }] })).toMatchObject([
      { path: 'shapes.0.kind', suggestion: 'square', expected: 'one of: circle, square' },
      { path: 'shapes.2.kind', received: 'nothing' },
    ]);
  });

  test('uses exposed names in the input and in the issues', () => {
    class Dto {
      @Expose({ name: 'full_name' }) @IsString() fullName!: string;
    }
    expect(valueOf(check(Dto, { full_name: 'a' }))).toEqual({ fullName: 'a' });
    expect(issues(Dto, { fullName: 'a' }).map(({ path }) => path)).toEqual(['fullName', 'full_name']);
  });

  test('keeps what field initialisers add beside the declared properties', () => {
    class Dto {
      @IsString() name!: string;
      helper = 3;
    }
    expect(valueOf(check(Dto, { name: 'a' }))).toEqual({ name: 'a', helper: 3 });
    expect(issues(Dto, { name: 'a', helper: 4 })).toMatchObject([
      { path: 'helper', message: 'unknown field' },
    ]);
  });

  test('never changes the input', () => {
    const input = Object.freeze({ host: 'ab', labels: Object.freeze({ a: Object.freeze([1]) }) });
    expect(check(Server, input).ok).toBe(true);
  });
});

describe('the contract', () => {
  enum Size {
    s,
    m,
  }
  class Dto {
    @IsEnum(Size) size!: Size;
    @IsEmail() mail!: string;
  }

  test('is frozen and says what it declares', () => {
    const contract: Contract = createContract(Dto, strict);
    expect(contract).toMatchObject({
      source: Dto,
      type: Dto,
      names: ['size', 'mail'],
      acceptsFurtherNames: false,
    });
    expect(Object.isFrozen(contract) && Object.isFrozen(contract.schema.properties?.['size'])).toBe(true);
  });

  test('refuses the name of a numeric enum, which class-validator accepts and the schema does not offer', () => {
    expect(check(Dto, { size: 0, mail: 'a@b.co' }).ok).toBe(true);
    expect(issues(Dto, { size: 's', mail: 'a@b.co' })).toEqual([
      { path: 'size', message: 'must be one of: 0, 1', expected: 'one of: 0, 1', received: 'string "s"' },
    ]);
  });

  test('refuses what only a conversion makes valid, unless the schema says that it is accepted', () => {
    class Converted {
      @Type(() => Number) @IsInt() count!: number;
      @Type(() => Boolean) @IsBoolean() flag!: boolean;
      @Type(() => Number) @IsInt() @Field({ type: ['integer', 'string'] }) either!: number;
    }
    const valid = { count: 1, flag: false, either: '7' };
    expect(valueOf(check(Converted, valid))).toEqual({ count: 1, flag: false, either: 7 });
    expect(issues(Converted, { ...valid, count: '1', flag: 'false' }).map(({ path }) => path)).toEqual([
      'count',
      'flag',
    ]);
    expect(createContract(Converted, strict).schema.properties?.['either']).toEqual({
      type: ['integer', 'string'],
    });
  });

  test('of a class that can never work is refused with every reason', () => {
    class Broken {
      @IsArray() @ValidateNested({ each: true }) items!: object[];
      @Field('Forgotten') note!: string;
    }
    class OneProblem {
      @Max(3) count!: number;
      @Field('Forgotten') note!: string;
    }
    expect(() => createContract(Broken, strict)).toThrow(ApplicationError);
    expect(() => createContract(OneProblem, strict)).toThrow(
      'TW_SHAPE_FIELD_WITHOUT_VALIDATOR: OneProblem.note',
    );
    expect(() => createContract(class Plain {}, strict)).toThrow('TW_SHAPE_UNDECORATED');
  });
});

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
