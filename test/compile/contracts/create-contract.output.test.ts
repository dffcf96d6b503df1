import { expect, test } from '@jest/globals';
import { IsArray, IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { z } from 'zod';
import type { CheckOutcome } from '../../../src/call/issue.ts';
import { createOutputContract } from '../../../src/compile/contracts/create-contract.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';

function check(source: SchemaSource, value: unknown): CheckOutcome {
  const contract = createOutputContract(source, { where: 'books.find' });
  return contract.check(contract.view(value)) as CheckOutcome;
}

class Line {
  @IsString() text!: string;
}

class Page {
  @IsInt() number!: number;
  @IsDate() printed!: Date;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines?: Line[];
}

test('accepts instances and plain objects of a class by what JSON carries', () => {
  const printed = new Date('2020-01-01T00:00:00Z');
  const page = Object.assign(new Page(), { number: 1, printed });
  const view = { number: 1, printed: '2020-01-01T00:00:00.000Z' };
  expect(check(Page, page)).toEqual({ ok: true, value: view });
  expect(check(Page, { ...view, lines: [{ text: 'a' }] }).ok).toBe(true);
});

test('reports missing, wrong and undeclared fields', () => {
  expect(check(Page, { number: 'x', lines: [{ text: 'a', extra: 1 }] })).toMatchObject({
    ok: false,
    issues: [
      { path: 'lines.0.extra', message: 'unknown field' },
      { path: 'number', expected: 'integer' },
      { path: 'printed', received: 'nothing' },
    ],
  });
});

test.each([[undefined], [null], ['text'], [[]]])('refuses %p for a class', (value) => {
  expect(check(Page, value).ok).toBe(false);
});

test.each([[10n], [() => 1]])('has no view of %p, which JSON cannot carry', (value) => {
  expect(() => createOutputContract(Page, { where: 'books.find' }).view(value)).toThrow('TW_RESULT_NOT_DATA');
});

test('publishes the output side of a Standard Schema and closes its objects', () => {
  const schema = z.object({ name: z.string().default('a') });
  const contract = createOutputContract(schema, { where: 'books.find' });
  expect(contract).toMatchObject({
    isObject: true,
    schema: { required: ['name'], additionalProperties: false },
  });
  expect(check(schema, { name: 'b' })).toEqual({ ok: true, value: { name: 'b' } });
  expect(check(schema, { name: 'b', more: 1 })).toMatchObject({
    issues: [{ path: 'more', message: 'unknown field' }],
  });
  expect(check(schema, {}).ok).toBe(false);
});

test('counts refinements of a Standard Schema, asynchronous ones included', async () => {
  const even = z.object({ n: z.int().refine((n) => n % 2 === 0, 'must be even') });
  expect(check(even, { n: 1 })).toMatchObject({
    ok: false,
    issues: [{ path: 'n', message: 'must be even' }],
  });
  const later = z.object({ n: z.int().refine((n) => Promise.resolve(n === 2), 'must be two') });
  expect(await createOutputContract(later, { where: 'x' }).check({ n: 1 })).toMatchObject({ ok: false });
  expect(await createOutputContract(later, { where: 'x' }).check({ n: 2 })).toEqual({
    ok: true,
    value: { n: 2 },
  });
});

test('takes values that are no objects where the schema says so', () => {
  const list = createOutputContract(z.array(z.string()), { where: 'x' });
  expect(list.isObject).toBe(false);
  expect(list.check(['a'])).toEqual({ ok: true, value: ['a'] });
  expect(list.check([1])).toMatchObject({ ok: false, issues: [{ path: '0' }] });
  expect(check({ type: 'integer' }, 3)).toEqual({ ok: true, value: 3 });
  expect(check({ type: 'integer' }, 'x')).toMatchObject({ issues: [{ path: '', expected: 'integer' }] });
});

test('does not fill defaults into an output', () => {
  const schema = { type: 'object', properties: { a: { default: 1 } } };
  expect(check(schema, {})).toEqual({ ok: true, value: {} });
});
