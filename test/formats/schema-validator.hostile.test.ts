import { describe, expect, test } from '@jest/globals';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';
import { codeOf } from '../support/thrown.ts';

const validator = createSchemaValidator();

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_none, index) => make(index));
}
function named<T>(count: number, make: (index: number) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(times(count, (index) => [`n${String(index)}`, make(index)]));
}
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}
const LIMIT = (limit: string) => ({
  valid: false,
  errors: [{ path: '', keyword: 'limit', params: { limit } }],
});

describe('a schema of a stranger is too large', () => {
  const loop: Record<string, unknown> = {};
  loop.properties = { loop };

  test.each([
    ['in depth', nested(100, (not) => ({ not }))],
    ['in depth, by a hundred thousand levels', nested(100_000, (items) => ({ items }))],
    ['in depth, as text', `${'{"not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`],
    ['in depth, in data', { const: nested(100_000, (inner) => [inner]) }],
    ['because it contains itself', loop],
    ['in nodes', { enum: times(50_000, String) }],
    [
      'in nodes, because it contains one part often',
      { anyOf: times(1000, () => ({ enum: times(100, String) })) },
    ],
    ['in bytes', { description: 'x'.repeat(1_048_576) }],
    ['in bytes, as text', `{"description":"${'x'.repeat(1_048_576)}"}`],
    ['in bytes, of two each', { description: 'ä'.repeat(600_000) }],
    [
      'in references',
      {
        $defs: named(2500, () => ({})),
        anyOf: times(2500, (index) => ({ $ref: `#/$defs/n${String(index)}` })),
      },
    ],
    [
      'in references beside unevaluatedProperties',
      {
        $defs: { large: { properties: named(3000, () => ({ type: 'string' })) } },
        anyOf: times(1500, () => ({ $ref: '#/$defs/large' })),
        unevaluatedProperties: false,
      },
    ],
    ['in alternatives', { anyOf: times(12_000, () => ({ minLength: 1 })) }],
    [
      'in a chain of references',
      {
        $defs: named(2000, (index) => ({
          items: { $ref: index === 1999 ? '#/$defs/n0' : `#/$defs/n${String(index + 1)}` },
        })),
        $ref: '#/$defs/n0',
      },
    ],
  ])('%s', (_name, schema) => {
    expect(codeOf(() => validator.validate(schema, {}))).toBe('SCHEMA_TOO_LARGE');
  });

  test('no sooner than it says', () => {
    expect(
      validator.validate(
        nested(99, (not) => ({ not })),
        {},
      ).valid,
    ).toBe(false);
    expect(validator.validate({ enum: times(49_000, String) }, '48999').valid).toBe(true);
    expect(validator.validate({ description: 'x'.repeat(1_000_000) }, 1).valid).toBe(true);
    expect(
      validator.validate({ properties: named(5000, () => ({ type: 'string' })) }, { n4999: 1 }).valid,
    ).toBe(false);
  });

  test('in no way when many places refer to one large definition', () => {
    const $defs = { large: { type: 'object', properties: named(3000, () => ({ type: 'string' })) } };
    const schema = { $defs, properties: named(2000, () => ({ $ref: '#/$defs/large' })) };
    expect(validator.validate(schema, { n1999: { n2999: 1 } }).errors).toMatchObject([
      { path: '/n1999/n2999' },
    ]);
  });
});

describe('a value of a stranger ends the check', () => {
  const tree = { type: 'object', additionalProperties: { $ref: '#' } };

  test('when it is nested deeper than the stack', () => {
    const deep = nested(1_000_000, (inner) => ({ inner }));
    expect(validator.validate(tree, deep)).toMatchObject(LIMIT('depth'));
    expect(validator.validate({ enum: [{}] }, deep)).toMatchObject(LIMIT('depth'));
    expect(validator.validate({ uniqueItems: true }, [deep])).toMatchObject(LIMIT('depth'));
  });

  test('when it is nested by 10 000 levels, and as far as nothing looks into it, by any number', () => {
    const deep = nested(10_000, (inner) => ({ inner }));
    const { valid, errors } = validator.validate(tree, deep);
    expect(valid || errors[0]?.keyword === 'limit').toBe(true);
    const schema = { type: 'object', properties: { inner: { type: 'object' } }, required: ['inner'] };
    expect(
      validator.validate(
        schema,
        nested(1_000_000, (inner) => ({ inner })),
      ).valid,
    ).toBe(true);
    expect(validator.validate({ const: { inner: {} } }, deep).valid).toBe(false);
  });

  test('when it contains itself', () => {
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    expect(validator.validate(tree, loop)).toMatchObject({ valid: false, errors: [{ keyword: 'limit' }] });
    expect(validator.validate({ type: 'object' }, loop).valid).toBe(true);
  });

  test('when the schema doubles the work on every level of the schema', () => {
    const $defs = named(50, (index) => {
      const $ref = `#/$defs/n${String(index + 1)}`;
      return index === 49 ? { type: 'string' } : { allOf: [{ $ref }, { $ref }] };
    });
    expect(validator.validate({ $defs, $ref: '#/$defs/n0' }, 'a')).toMatchObject(LIMIT('steps'));
  });

  test('when the schema doubles the work on every level of the value', () => {
    const branch = (kind: string) => ({ properties: { kind: { const: kind }, of: { $ref: '#' } } });
    const schema = { anyOf: [branch('a'), branch('b')] };
    const value = nested(60, (of) => ({ kind: 'c', of }));
    expect(validator.validate(schema, value)).toMatchObject(LIMIT('steps'));
    expect(
      validator.validate(
        schema,
        nested(5, (of) => ({ kind: 'b', of })),
      ).valid,
    ).toBe(true);
    // A check that ended early leaves nothing behind for the next one.
    const errors = validator
      .validate(schema, { kind: 'c' })
      .errors.map(({ path, keyword }) => [path, keyword]);
    expect(errors).toEqual([
      ['/kind', 'const'],
      ['/kind', 'const'],
      ['', 'anyOf'],
    ]);
  });

  test('when there are too many errors to report', () => {
    const items = times(1_000_000, () => 'a');
    expect(validator.validate({ items: { type: 'number' } }, items)).toMatchObject(LIMIT('steps'));
    const schema = { $defs: { a: { type: 'number' } }, items: { $ref: '#/$defs/a' } };
    expect(validator.validate(schema, items)).toMatchObject(LIMIT('steps'));
    expect(validator.validate(schema, items.slice(0, 10_000)).errors).toHaveLength(10_000);
    // Through a reference the list of errors is copied again and again
    expect(validator.validate(schema, items.slice(0, 50_000))).toMatchObject(LIMIT('steps'));
    expect(validator.validate({ items: { type: 'number' } }, items.slice(0, 25_000)).errors).toHaveLength(
      25_000,
    );
  });

  test('when a pattern is large and the text is long', () => {
    expect(validator.validate({ pattern: '^.*a.{999}$' }, 'ab'.repeat(1_000_000))).toMatchObject(
      LIMIT('steps'),
    );
    expect(validator.validate({ pattern: '^[a-z]{1,255}$' }, 'a'.repeat(10_000)).valid).toBe(false);
    const schema = { patternProperties: named(1000, () => ({ type: 'number' })) };
    expect(
      validator.validate(
        schema,
        named(100_000, () => 1),
      ),
    ).toMatchObject(LIMIT('steps'));
  });

  test('when a list is long and has to be unique, or in a long list of allowed values', () => {
    const items = times(50_000, (index) => ({ index }));
    expect(validator.validate({ uniqueItems: true }, items).valid).toBe(true);
    expect(validator.validate({ uniqueItems: true }, [...items, { index: 7 }]).errors).toMatchObject([
      { path: '', keyword: 'uniqueItems', params: { i: 50_000, j: 7 } },
    ]);
    const schema = { items: { enum: times(40_000, String) } };
    expect(validator.validate(schema, times(40_000, String)).valid).toBe(true);
  });

  test('when a URL is long', () => {
    const url = `http://a${'::'.repeat(100_000)} `;
    expect(validator.validate({ format: 'url' }, url).valid).toBe(false);
    expect(validator.validate({ format: 'url' }, `http://example.com/${'a'.repeat(3000)}`).valid).toBe(false);
    expect(validator.validate({ format: 'url' }, `http://example.com/${'a'.repeat(1000)}`).valid).toBe(true);
  });
});
