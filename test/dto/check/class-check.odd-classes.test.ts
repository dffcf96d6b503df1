import { describe, expect, jest, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  Allow,
  IsDate,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { checkerOf, PATHS } from './checkers.ts';

class Item {
  @IsString() sku!: string;
  @IsInt() count = 1;
}

describe.each(PATHS)('%s', (path) => {
  test('dates are dates, also while a test has exchanged them', () => {
    class Due {
      @IsDate() due!: Date;
    }
    const before = checkerOf(Due, { path });
    jest.useFakeTimers();
    try {
      const exchanged = checkerOf(Due, { path });
      expect(exchanged.explanation.path).toBe(path);
      expect((exchanged.run({ due: '2030-01-01T00:00:00Z' }) as Due).due).toEqual(new Date('2030-01-01'));
      expect(before.run({ due: '2030-01-01T00:00:00Z' })).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
    expect(before.run({ due: '2030-01-01T00:00:00Z' })).toBeDefined();
  });

  test('names of properties are data, whatever they contain', () => {
    class Odd {}
    const names = ['"]; throw 1; //', '`${1}`', 'a\nb', '\u2028', '__defineGetter', '\uD83D', '*/'];
    for (const name of names) IsInt()(Odd.prototype, name);
    const input = Object.fromEntries(names.map((name, index) => [name, index]));
    const made = checkerOf(Odd, { path }).run(input);
    expect({ ...made }).toEqual(input);
  });

  test('a class with more fields than a number has bits', () => {
    class Wide {}
    const names = Array.from({ length: 70 }, (_, index) => `f${String(index)}`);
    for (const name of names) IsInt()(Wide.prototype, name);
    const wide = checkerOf(Wide, { path });
    const input = Object.fromEntries(names.map((name, index) => [name, index]));
    expect({ ...wide.run(input) }).toEqual(input);
    for (const name of ['f0', 'f30', 'f31', 'f69']) {
      const { [name]: left, ...rest } = input;
      expect({ left, made: wide.run(rest) }).toEqual({ left: expect.any(Number), made: undefined });
    }
  });

  test('a Set that a class makes itself is left to the libraries', () => {
    class Tags {
      @IsObject({ each: true }) tags: unknown = new Set(['a']);
    }
    expect(checkerOf(Tags, { path }).run({})).toBeUndefined();
  });

  test('an instance that a class makes itself is left to the libraries', () => {
    class Holder {
      @ValidateNested() @Type(() => Item) item: unknown = new Item();
      @ValidateNested({ each: true }) @Type(() => Item) items: Item[] = [];
    }
    const holder = checkerOf(Holder, { path });
    expect(holder.run({})).toBeUndefined();
    expect(holder.run({ item: { sku: 'a' } })).toEqual({ item: { sku: 'a', count: 1 }, items: [] });
  });

  test('each condition is asked, also when another one is off', () => {
    class Both {
      @IsOptional()
      @ValidateIf((object: Both) => (object.other as { a: boolean }).a)
      @IsString()
      text?: string;
      @Allow() other: unknown;
    }
    const both = checkerOf(Both, { path });
    expect(both.run({ other: { a: true } })).toEqual({ text: undefined, other: { a: true } });
    expect(both.run({})).toBeUndefined();
  });

  test('rules of a field that another contract checks do not count, what they throw does', () => {
    const validate = (value: unknown): boolean => {
      if (value === 'throw') throw new Error('no');
      return false;
    };
    class Shared {
      @IsInt() id!: number;
      @ValidateBy({ name: 'own', validator: { validate } }) text: unknown;
    }
    const shared = checkerOf(Shared, { path, redeclared: ['text'] });
    expect(shared.run({ id: 1, text: 'a' })).toEqual({ id: 1, text: 'a' });
    expect(shared.run({ id: 1, text: 'throw' })).toBeUndefined();
    expect(shared.run({ id: 'x', text: 'a' })).toBeUndefined();
  });
});
