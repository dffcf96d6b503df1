import { describe, expect, test } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { createTool } from '../../../src/builder/grouped-tool-builder.ts';
import type { CallToolResult } from '../../../src/call/results.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { StandardSchema } from '../../../src/shared/schema-source.ts';
import { factsOf, textOf } from '../../support/text-of.ts';

/** The same schemas in the words of each library. */
interface Library {
  readonly order: StandardSchema;
  /** Has texts that become numbers. */
  readonly converting: StandardSchema;
  /** Has a list of even numbers, which JSON Schema does not say here. */
  readonly even: StandardSchema;
  readonly withDate: StandardSchema;
}

const isEven = (value: number): boolean => value % 2 === 0;
const toNumber = (value: string): number => Number(value);

const LIBRARIES: Readonly<Record<'zod' | 'arktype' | 'valibot', Library>> = {
  zod: {
    order: z.object({
      name: z.string().min(2).default('box'),
      count: z.int().max(5).optional(),
      kind: z.enum(['a', 'b']),
      address: z.object({ mail: z.email() }),
      tags: z.array(z.string()).optional(),
      when: z.union([z.string(), z.number()]).optional(),
    }),
    converting: z.object({ size: z.string().transform(toNumber) }),
    even: z.object({ values: z.array(z.number().refine(isEven, 'must be even')) }),
    withDate: z.object({ at: z.date() }),
  },
  arktype: {
    order: type({
      name: 'string >= 2 = "box"',
      'count?': 'number.integer <= 5',
      kind: "'a' | 'b'",
      address: { mail: 'string.email' },
      'tags?': 'string[]',
      'when?': 'string | number',
    }),
    converting: type({ size: type('string').pipe(toNumber) }),
    even: type({
      values: type('number')
        .narrow((value, ctx) => isEven(value) || ctx.mustBe('even'))
        .array(),
    }),
    withDate: type({ at: 'Date' }),
  },
  valibot: {
    order: toStandardJsonSchema(
      v.object({
        name: v.optional(v.pipe(v.string(), v.minLength(2)), 'box'),
        count: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(5))),
        kind: v.picklist(['a', 'b']),
        address: v.object({ mail: v.pipe(v.string(), v.email()) }),
        tags: v.optional(v.array(v.string())),
        when: v.optional(v.union([v.string(), v.number()])),
      }),
    ),
    converting: toStandardJsonSchema(v.object({ size: v.pipe(v.string(), v.transform(toNumber)) })),
    even: toStandardJsonSchema(
      v.object({ values: v.array(v.pipe(v.number(), v.check(isEven, 'must be even'))) }),
    ),
    withDate: toStandardJsonSchema(v.object({ at: v.date() })),
  },
};

describe.each(Object.entries(LIBRARIES))(
  'a schema of %s',
  (vendor, { order, converting, even, withDate }) => {
    const take = (input: StandardSchema, args: Record<string, unknown>): Promise<CallToolResult> =>
      createTool('shop')
        .action({ name: 'take', input, handler: (given) => given })
        .execute({ action: 'take', ...args });

    const listed = (input: StandardSchema): JsonSchema => {
      const [action] = createTool('shop')
        .action({ name: 'take', input, handler: () => '' })
        .buildToolDefinition()
        .actions();
      return action?.inputSchema ?? {};
    };

    test('is published with a type for every field', () => {
      const inputSchema = listed(order);
      expect(order['~standard'].vendor).toBe(vendor);
      expect(inputSchema).not.toHaveProperty('$schema');
      expect([...(inputSchema.required ?? [])].sort()).toEqual(['address', 'kind']);
      expect(inputSchema.properties).toMatchObject({
        name: { type: 'string', minLength: 2 },
        count: { type: 'integer', maximum: 5 },
        kind: { type: 'string', enum: ['a', 'b'] },
        address: {
          type: 'object',
          properties: { mail: { type: 'string', format: 'email' } },
          required: ['mail'],
        },
        tags: { type: 'array', items: { type: 'string' } },
      });
    });

    test('converts, and fills in what it says itself', async () => {
      const given = { kind: 'a', address: { mail: 'a@b.co' } };
      expect(JSON.parse(textOf(await take(order, given)))).toEqual({ name: 'box', ...given });
      expect(JSON.parse(textOf(await take(converting, { size: '7' })))).toEqual({ size: 7 });
    });

    test('names every field that is wrong, what was expected and what came', async () => {
      const wrong = { kind: 'c', address: 'x', tags: ['a', 1], when: true, count: 9.5, name: 'a' };
      const { issues } = factsOf(await take(order, wrong)) as {
        readonly issues: readonly { path: string }[];
      };
      expect([...issues].sort((one, other) => (one.path < other.path ? -1 : 1))).toMatchObject([
        { path: 'address', expected: 'object', received: 'string "x"' },
        { path: 'count', expected: expect.stringMatching(/^integer, .*at most 5$/), received: 'number 9.5' },
        { path: 'kind', expected: 'one of: a, b', received: 'string "c"' },
        { path: 'name', expected: 'string, at least 2 characters', received: 'string "a"' },
        { path: 'tags.1', expected: 'string', received: 'number 1' },
        {
          path: 'when',
          expected: expect.stringMatching(/^(string or number|number or string)$/),
          received: 'boolean true',
        },
      ]);
      expect(factsOf(await take(order, { kind: 'a' }))).toMatchObject({
        issues: [{ path: 'address', expected: 'object', received: 'nothing' }],
      });
    });

    test('has no further fields', async () => {
      const answer = await take(order, { kind: 'a', address: { mail: 'a@b.co' }, tag: ['x'] });
      expect(factsOf(answer)).toMatchObject({ issues: [{ path: 'tag', suggestion: 'tags' }] });
    });

    test.each([
      [
        'of wrong types',
        () => order,
        { kind: 'a', address: { mail: 'a@b.co' }, tags: Array<number>(9_000).fill(1) },
      ],
      ['with wrong values', () => even, { values: Array<number>(9_000).fill(1) }],
    ])('bounds what it says of a long list %s', async (_, schemaOf, args) => {
      const answer = await take(schemaOf(), args);
      expect(answer.isError).toBe(true);
      expect(JSON.stringify(answer).length).toBeLessThan(64 * 1024);
      expect(textOf(answer)).toMatch(/(tags|values)\.0/);
    });

    test('checks an output', async () => {
      const tool = (value: object) =>
        createTool('shop')
          .action({ name: 'give', output: order, handler: () => value })
          .execute({ action: 'give' });
      const good = { kind: 'a', address: { mail: 'a@b.co' }, name: 'box' };
      expect((await tool(good)).structuredContent).toEqual(good);
      expect(factsOf(await tool({ kind: 'c' }))).toMatchObject({ code: 'INVALID_OUTPUT' });
    });

    test('with rules of its own is published, and with a type that JSON has not refused', () => {
      expect(listed(even)).toMatchObject({ properties: { values: { items: { type: 'number' } } } });
      expect(() => listed(withDate)).toThrow(/TW_COMPILE_SCHEMA_UNSUPPORTED/);
      expect(() => listed(withDate)).toThrow(`a schema of ${vendor} that JSON Schema cannot express`);
    });
  },
);

test('the error for Valibot without its converter names the converter', () => {
  const input = v.object({ name: v.string() }) as unknown as StandardSchema;
  expect(() =>
    createTool('shop')
      .action({ name: 'take', input, handler: () => '' })
      .buildToolDefinition(),
  ).toThrow('Valibot with its JSON Schema converter');
});
