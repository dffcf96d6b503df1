import { expect, test, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type, Exclude, Expose } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsInt,
  IsOptional,
  IsString,
  ValidateNested,
  IsNumber,
  IsObject,
} from 'class-validator';
import { Field } from 'toolwright';
import { z } from 'zod';
import type { CheckOutcome } from '../../../src/call/issue.ts';
import { createOutputContract, createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { strict } from '../../support/check-helpers.ts';

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

class Role {
  @Expose({ name: 'role_name' }) @IsString() name!: string;
}

class User {
  @Expose({ name: 'full_name' }) @IsString() fullName!: string;
  @IsDate() born!: Date;
  @Exclude() @IsString() secret!: string;
  @Exclude({ toPlainOnly: true }) @IsString() password!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Role) roles!: Role[];
}

const user = Object.assign(new User(), {
  fullName: 'Ada',
  born: new Date('2020-01-01T00:00:00Z'),
  secret: 's',
  password: 'p',
  roles: [Object.assign(new Role(), { name: 'admin' })],
});
const written = { full_name: 'Ada', born: '2020-01-01T00:00:00.000Z', roles: [{ role_name: 'admin' }] };

function run(type: Class, value: unknown): CheckOutcome {
  const contract = createOutputContract(type, { where: 'users.find' });
  return contract.check(contract.view(value)) as CheckOutcome;
}

test('an instance is sent as class-transformer writes it', () => {
  const contract = createOutputContract(User, { where: 'users.find' });
  expect(contract.view(user)).toEqual(written);
  expect(Object.keys(contract.schema.properties ?? {})).toEqual(['full_name', 'born', 'roles']);
  expect(run(User, user)).toEqual({ ok: true, value: written });
  expect(run(User, written)).toEqual({ ok: true, value: written });
});

test('an instance is still checked', () => {
  const broken = Object.assign(new User(), user, { fullName: 3 });
  expect(run(User, broken)).toMatchObject({ ok: false, issues: [{ path: 'full_name', expected: 'string' }] });
  expect(run(User, { ...written, secret: 's' })).toMatchObject({
    issues: [{ path: 'secret', message: 'unknown field' }],
  });
});

test('where class-transformer has nothing to say, values write themselves', () => {
  class Money {
    constructor(readonly cents: number) {}
    toJSON(): number {
      return this.cents;
    }
  }
  class Price {
    @IsInt() amount!: unknown;
  }
  expect(run(Price, Object.assign(new Price(), { amount: new Money(5) }))).toEqual({
    ok: true,
    value: { amount: 5 },
  });
});

test('other outputs are seen as JSON carries them', () => {
  const contract = createOutputContract({ type: 'object', properties: { at: {} } }, { where: 'x' });
  expect(contract.view({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

const schema = (index: number) => ({ type: 'object', properties: { [`f${index}`]: { type: 'string' } } });

test('the schema of schemas is compiled once, not for every contract', () => {
  createContract(schema(0), strict);
  const added = jest.spyOn(Ajv2020.prototype, 'addMetaSchema');
  const compiled = jest.spyOn(Ajv2020.prototype, 'compile');
  for (let index = 1; index < 20; index += 1) {
    createContract(schema(index), strict);
    createOutputContract(schema(index), { where: 'x' });
  }
  expect(added).not.toHaveBeenCalled();
  expect(compiled).toHaveBeenCalledTimes(38);
});

test('equal schemas of two contracts do not disturb each other', () => {
  const shared = {
    type: 'object',
    properties: { a: { anyOf: [{ $ref: '#/$defs/T' }] } },
    $defs: { T: { type: 'string' } },
  };
  expect(createContract(shared, strict).check({ a: 'x' })).toMatchObject({ ok: true });
  expect(createContract(shared, strict).check({ a: 1 })).toMatchObject({ ok: false });
});

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
