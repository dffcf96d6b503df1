import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
  registerDecorator,
} from 'class-validator';
import fc from 'fast-check';
import { createClassContract } from '../../../src/compile/contracts/create-contract.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { tries } from '../../support/thorough.ts';

class Line {
  @IsString() @Matches(/^[a-z]+$/) @MaxLength(4) id!: string;
  @IsOptional() @IsInt() count?: number;
}

class Order {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(4)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  @IsOptional() @IsString() note?: string;
}

class Basket {
  @IsArray() @IsObject({ each: true }) @ValidateNested({ each: true }) @Type(() => Order) orders!: Order[];
  @ValidateNested() @Type(() => Order) first!: Order;
  @IsString() title!: string;
}

const contractOf = (type: Class, path: 'generated' | 'closures' | 'class-stack') =>
  createClassContract(type, { unknownFields: 'strict', where: 'a test', path });

const line = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom({ id: 'a' }, { id: 'b', count: 1 }) },
  fc.constantFrom({ id: 1 }, { id: 'A' }, { id: 'abcdef' }, { id: 'a', more: 1 }, {}, null, 7, [], 'a'),
);
const order = fc.record(
  {
    lines: fc.oneof(fc.array(line, { maxLength: 6 }), fc.constantFrom(null, {}, 'a')),
    note: fc.constantFrom('a', 1),
  },
  { requiredKeys: [] },
);
const basket = fc.record(
  {
    orders: fc.oneof(
      { weight: 9, arbitrary: fc.array(order, { maxLength: 5 }) },
      fc.constantFrom(null, 7, {}),
    ),
    first: fc.oneof(order, fc.constantFrom(null, [])),
    title: fc.constantFrom('a', 1),
  },
  { requiredKeys: [] },
);

describe.each(['generated', 'closures'] as const)(
  'what the libraries are not shown, checked by %s',
  (path) => {
    test('changes nothing of what is reported for a value', async () => {
      const [both, libraries] = [contractOf(Basket, path), contractOf(Basket, 'class-stack')];
      await fc.assert(
        fc.asyncProperty(basket, async (value) => {
          expect(await both.check(value)).toEqual(await libraries.check(value));
        }),
        { numRuns: tries(50, 300) },
      );
    });

    test('is whatever is right with the items of a list', async () => {
      const lines = Array.from({ length: 3_000 }, () => ({ id: 'a' }));
      const value = {
        orders: Array.from({ length: 5 }, () => ({ lines: lines.slice(0, 3) })),
        first: { lines },
      };
      const outcome = await contractOf(Basket, path).check({ ...value, title: 1 });
      expect(outcome).toMatchObject({
        ok: false,
        issues: [
          { path: 'first.lines', message: 'lines must contain no more than 4 elements' },
          { path: 'title' },
        ],
      });
    });

    test('takes so little time that the mistake of a neighbour costs a fraction', async () => {
      class Lines {
        @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
        @IsString() title!: string;
      }
      const value = { lines: Array.from({ length: 20_000 }, () => ({ id: 'a', count: 1 })), title: 1 };
      const timed = async (one: typeof path | 'class-stack'): Promise<number> => {
        const { check } = contractOf(Lines, one);
        await check({ lines: value.lines.slice(0, 100), title: 1 });
        const start = performance.now();
        expect(await check(value)).toMatchObject({ ok: false, issues: [{ path: 'title' }] });
        return performance.now() - start;
      };
      expect(await timed(path)).toBeLessThan((await timed('class-stack')) / 2);
    });

    test('is all that is wrong after as many items as are reported', async () => {
      let told = 0;
      class Item {
        @IsString({ message: () => `no text, the ${String((told += 1))}.` }) id!: string;
      }
      class Items {
        @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
      }
      const items = Array.from({ length: 5_000 }, (_, index) => (index < 1_000 ? { id: 'a' } : {}));
      const outcome = await contractOf(Items, path).check({ items });
      expect(outcome).toMatchObject({ ok: false, issues: { 0: { path: 'items.1000.id' }, length: 200 } });
      expect(told).toBe(200);
    });

    test('is nothing where a rule of the user looks at a list or at its neighbours', async () => {
      const seen: unknown[] = [];
      const Sees =
        () =>
        (target: object, propertyName: string): void => {
          registerDecorator({
            ...{ name: 'sees', target: target.constructor, propertyName },
            validator: {
              validate: (_value, args) => {
                seen.push(
                  (args?.object as { lines: unknown[] }).lines.filter((one) => one instanceof Line).length,
                );
                return true;
              },
            },
          });
        };
      class Seeing {
        @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
        @Sees() @IsString() title!: string;
      }
      const lines = [{ id: 'a' }, { id: 'b' }];
      expect(await contractOf(Seeing, path).check({ title: 1, lines })).toMatchObject({ ok: false });
      expect(new Set(seen)).toEqual(new Set([2]));
    });

    test('is checked after all where the libraries find nothing wrong with the rest', async () => {
      class Text {
        @IsString() id!: string;
      }
      class Texts {
        @IsArray() @ValidateNested({ each: true }) @Type(() => Text) texts!: Text[];
      }
      // an object with a class of its own is left to the libraries, which take it
      const made = Object.assign(new (class Given {})(), { id: 'b' });
      const outcome = await contractOf(Texts, path).check({ texts: [{ id: 'a' }, made, { id: 'c' }] });
      if (!outcome.ok) throw new Error('it was refused');
      const { texts } = outcome.value as Texts;
      expect(texts.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      expect(texts.every((one) => one instanceof Text)).toBe(true);
    });
  },
);
