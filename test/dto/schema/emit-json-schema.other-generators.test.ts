import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsDateString,
  IsEnum,
  IsIBAN,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsNumber,
  IsNumberString,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Field } from '../../../src/decorators/members.ts';
import { accepts, emit, field } from './emit-helpers.ts';

enum Level {
  low,
  high,
}

class Inner {
  @IsInt() size!: number;
}

describe('what other generators get wrong', () => {
  test('two classes of one name stay two definitions', () => {
    const first = (() => {
      class Input {
        @IsOptional() @ValidateNested() @Type(() => Input) next?: unknown;
        @IsString() a!: string;
      }
      return Input;
    })();
    const second = (() => {
      class Input {
        @IsOptional() @ValidateNested() @Type(() => Input) next?: unknown;
        @IsInt() b!: number;
      }
      return Input;
    })();
    class Root {
      @ValidateNested() @Type(() => first) first: unknown;
      @ValidateNested() @Type(() => second) second: unknown;
    }
    const { $defs = {} } = emit(Root).schema;
    expect(Object.keys($defs)).toEqual(['Input', 'Input_2']);
    expect($defs['Input']?.required).toEqual(['a']);
    expect($defs['Input_2']?.required).toEqual(['b']);
  });

  test('the numbers of a numeric enum are reachable', () => {
    class Dto {
      @IsEnum(Level) level!: Level;
    }
    expect(field(Dto, 'level')).toEqual({ type: 'integer', enum: [0, 1] });
  });

  test('a pattern whose flags count is left out and described', () => {
    class Dto {
      @Matches(/^a+$/i) @Field('Code') code!: string;
    }
    expect(field(Dto, 'code')).toEqual({ type: 'string', description: 'Code. Must match /^a+$/i.' });
    expect(emit(Dto).looseFields).toEqual([{ field: 'code', reason: 'must match /^a+$/i' }]);
  });

  test('an address of any IP version is accepted', () => {
    class Dto {
      @IsIP() address!: string;
    }
    expect([accepts(Dto)({ address: '::1' }), accepts(Dto)({ address: '127.0.0.1' })]).toEqual([true, true]);
    expect(accepts(Dto)({ address: 'home' })).toBe(false);
  });

  test('a date string needs neither time nor fractions', () => {
    class Dto {
      @IsDateString() day!: string;
    }
    expect(accepts(Dto)({ day: '2020-01-01' })).toBe(true);
    expect(accepts(Dto)({ day: '2020-01-01T10:00:00Z' })).toBe(true);
    expect(accepts(Dto)({ day: 'soon' })).toBe(false);
  });

  test('a number string may have decimals', () => {
    class Dto {
      @IsNumberString() amount!: string;
    }
    expect(accepts(Dto)({ amount: '1.5' })).toBe(true);
  });

  test('sub-types are distinguished by their discriminator', () => {
    abstract class Payment {
      @IsString() kind!: string;
    }
    class Card extends Payment {
      @IsString() number!: string;
    }
    class Cash extends Payment {}
    class Dto {
      @ValidateNested()
      @Type(() => Payment, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { name: 'card', value: Card },
            { name: 'cash', value: Cash },
          ],
        },
        keepDiscriminatorProperty: true,
      })
      payment!: Payment;
    }
    expect(field(Dto, 'payment')?.anyOf?.map(({ properties }) => properties?.['kind'])).toEqual([
      { type: 'string', const: 'card' },
      { type: 'string', const: 'cash' },
    ]);
    expect(accepts(Dto)({ payment: { kind: 'cash' } })).toBe(true);
    expect(accepts(Dto)({ payment: { kind: 'card' } })).toBe(false);
  });

  test('arrays in arrays keep the type of their items', () => {
    class Dto {
      @IsArray() @IsArray({ each: true }) @ValidateNested({ each: true }) @Type(() => Inner) rows!: Inner[][];
    }
    expect(field(Dto, 'rows')?.items).toMatchObject({
      type: 'array',
      items: { type: 'object', required: ['size'] },
    });
  });

  test('a field has null among its types only where its author says so', () => {
    class Dto {
      @IsOptional() @IsString() note?: string;
      @IsOptional() @IsString() cleared?: string = null as never;
      @IsOptional() @IsIn(['a', null]) listed?: string | null;
      @IsOptional() @ValidateNested() @Field({ nullable: true }) inner?: Inner | null;
      @IsInt() @Field({ nullable: true }) size!: number | null;
    }
    expect(field(Dto, 'note')).toEqual({ type: 'string' });
    expect(field(Dto, 'cleared')).toEqual({ type: 'string' });
    expect(field(Dto, 'size')).toEqual({ type: ['integer', 'null'] });
    expect(accepts(Dto)({ listed: null, inner: null, size: null })).toBe(true);
    expect(accepts(Dto)({ listed: null, inner: null })).toBe(false);
  });

  test('each of several formats stands by itself, with its type', () => {
    class Dto {
      @IsDateString() day!: string;
      @IsIP() @MaxLength(40) @Field({ nullable: true }) host!: string | null;
      @IsArray() @IsISO8601({}, { each: true }) days!: string[];
      @IsDateString() @Field({ header: 'Day' }) sent!: string;
    }
    const dates = [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ];
    expect(field(Dto, 'day')).toEqual({ anyOf: dates });
    expect(field(Dto, 'host')).toEqual({
      anyOf: [
        { type: 'string', maxLength: 40, format: 'ipv4' },
        { type: 'string', maxLength: 40, format: 'ipv6' },
        { type: 'null' },
      ],
    });
    expect(field(Dto, 'days')).toEqual({ type: 'array', items: { anyOf: dates } });
    expect(field(Dto, 'sent')).toEqual({ type: 'string', 'x-mcp-header': 'Day' });
  });

  test('@ValidateNested alone does not require the field', () => {
    class Dto {
      @ValidateNested() inner!: Inner;
    }
    expect(emit(Dto).schema.required).toBeUndefined();
  });

  test('no rule vanishes without a word', () => {
    class Dto {
      @IsUUID('4') id!: string;
      @IsNumber({ maxDecimalPlaces: 2 }) price!: number;
      @ValidateIf((dto: Dto) => dto.price > 1) @IsString() reason!: string;
      @IsIBAN() account!: string;
    }
    expect(accepts(Dto)({ id: '00000000-0000-1000-8000-000000000000', price: 1, account: '' })).toBe(false);
    expect(emit(Dto).looseFields).toEqual([
      { field: 'price', reason: 'must have at most 2 decimal places' },
      { field: 'reason', reason: 'is checked only under a condition that depends on other fields' },
      { field: 'account', reason: 'must be an IBAN' },
    ]);
  });

  test('descriptions, defaults, examples and the rest of @Field are published', () => {
    class Dto {
      @IsInt()
      @Field({ title: 'Page', description: 'Which page', examples: [2], deprecated: true, format: 'int32' })
      page = 1;
    }
    expect(field(Dto, 'page')).toEqual({
      type: 'integer',
      format: 'int32',
      title: 'Page',
      description: 'Which page',
      default: 1,
      examples: [2],
      deprecated: true,
    });
  });
});
