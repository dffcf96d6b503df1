import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { z } from 'zod';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { createOutputContract } from '../../../src/compile/contracts/create-output-contract.ts';
import { strict } from './check-helpers.ts';

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

test('the clock and the random numbers are the real ones again', () => {
  const { Date: before } = globalThis;
  const { random } = Math;
  const failing = z.object({
    a: z.string().default(() => {
      throw new Error('no default');
    }),
  });
  expect(() => createContract(failing, strict)).toThrow('no default');
  createContract(z.object({ a: z.string().default(today) }), strict);
  expect(globalThis.Date).toBe(before);
  expect(Math.random).toBe(random);
});

test('a field initialiser that gives the day is no default either', () => {
  class Dto {
    @IsString() day = today();
    @IsString() state = 'new';
  }
  const { properties } = createContract(Dto, strict).schema;
  expect(properties?.['day']).toEqual({ type: 'string' });
  expect(properties?.['state']).toEqual({ type: 'string', default: 'new' });
});
