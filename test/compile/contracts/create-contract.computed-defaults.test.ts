import { expect, jest, test } from '@jest/globals';
import { IsNumber, IsObject, IsString } from 'class-validator';
import { Field } from 'toolwright';
import { z } from 'zod';
import { createContract, createOutputContract } from '../../../src/compile/contracts/create-contract.ts';
import { strict } from '../../support/check-helpers.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

test('defaults of the moment are not published, and still filled in', () => {
  const schema = z.object({
    at: z.string().default(() => new Date().toISOString()),
    day: z.string().default(today),
    stamp: z.number().default(() => Date.now()),
    token: z.string().default(() => Math.random().toString(36)),
    state: z.enum(['new', 'used']).default('new'),
    inner: z.object({ default: z.string().default(today), max: z.int().default(3) }).optional(),
  });
  const contract = createContract(schema, strict);
  const properties = contract.schema.properties ?? {};
  for (const name of ['at', 'day', 'stamp', 'token']) expect(properties[name]).not.toHaveProperty('default');
  expect(properties['state']).toMatchObject({ default: 'new' });
  expect(properties['inner']?.properties).toEqual({
    default: { type: 'string' },
    max: expect.objectContaining({ default: 3 }),
  });
  expect(contract.check({})).toMatchObject({ ok: true, value: { day: today(), state: 'new' } });
  expect(createOutputContract(schema, { where: 'x' }).schema.properties?.['day']).not.toHaveProperty(
    'default',
  );
});

test('reading defaults leaves the clock and the random numbers of the process alone', () => {
  const seen: unknown[] = [];
  const globals = (): unknown[] => [globalThis.Date, Date.now, Math.random];
  class Dto {
    @IsString() a = (seen.push(...globals()), 'a');
  }
  const source = z.object({ a: z.string().default(() => (seen.push(...globals()), 'a')) });
  for (const input of [Dto, source]) createContract(input, strict);
  expect(seen.length).toBeGreaterThan(6);
  expect(new Set(seen)).toEqual(new Set(globals()));
});

test('a default that throws is reported as it is', () => {
  const failing = z.object({
    a: z.string().default(() => {
      throw new Error('no default');
    }),
  });
  expect(() => createContract(failing, strict)).toThrow('no default');
});

test('a field initialiser that gives the day is not a default either', () => {
  class Dto {
    @IsString() day = today();
    @IsString() state = 'new';
  }
  const { properties } = createContract(Dto, strict).schema;
  expect(properties?.['day']).toEqual({ type: 'string' });
  expect(properties?.['state']).toEqual({ type: 'string', default: 'new' });
});

const counted = { next: 0 };
const DAY = today();

class Stamped {
  @IsNumber() seconds = Math.floor(Date.now() / 1000);
  @IsNumber() milliseconds = Date.now();
  @IsNumber() count = counted.next++;
  @IsObject() nested = { at: DAY };
  @IsNumber() far = 1_700_000_000_000;
  @IsString() born = '2020-01-01';
  @IsString() @Field({ default: DAY }) declared = 'x';
}

test('seconds, milliseconds, counters and days within objects are no defaults; other dates and declared ones are', () => {
  const properties = createContract(Stamped, strict).schema.properties ?? {};
  const published = Object.keys(properties).filter((name) => 'default' in (properties[name] ?? {}));
  expect(published.sort()).toEqual(['born', 'declared', 'far']);
});

test('the day of today is a default where the class itself says so', () => {
  class Written {
    @IsString() day = '2031-05-06';
  }
  class Extended extends Written {
    @IsString() other = today();
  }
  jest.useFakeTimers({ now: new Date('2031-05-06T10:00:00Z') });
  const { properties } = createContract(Extended, strict).schema;
  jest.useRealTimers();
  expect(properties).toEqual({ day: { type: 'string', default: '2031-05-06' }, other: { type: 'string' } });
});
