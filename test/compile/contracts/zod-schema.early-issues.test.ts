import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { createEarlyIssues, type StandardIssue } from '../../../src/compile/contracts/zod-schema.ts';
import { issues, strict } from '../../support/check-helpers.ts';

interface Tree {
  readonly name: string;
  readonly below?: readonly Tree[] | undefined;
}
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get below() {
    return z.array(Tree).optional();
  },
});
const point = { x: z.number(), y: z.number().optional() };
const refuse = { path: ['0'], message: 'refused for another reason' };

/** Everything that may stand around a list. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  strings: z.array(z.string()),
  'few strings': z.array(z.string()).max(3),
  'five strings': z.array(z.string()).length(5),
  'refined strings': z.array(z.string().min(2)).refine((items) => items.length < 9, refuse),
  objects: z.array(z.object(point)),
  'strict objects': z.array(z.strictObject(point)),
  'objects of anything': z.array(z.object(point).catchall(z.boolean())),
  unions: z.array(z.union([z.string(), z.object(point)])),
  tagged: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b') }),
    ]),
  ),
  'a list or a text': z.union([z.array(z.number()), z.string()]),
  caught: z.array(z.string()).catch([]),
  'caught items': z.array(z.string().catch('none')),
  'lists of lists': z.array(z.array(z.number()).min(1)),
  optional: z.array(z.number().nullable()).optional(),
  preset: z.array(z.number()).default([1]).nullable().readonly(),
  prefault: z.array(z.number()).prefault([1]),
  piped: z.array(z.string()).pipe(z.array(z.string().min(2))),
  transformed: z.array(z.string().transform(Number)).transform((items) => items.length),
  preprocessed: z.preprocess(
    (value) => (Array.isArray(value) ? value.slice(0, 2) : value),
    z.array(z.string()),
  ),
  coerced: z.array(z.coerce.number()),
  record: z.record(z.string(), z.string()),
  'record of short names': z.record(z.string().max(2), z.string()),
  'record of names': z.record(z.enum(['a', 'b']), z.string()),
  'partial record': z.partialRecord(z.enum(['a', 'b']), z.string()),
  'loose record': z.looseRecord(z.string().max(2), z.string()),
  tuple: z.tuple([z.string()]).rest(z.number()),
  both: z.intersection(z.record(z.string(), z.string()), z.object({ a: z.string() }).loose()),
  'both strict': z.strictObject({ a: z.string() }).and(z.strictObject({ n1: z.string() })),
  lazy: z.lazy(() => z.array(z.string())),
  tree: Tree,
};

const leaf = fc.constantFrom<unknown>('a', 'long', '', 1, -0, true, null, '7');
const part = fc.oneof(
  leaf,
  fc.dictionary(fc.constantFrom('x', 'y', 'kind', 'name', 'other'), leaf, { maxKeys: 3 }),
  fc.array(leaf, { maxLength: 3 }),
  fc.constantFrom(
    { x: 1 },
    { kind: 'a', x: 1 },
    { kind: 'b' },
    { kind: 'c' },
    { name: 'n', below: [{ name: 1 }] },
  ),
);
/** As many as it takes not to be checked at once, with a rare one among them. */
const many = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), part, fc.nat(2100))
  .map(([parts, rare, at]) =>
    Array.from({ length: 2100 }, (_, index): unknown => (index === at ? rare : parts[index % parts.length])),
  );
const value: fc.Arbitrary<unknown> = fc.oneof(
  many,
  many.map((items) => Object.fromEntries(items.map((item, index) => [`n${String(index)}`, item]))),
  many.map((items) =>
    Object.fromEntries<unknown>(items.map((item, index) => [`n${String(index)}`, item] as const)),
  ),
  many.map((items) => [items.slice(0, 1500), items.slice(1500)]),
  many.map((below) => ({ name: 'root', below })),
);

const found = (schema: z.ZodType, input: unknown): readonly StandardIssue[] => {
  const result = schema['~standard'].validate(input);
  if (result instanceof Promise) throw new Error('a promise');
  return (result.issues ?? []) as readonly StandardIssue[];
};

describe('what is found early in a large value', () => {
  test.each(Object.entries(SCHEMAS))(
    'is said by zod, too, and nothing of what it takes: %s',
    (_name, schema) => {
      const fields = z.object({ items: schema });
      const early = createEarlyIssues(fields);
      fc.assert(
        fc.property(value, (items) => {
          const all = new Set(found(fields, { items }).map((issue) => JSON.stringify(issue)));
          for (const issue of early({ items })) {
            if (!all.has(JSON.stringify(issue))) throw new Error(`only here: ${JSON.stringify(issue)}`);
          }
        }),
        { numRuns: 12 },
      );
    },
  );

  // What zod would convert is refused where the published schema says numbers
  const isPublished = (name: string, items: unknown): boolean =>
    name !== 'coerced' || (Array.isArray(items) && items.every((item) => typeof item === 'number'));

  test.each(Object.entries(SCHEMAS))('leaves the verdict to zod: %s', (name, schema) => {
    const fields = z.object({ items: schema });
    const { check } = createContract(fields, strict);
    fc.assert(
      fc.property(value, (items) => {
        const outcome = check({ items });
        if (outcome instanceof Promise) throw new Error('a promise');
        expect(outcome.ok).toBe(isPublished(name, items) && found(fields, { items }).length === 0);
      }),
      { numRuns: 8 },
    );
  });
});

describe('of a hundred thousand mistakes', () => {
  const items = Array.from({ length: 90_000 }, (_, index) => (index < 10_000 ? 'good' : index));
  /** How often a rule is asked about an item. */
  const asked = (around: (item: z.ZodType) => z.ZodType, input: unknown): number => {
    let count = 0;
    const item = z.unknown().refine((one) => {
      count += 1;
      return typeof one === 'string';
    }, 'no text');
    expect(issues(z.object({ items: around(item) }), { items: input })).toHaveLength(200);
    return count;
  };
  const record = Object.fromEntries(items.map((item, index) => [`n${String(index)}`, item]));

  test.each<readonly [string, Parameters<typeof asked>[0], unknown]>([
    ['a list', (item) => z.array(item), items],
    ['an optional list that is converted', (item) => z.array(item).transform(String).optional(), items],
    ['a list that has to be longer', (item) => z.array(item).min(100_000), items],
    ['a record', (item) => z.record(z.string(), item), record],
    ['an object', (item) => z.object({}).catchall(item), record],
    ['a union in a list', (item) => z.array(z.union([item, z.boolean()])), items],
    ['objects', (item) => z.array(z.object({ id: item })), items.slice(0, 40_000).map((id) => ({ id }))],
    ['lists', (item) => z.array(z.array(item)), [items.slice(0, 45_000), items.slice(45_000)]],
  ])('only the first are asked for: %s', (_name, around, input) => {
    expect(asked(around, input)).toBeLessThanOrEqual(10_200);
  });

  test('the fields of another contract are left out', () => {
    const schema = z.object({ items: z.array(z.string()), count: z.number() });
    const { check } = createContract(schema, { ...strict, without: ['items'] });
    expect(check({ items, count: 1 })).toMatchObject({ ok: true });
    expect(check({ items, count: 'x' })).toMatchObject({ ok: false, issues: [{ path: 'count' }] });
  });
});

test('a rule that gives a promise is asked about one item more, and no second time', async () => {
  let count = 0;
  const item = z.string().refine(async (text) => {
    count += 1;
    return Promise.resolve(text !== '');
  });
  const { check } = createContract(z.object({ items: z.array(item) }), strict);
  const items = Array.from({ length: 3000 }, () => 'x');
  expect(await check({ items })).toMatchObject({ ok: true });
  const first = count;
  count = 0;
  expect(await check({ items: [...items, ''] })).toMatchObject({ ok: false });
  expect(count).toBeLessThan(first + 1);
});

test('a pattern of zod that repeats a repetition is reported at the start', () => {
  const warned = createContract(z.object({ text: z.string().regex(/^(\w+\s?)*$/) }), strict).warnings;
  expect(warned.map(({ code, where }) => `${code} ${where}`)).toEqual([
    'TW_SHAPE_PATTERN_UNBOUNDED books.find',
  ]);
  const named = z.object({ texts: z.record(z.string().regex(/^(a+)+$/), z.string()) });
  expect(createContract(named, strict).warnings).toHaveLength(1);
  const good = z.object({ slug: z.string().regex(/^[a-z]+(-[a-z]+)*$/), mail: z.email() });
  expect(createContract(good, strict).warnings).toEqual([]);
});
