import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayUnique,
  IsArray,
  IsDate,
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { createTool, ToolRegistry } from '../../src/index.ts';
import { createClassContract, createContract } from '../../src/compile/contracts/create-contract.ts';
import { codeOf } from '../support/thrown.ts';
import { textOf } from '../support/text-of.ts';
import { hostileValues, SWEPT } from '../attack/swept.ts';

class Texts {
  @IsArray()
  @IsString({ each: true })
  items!: string[];
}

const handler = (): string => 'done';

describe('the values that the arguments of a call consist of', () => {
  const registryWith = (argumentNodes?: number): ToolRegistry =>
    new ToolRegistry(argumentNodes === undefined ? {} : { limits: { argumentNodes } }).register(
      createTool('t').action({ name: 'a', schema: Texts, handler }),
    );

  test('are at most 10,000, so that neither a good nor a bad input takes long', async () => {
    const registry = registryWith();
    const call = (count: number) =>
      registry.routeCall('t', { action: 'a', items: Array.from({ length: count }, () => 'x') });
    expect(textOf(await call(9_998))).toBe('done');
    const refused = await call(9_999);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('INVALID_ARGUMENTS');
    expect(textOf(refused)).toContain('at most 10000 values');
  });

  test('are as many as the owner of a registry says, whatever they are nested in', async () => {
    const registry = registryWith(5);
    const text = async (items: unknown): Promise<string> =>
      textOf(await registry.routeCall('t', { action: 'a', items }));
    expect(await text(['x', 'y', 'z'])).toBe('done');
    expect(await text(['x', 'y', 'z', 'u'])).toContain('more than 5 values');
    expect(await text([[[[{}]]]])).toContain('more than 5 values');
    expect(await text([{ a: { b: { c: 1 } } }])).toContain('more than 5 values');
  });

  test('count as well where a list was sent as text and is looked at once more', async () => {
    const registry = registryWith(5);
    const text = async (items: string): Promise<string> =>
      textOf(await registry.routeCall('t', { action: 'a', items }));
    expect(await text('[1, "x", "y"]')).toMatch(/items: .*not as .*text/);
    expect(await text('[1, "x", "y"]')).toContain('items.0');
    expect(await text('[1, "x", "y", "z"]')).toMatch(/items: .*not as .*text/);
    expect(await text('[1, "x", "y", "z"]')).not.toContain('items.0');
  });

  test.each([0, -1, 1.5, '10', Number.NaN])('are no limit when it is %j', (argumentNodes) => {
    expect(codeOf(() => new ToolRegistry({ limits: { argumentNodes: argumentNodes as number } }))).toBe(
      'TW_REGISTRY_OPTION',
    );
  });
});

describe('a raw JSON Schema', () => {
  const registryOf = (schema: Record<string, unknown>): ToolRegistry =>
    new ToolRegistry().register(createTool('t').action({ name: 'a', schema, handler }));
  const call = async (schema: Record<string, unknown>, args: object): Promise<string> =>
    textOf(await registryOf(schema).routeCall('t', { action: 'a', ...args }));
  const withText = (text: object) => ({ type: 'object', properties: { text: { type: 'string', ...text } } });
  const withItems = (items: object) => ({
    type: 'object',
    properties: { items: { type: 'array', ...items } },
  });

  test.each(['^(a+)+$', '^(\\w+\\s?)*$', '^(a|aa)+$'])(
    'asks a pattern that backtracks without holding up anybody: %s',
    async (pattern) => {
      expect(await call(withText({ pattern }), { text: `${'a'.repeat(60)}!` })).toContain(
        'must match pattern',
      );
      expect(await call(withText({ pattern }), { text: 'a'.repeat(60) })).toBe('done');
      const names = { type: 'object', patternProperties: { [pattern]: { type: 'string' } } };
      expect(await call(names, { ['a'.repeat(60)]: 1 })).toContain('must be string');
      expect(await call(names, { [`${'a'.repeat(60)}!`]: 1 })).toBe('done');
    },
  );

  test('asks no pattern about a text that is too long', async () => {
    const schema = withText({ pattern: '^(?=a)(a+)+$', maxLength: 10 });
    expect(await call(schema, { text: `${'a'.repeat(60)}!` })).toContain(
      'must NOT have more than 10 characters',
    );
    expect(await call(schema, { text: 'aaa' })).toBe('done');
  });

  test('finds what is twice in a long list by looking it up', async () => {
    const items = Array.from({ length: 4000 }, (_, index) => ({ a: index }));
    const schema = withItems({ uniqueItems: true });
    expect(await call(schema, { items })).toBe('done');
    expect(await call(schema, { items: [...items, { a: 7 }] })).toContain('must NOT have duplicate items');
  });

  test('reads no overlong URL', async () => {
    const schema = withText({ format: 'url' });
    expect(await call(schema, { text: `http://${'a:a@'.repeat(50_000)}` })).toContain('must match format');
    expect(await call(schema, { text: 'https://example.com/a?b=c' })).toBe('done');
  });

  test('reports the first mistakes of many, and that there are more', async () => {
    const leaf = { type: 'object', required: ['id'] };
    const items = Array.from({ length: 9000 }, () => ({}));
    const text = await call(withItems({ items: leaf }), { items });
    expect(text).toContain('items.0.id: is required');
    expect(text).toContain('also at items.1.id, items.2.id');
    expect(text).not.toContain('items.21.id');
    expect(text).toContain('… and at least 179 more');
  });
});

class Account {
  @IsString() id!: string;
  @IsInt() @Min(1) amount!: number;
}

class Cat {
  @IsString() kind!: string;
}

class Payment {
  @IsDefined() @ValidateNested() @Type(() => Account) to!: Account;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Account) others?: Account[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Object, {
    discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] },
    keepDiscriminatorProperty: true,
  })
  pet?: Cat;

  @IsOptional() @IsArray() @ArrayUnique() numbers?: number[];
  @IsOptional() @IsArray() @ArrayUnique((item: { readonly id: number }) => item.id) records?: object[];
  @IsOptional() @Matches(/^(a+)+$/) plain?: string;
  @IsOptional() @Matches(/^(?=a)(a|aa)+$/) @MaxLength(10) short?: string;
  @IsOptional() @Type(() => Date) @IsDate() at?: Date;
}

describe.each(['generated', 'closures', 'class-stack'] as const)('a DTO, checked by %s', (path) => {
  const { check } = createClassContract(Payment, { unknownFields: 'strict', where: 'a test', path });
  const good = { to: { id: 'x', amount: 5 } };
  /** The paths of the issues; nothing for a value that is accepted. */
  const judged = async (more: object): Promise<readonly string[]> => {
    const outcome = await check({ ...good, ...more });
    return outcome.ok ? [] : outcome.issues.map(({ path: at }) => at);
  };

  test.each([[[]], [[[]]], [[{ id: 'x', amount: 5 }]]])('takes no array for an object: %j', async (to) => {
    const outcome = await check({ to });
    if (outcome.ok) throw new Error('it was accepted');
    expect(outcome.issues).toEqual([
      { path: 'to', message: 'must be an object', expected: 'object', received: 'array' },
    ]);
  });

  test('takes no array for an item of a list, nor for one of several classes', async () => {
    expect(await judged({ others: [[]] })).toEqual(['others.0']);
    expect(await judged({ others: [good.to, [good.to]] })).toEqual(['others.1']);
    expect(await judged({ others: [] })).toEqual([]);
    expect(await judged({ pet: [{ kind: 'cat' }] })).toEqual(['pet']);
    expect(await judged({ pet: { kind: 'cat' } })).toEqual([]);
  });

  test('finds what is twice in a long list by looking it up', async () => {
    const numbers = Array.from({ length: 90_000 }, (_, index) => index);
    expect(await judged({ numbers })).toEqual([]);
    expect(await judged({ numbers: [...numbers, 0] })).toEqual(['numbers']);
    expect(await judged({ numbers: [...numbers, Number.NaN] })).toEqual(['numbers']);
    const records = Array.from({ length: 45_000 }, (_, id) => ({ id }));
    expect(await judged({ records })).toEqual([]);
    expect(await judged({ records: [...records, { id: 7 }] })).toEqual(['records']);
  });

  test('compares no name of an object with each other one', async () => {
    const costOf = async (count: number): Promise<number> => {
      const names = Array.from({ length: count }, (_, index) => [`n${String(index)}`, index] as const);
      const start = process.cpuUsage();
      expect(await judged({ plain: Object.fromEntries<number>(names) })).toEqual(['plain']);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    // The least of several, since the collector of garbage may come in any of them
    const leastOf = async (count: number): Promise<number> =>
      Math.min(await costOf(count), await costOf(count), await costOf(count));
    await costOf(9000);
    const few = await leastOf(9000);
    // Ten times as many names cost ten times as much where each is looked at once, and up to a hundred times
    // as much where each is compared with every other one.
    expect((await leastOf(90_000)) / few).toBeLessThan(50);
  });

  test('asks a pattern that backtracks without holding up anybody', async () => {
    expect(await judged({ plain: 'a'.repeat(60) })).toEqual([]);
    expect(await judged({ plain: `${'a'.repeat(60)}!` })).toEqual(['plain']);
    expect(await judged({ short: 'aaa' })).toEqual([]);
    expect(await judged({ short: `${'a'.repeat(60)}!` })).toEqual(['short']);
  });

  test.each([true, 0, '1', '2020-02-30', '2020-02-30T00:00:00Z', '2020-02-28', {}, ['2020-02-28T00:00:00Z']])(
    'takes for a date only what is published: not %j',
    async (at) => {
      expect(await judged({ at })).toEqual(['at']);
    },
  );

  test('takes a date-time, with its zone', async () => {
    expect(await judged({ at: '2020-02-29T12:00:00.5+01:00' })).toEqual([]);
    expect(await judged({ at: undefined })).toEqual([]);
  });
});

test('a pattern without a bound is reported at the start', () => {
  class Guess {
    @Matches(/^(?!x)(a+)+$/) text!: string;
    @Matches(/^(?!x)a+$/) @MaxLength(20) short!: string;
  }
  const options = { unknownFields: 'strict', where: 'a test' } as const;
  const schema = {
    type: 'object',
    properties: { text: { pattern: '^(?!x)(a+)+$' }, good: { pattern: '^(a+)+$' } },
  };
  const warnings = [
    ...createClassContract(Guess, options).warnings,
    ...createContract(schema, options).warnings,
  ];
  expect(warnings.map(({ code, where }) => `${code} ${where}`)).toEqual([
    'TW_SHAPE_PATTERN_UNBOUNDED Guess.text',
    'TW_SHAPE_PATTERN_UNBOUNDED a test',
  ]);
});

test('names of a client come back so that one can read them, and cut', async () => {
  const registry = new ToolRegistry().register(
    createTool('t').action({ name: 'a', schema: { type: 'object', properties: { x: {} } }, handler }),
  );
  const names = ['line\nbreak', '\u001b[31mred', '\u202egnol', 'n'.repeat(1000)];
  const args = Object.fromEntries(names.map((name) => [name, 1]));
  const text = textOf(await registry.routeCall('t', { action: 'a', ...args }));
  expect(text).toContain('line\\u{a}break');
  expect(text).not.toMatch(/[\u001b\u202e]|n{60}/);
});

// The whole sweep is `npm run soak -- --only sweep`: all values for all schemas, up to 4 MB.
const BYTES = 100_000;
/** Each schema meets one value of so many, the next schema the values beside them. */
const STRIDE = 8;
/** In milliseconds of the processor, which a busy machine does not make more. The bound is 250 ms. */
const LONGEST = 1250;

test('no validator, keyword or schema of zod holds up the server for long, whatever the value', async () => {
  const values = [...hostileValues(BYTES)].map(({ name, json }) => ({
    name,
    value: JSON.parse(json) as unknown,
  }));
  const registry = new ToolRegistry();
  const schemas = [...SWEPT].map(([name, schema], index) => {
    const tool = `t${String(index)}`;
    registry.register(createTool(tool).action({ name: 'a', schema, handler: () => 'done' }));
    return { name, tool, index };
  });
  const slow: string[] = [];
  for (const { name, tool, index } of schemas) {
    await registry.routeCall(tool, { action: 'a', value: 'usual' });
    for (const [place, hostile] of values.entries()) {
      if ((place + index) % STRIDE !== 0) continue;
      const start = process.cpuUsage();
      await registry.routeCall(tool, { action: 'a', value: hostile.value });
      const { user, system } = process.cpuUsage(start);
      const took = (user + system) / 1000;
      if (took > LONGEST) slow.push(`${name} <- ${hostile.name}: ${took.toFixed(0)} ms`);
    }
  }
  expect(schemas.length).toBeGreaterThan(140);
  expect(slow).toEqual([]);
});
