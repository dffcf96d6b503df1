import { expect, test } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import {
  ArrayContains,
  ArrayNotContains,
  ArrayUnique,
  Equals,
  IsArray,
  IsDate,
  IsDivisibleBy,
  IsEmail,
  IsInt,
  IsNotEmptyObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinDate,
  MinLength,
  NotContains,
  Validate,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { emitJsonSchema } from '../../../src/dto/schema/emit-json-schema.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import { accepts, emit, field } from './emit-helpers.ts';

class Inner {
  @IsInt() size!: number;
}

test('closes every object when unknown fields are strict, and none when they are stripped', () => {
  class Dto {
    @ValidateNested() inner!: Inner;
  }
  const strict = emit(Dto).schema;
  expect(strict.additionalProperties).toBe(false);
  expect(strict.properties?.['inner']?.additionalProperties).toBe(false);
  expect(JSON.stringify(emitJsonSchema(readShape(Dto), 'strip').schema)).not.toContain(
    'additionalProperties',
  );
});

test('writes shared classes inline, and definitions for recursive ones only', () => {
  class Node {
    @IsArray() @ValidateNested({ each: true }) @Type(() => Node) children: Node[] = [];
    @IsOptional() @ValidateNested() left?: Inner;
    @IsOptional() @ValidateNested() right?: Inner;
  }
  const { schema } = emit(Node);
  expect(Object.keys(schema.$defs ?? {})).toEqual(['Node']);
  expect(schema.type).toBe('object');
  expect(schema.properties?.['children']?.items).toEqual({ $ref: '#/$defs/Node' });
  expect(accepts(Node)({ children: [{ children: [{ left: { size: 1 } }] }] })).toBe(true);
  expect(accepts(Node)({ children: [{ children: [{ left: { size: 'x' } }] }] })).toBe(false);
});

test('writes sub-types that contain their own union', () => {
  class Part {
    @IsString() name!: string;
  }
  class Group extends Part {
    @IsArray()
    @ValidateNested({ each: true })
    @Type(() => Part, {
      discriminator: {
        property: 'type',
        subTypes: [
          { name: 'part', value: Part },
          { name: 'group', value: Group },
        ],
      },
    })
    parts: Part[] = [];
  }
  const part = { type: 'part', name: 'a' };
  expect(accepts(Group)({ name: 'g', parts: [{ type: 'group', name: 'h', parts: [part] }] })).toBe(true);
  expect(accepts(Group)({ name: 'g', parts: [{ type: 'group', name: 'h', parts: [{ name: 'a' }] }] })).toBe(
    false,
  );
});

test('writes bounds, formats, values and array rules', () => {
  class Dto {
    @IsInt() @IsPositive() @Max(9) @IsDivisibleBy(3) three!: number;
    @IsString() @MinLength(2) @MaxLength(4) text!: string;
    @IsEmail() email!: string;
    @IsUrl() link!: string;
    @Equals('yes') sure!: string;
    @NotContains('a.b') plain!: string;
    @IsArray()
    @ArrayUnique()
    @ArrayContains(['a'])
    @ArrayNotContains(['b'])
    @IsString({ each: true })
    tags!: string[];
    @IsNotEmptyObject() map!: object;
  }
  expect(emit(Dto).schema.properties).toEqual({
    three: { type: 'integer', exclusiveMinimum: 0, maximum: 9, multipleOf: 3 },
    text: { type: 'string', minLength: 2, maxLength: 4 },
    email: { type: 'string', format: 'email' },
    link: { type: 'string', format: 'uri' },
    sure: { type: 'string', const: 'yes' },
    plain: { type: 'string', not: { pattern: 'a\\.b' } },
    tags: {
      type: 'array',
      items: { type: 'string' },
      uniqueItems: true,
      allOf: [{ contains: { const: 'a' } }],
      not: { contains: { enum: ['b'] } },
    },
    map: { type: 'object', minProperties: 1 },
  });
});

test('takes the tighter of two bounds and keeps two patterns', () => {
  class Dto {
    @Min(1) @Min(5) number!: number;
    @Matches(/^a/) @Matches(/b$/) text!: string;
  }
  expect(field(Dto, 'number')).toEqual({ type: 'number', minimum: 5 });
  expect(accepts(Dto)({ number: 5, text: 'ab' })).toBe(true);
  expect(accepts(Dto)({ number: 5, text: 'ac' })).toBe(false);
});

test('writes dates as strings and describes their bounds', () => {
  class Dto {
    @IsDate() @MinDate(new Date(0)) due!: Date;
  }
  const due = field(Dto, 'due');
  expect(due).toMatchObject({ type: 'string', format: 'date-time' });
  expect(due?.description).toContain('1970-01-01T00:00:00.000Z');
});

test('leaves out what validateIf makes conditional, and says so', () => {
  class Dto {
    @IsString() @MinLength(3, { validateIf: () => false }) text!: string;
  }
  expect(field(Dto, 'text')).toEqual({
    type: 'string',
    description: 'Under a condition must be longer than or equal to 3 characters.',
  });
});

test('describes the validators of the user and what a transformed value has to become', () => {
  @ValidatorConstraint({ name: 'isFree' })
  class IsFree {
    validate(): boolean {
      return true;
    }
    defaultMessage(): string {
      return '$property is taken';
    }
  }
  class Dto {
    @IsString() @Validate(IsFree) name!: string;
    @Transform(({ value }) => Number(value)) @IsInt() @Min(1) count!: number;
  }
  expect(field(Dto, 'name')).toEqual({ type: 'string', description: 'Is also checked by isFree: is taken.' });
  expect(field(Dto, 'count')).toEqual({
    type: ['string', 'integer'],
    description: 'Is converted before it is checked. Has to become integer, at least 1.',
  });
});

test('compares unique items as a whole only without an identifier', () => {
  class Dto {
    @IsArray() @ArrayUnique((item: { id?: string }) => item.id) items!: object[];
  }
  expect(field(Dto, 'items')?.['uniqueItems']).toBeUndefined();
  expect(emit(Dto).looseFields).toHaveLength(1);
});
