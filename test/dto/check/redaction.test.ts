import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsNumberString,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MinLength,
} from 'class-validator';
import { ValidateBy, ValidateNested } from 'class-validator';
import * as fc from 'fast-check';
import type { CheckOutcome } from '../../../src/call/issue.ts';
import { createClassContract } from '../../../src/compile/contracts/create-contract.ts';
import { Field, Sensitive } from '../../../src/decorators/members.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { strict } from '../../support/check-helpers.ts';

const SECRET = 'hunter2-hunter2-hunter2';

class Card {
  @IsNumberString() @Sensitive() number!: string;
  @IsString() holder!: string;
}

class Credentials {
  @Matches(/^\d+$/, { message: 'the pin "$value" is not a number' }) @Sensitive() pin!: string;
}

class Inner {
  @IsOptional() @MinLength(60) text?: string;
}

class Payment extends Credentials {
  @IsInt() amount!: number;
  @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
  @IsOptional() @IsObject() @Sensitive() headers?: object;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Card) byName?: Map<string, Card>;
  @IsOptional() @IsArray() @IsInt({ each: true }) @Sensitive() codes?: number[];
  @IsOptional() @ValidateNested() @Sensitive() @Type(() => Inner) inner?: Inner;
}

const paths = ['generated', 'closures', 'class-stack'] as const;

async function answerOf(
  type: Class,
  value: object,
  path: (typeof paths)[number],
): Promise<CheckOutcome<object>> {
  return createClassContract(type, { ...strict, path }).check(value as Record<string, unknown>);
}

describe.each(paths)('answers of the check by %s', (path) => {
  test.each<[string, object]>([
    ['of an inherited field, with a message that quotes it', { amount: 1, pin: SECRET }],
    ['in a nested object', { amount: 1, pin: '1', card: { number: SECRET, holder: 'A' } }],
    ['in an array', { amount: 1, pin: '1', cards: [{ number: SECRET, holder: 'A' }] }],
    [
      'in a map, under a name with dots',
      { amount: 1, pin: '1', byName: { 'a.b': { number: SECRET, holder: 'A' } } },
    ],
    ['that are items', { amount: 1, pin: '1', codes: [SECRET] }],
    ['inside a sensitive object', { amount: 1, pin: '1', inner: { text: SECRET } }],
    ['of another type', { amount: 1, pin: '1', headers: SECRET }],
    [
      'under a misspelt name beside the field',
      { amount: 1, pin: '1', card: { numbr: SECRET, number: '1', holder: 'A' } },
    ],
    ['under an unknown name inside', { amount: 1, pin: '1', inner: { unknown: SECRET } }],
  ])('never show values %s', async (_name, value) => {
    const outcome = await answerOf(Payment, value, path);
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).not.toContain(SECRET.slice(0, 8));
    expect(JSON.stringify(outcome)).toContain('[redacted]');
  });

  test('still say which field is wrong, what was expected, and what came for other fields', async () => {
    const outcome = await answerOf(Payment, { amount: 'x', card: { number: SECRET, holder: 7 } }, path);
    const found = outcome.ok
      ? []
      : [...outcome.issues].sort((one, other) => (one.path < other.path ? -1 : 1));
    expect(found).toEqual([
      expect.objectContaining({ path: 'amount', expected: 'integer', received: 'string "x"' }),
      expect.objectContaining({ path: 'card.holder', received: 'number 7' }),
      {
        path: 'card.number',
        message: 'number must be a number string',
        expected: expect.any(String),
        received: '[redacted]',
      },
      expect.objectContaining({ path: 'pin', received: 'nothing' }),
    ]);
  });

  test('give the handler the value as it is', async () => {
    const outcome = await answerOf(
      Payment,
      { amount: 1, pin: '1234', headers: { authorization: SECRET } },
      path,
    );
    expect(outcome).toMatchObject({ ok: true, value: { pin: '1234', headers: { authorization: SECRET } } });
  });

  test('never show random values in any field', async () => {
    const text = fc.string({ minLength: 8 }).map((rest) => `zq${rest}`);
    await fc.assert(
      fc.asyncProperty(text, text, async (pin, number) => {
        const outcome = await answerOf(
          Payment,
          { pin, card: { number }, cards: [{ number }], inner: number },
          path,
        );
        const said = outcome.ok
          ? ''
          : outcome.issues.map(({ message, received }) => `${message} ${String(received)}`).join();
        expect(said).not.toContain('zq');
      }),
    );
  });
});

test('an error that a rule throws is reported without the value', async () => {
  class Throwing {
    @Sensitive()
    @ValidateBy({
      name: 'throws',
      validator: {
        validate: (value) => {
          throw new Error(`cannot look up ${String(value)}`);
        },
      },
    })
    token!: string;
    @Field() @IsOptional() @IsString() other?: string;
  }
  const outcome = await answerOf(Throwing, { token: SECRET }, 'generated');
  const error = outcome.failure?.error as Error;
  expect(error.message).toBe('cannot look up [redacted]');
  expect(error.stack).toContain('redaction.test');
  expect(error.stack).not.toContain(SECRET);
});

test('an input that is written down has no sensitive value, of whatever type and length, and no misspelt one', () => {
  class Lock {
    @IsOptional() @IsBoolean() @Sensitive() isOpen?: boolean;
    @IsOptional() @IsInt() @Sensitive() code?: number;
    @IsString() name!: string;
  }
  class Doors {
    @IsOptional() @ValidateNested() @Type(() => Lock) lock?: Lock;
    @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Lock) locks?: Lock[];
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Lock) byName?: Map<string, Lock>;
    @IsOptional() @IsString() note?: string;
  }
  const shown = createClassContract(Doors, strict).redaction?.shown;
  const lock = { isOpen: true, code: 7, cod: 7, name: 'front' };
  const hidden = { isOpen: '[redacted]', code: '[redacted]', cod: '[redacted]', name: 'front' };
  expect(shown?.({ lock, locks: [lock], byName: { a: lock }, note: 'n', other: 1 })).toEqual({
    lock: hidden,
    locks: [hidden],
    byName: { a: hidden },
    note: 'n',
    other: 1,
  });
  expect(shown?.({ lock: '{"code":7}', locks: [7], byName: null })).toEqual({
    lock: '[redacted]',
    locks: ['[redacted]'],
    byName: '[redacted]',
  });
});
