import { expect, test } from '@jest/globals';
import { IsEmail, IsInt, IsOptional, IsString } from 'class-validator';
import { z } from 'zod';
import { createAskContracts } from '../../../src/runtime/tools/context-factory.ts';

class Contact {
  @IsEmail() email!: string;
  @IsOptional() @IsString() nick?: string;
  @IsInt() age = 18;
}

test('gives instances of the class, without what was not asked for', async () => {
  const { check } = createAskContracts().of(Contact);
  const outcome = await check({ email: 'ada@example.com', extra: true });
  expect(outcome).toEqual({ ok: true, value: { email: 'ada@example.com', age: 18 } });
  expect(outcome.ok && outcome.value).toBeInstanceOf(Contact);
});

test('names every field that is wrong', async () => {
  const outcome = await createAskContracts().of(Contact).check({ email: 'ada', age: 'old' });
  expect(outcome.ok ? [] : outcome.issues.map(({ path }) => path)).toEqual(['email', 'age']);
});

test('takes a field that was left empty for the null that it may be', async () => {
  const contract = createAskContracts().of(z.object({ nick: z.string().nullable() }));
  expect(contract.schema.required).toBeUndefined();
  expect(await contract.check({})).toEqual({ ok: true, value: { nick: null } });
});

test('compiles each schema once', () => {
  const contracts = createAskContracts();
  expect(contracts.of(Contact)).toBe(contracts.of(Contact));
  expect(createAskContracts().of(Contact)).not.toBe(contracts.of(Contact));
});

test('names the class whose fields no form can show', () => {
  class Nested {
    @IsString({ each: true }) tags!: string[];
  }
  expect(() => createAskContracts().of(Nested)).toThrow('TW_ASK_SCHEMA: Nested cannot be asked for');
});
