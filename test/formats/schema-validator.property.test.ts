import { expect, test } from '@jest/globals';
import { Ajv, type Options } from 'ajv';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { codeOf } from '../support/thrown.ts';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import { tries } from '../support/thorough.ts';

const OPTIONS: Options = { allErrors: true, strict: false, logger: false, ownProperties: true };
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const validator = createSchemaValidator();

// With members such as `toString`, the comparison of plain ajv throws.
const name = fc.constantFrom('a', 'b', 'c', 'hasOwnProperty');
const small = fc.nat(3);
const scalar = fc.oneof(
  fc.constantFrom<unknown>('a', 'ab', '', 0, 1, 1.5, -2, true, null),
  fc.constant('2024-01-01'),
);
const value = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    // To ajv, objects with and without a prototype are not equal
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const type = fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'boolean', 'null');
const types = fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }));
const names = fc.uniqueArray(name, { maxLength: 2 });

/** Schemas without patterns and cycles; references lead to two definitions. */
function schemas(dialect: '2020-12' | 'draft-07'): fc.Arbitrary<Record<string, unknown>> {
  const isCurrent = dialect === '2020-12';
  const holder = isCurrent ? '$defs' : 'definitions';
  const { schema } = fc.letrec<{ readonly schema: unknown }>((tie) => {
    const one = tie('schema');
    const list = fc.array(one, { minLength: 1, maxLength: 2 });
    const map = fc.dictionary(name, one, { maxKeys: 2 });
    const keywords = {
      type: types,
      enum: fc.array(value, { minLength: 1, maxLength: 3 }),
      const: value,
      minimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(1, 0.5, 2),
      minLength: small,
      maxLength: small,
      format: fc.constantFrom('date', 'uri', 'unknown'),
      minItems: small,
      uniqueItems: fc.boolean(),
      maxProperties: small,
      required: names,
      properties: map,
      additionalProperties: one,
      propertyNames: one,
      contains: one,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: one,
      if: one,
      then: one,
      else: one,
      title: fc.constant('x'),
      default: value,
      ...(isCurrent
        ? {
            prefixItems: list,
            items: one,
            minContains: small,
            unevaluatedProperties: one,
            unevaluatedItems: one,
            dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
            dependentSchemas: map,
          }
        : {
            items: fc.oneof(one, list),
            additionalItems: one,
            dependencies: fc.dictionary(name, fc.oneof(one, names), { maxKeys: 2 }),
          }),
    };
    const record = fc
      .subarray(Object.keys(keywords) as (keyof typeof keywords)[], { maxLength: 4 })
      .chain((chosen) =>
        fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]]))),
      );
    const reference = fc.constantFrom('one', 'two').map(($ref) => ({ $ref: `#/${holder}/${$ref}` }));
    return { schema: fc.oneof({ depthSize: 'small' }, fc.boolean(), reference, record, record) };
  });
  return fc
    .tuple(schema, schemaWithoutReferences(schema), schemaWithoutReferences(schema))
    .map(([root, one, two]) => ({
      ...(typeof root === 'object' ? root : { not: !(root as boolean) }),
      ...(!isCurrent && { $schema: DRAFT_07 }),
      [holder]: { one, two },
    }));
}

function schemaWithoutReferences(schema: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return schema.filter((each) => !JSON.stringify(each).includes('"$ref"'));
}

function places(errors: readonly { readonly keyword: string; readonly place: string }[]): readonly string[] {
  return errors.map(({ keyword, place }) => `${place} ${keyword}`).sort();
}

test.each(['2020-12', 'draft-07'] as const)(
  '%s: without patterns, everything is as in plain ajv',
  (dialect) => {
    // Plain ajv lets the neighbours of a reference count in draft-07, where they do not.
    const options = { ...OPTIONS, ignoreKeywordsWithRef: dialect === 'draft-07' };
    const Plain = dialect === 'draft-07' ? Ajv : Ajv2020;
    fc.assert(
      fc.property(schemas(dialect), fc.array(value, { minLength: 1, maxLength: 5 }), (schema, values) => {
        const ajv = new Plain(options);
        ajvFormats.default(ajv);
        // Draft-07 wants the values of an enum to be unique
        if (ajv.validateSchema(schema) !== true) {
          expect(codeOf(() => validator.compile(schema))).toBe('INVALID_SCHEMA');
          return;
        }
        const plain = ajv.compile(schema);
        const compiled = validator.compile(schema);
        for (const each of values) {
          const isValid = plain(each);
          const own = compiled.validate(each);
          expect(own.valid).toBe(isValid);
          const expected = (plain.errors ?? []).map(({ keyword, instancePath }) => ({
            keyword,
            place: instancePath,
          }));
          if (isValid) expect(own.errors).toEqual([]);
          else
            expect(places(own.errors.map(({ keyword, path }) => ({ keyword, place: path })))).toEqual(
              places(expected),
            );
        }
      }),
      { numRuns: tries(50, 400) },
    );
  },
);

test('whatever comes as a schema, nothing is thrown but errors with the codes of the validator', () => {
  const codes = [
    'INVALID_SCHEMA',
    'UNSUPPORTED_DIALECT',
    'EXTERNAL_REF',
    'UNSUPPORTED_PATTERN',
    'SCHEMA_TOO_LARGE',
  ];
  const keyword = fc.constantFrom(
    '$ref',
    '$id',
    '$anchor',
    '$dynamicRef',
    '$dynamicAnchor',
    '$schema',
    '$defs',
    'definitions',
    'id',
    '$async',
    'nullable',
    'type',
    'properties',
    'patternProperties',
    'items',
    'allOf',
    'not',
    'required',
    'dependencies',
    'pattern',
    'format',
    'enum',
    'const',
    '__proto__',
    'constructor',
    'toolwrightSteps',
    '$recursiveRef',
    'unevaluatedProperties',
    'x',
  );
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(
      '#',
      '#/items',
      '#/not',
      '#a',
      'a',
      'object',
      DRAFT_07,
      '(',
      '^a',
      'date',
      true,
      false,
      null,
      1,
      -1,
    ),
    fc.string({ maxLength: 3 }),
  );
  const { junk } = fc.letrec<{ readonly junk: unknown }>((tie) => ({
    junk: fc.oneof(
      { depthSize: 'medium' },
      leaf,
      fc.array(tie('junk'), { maxLength: 3 }),
      fc.dictionary(keyword, tie('junk'), { maxKeys: 3, noNullPrototype: false }),
      fc.dictionary(keyword, tie('junk'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(junk, junk, (schema, data) => {
      const before = JSON.stringify(schema);
      try {
        expect(typeof validator.validate(schema, data).valid).toBe('boolean');
        expect(typeof validator.validate(JSON.stringify(schema), data).valid).toBe('boolean');
      } catch (error) {
        if (!ToolwrightError.is(error)) throw error;
        expect(codes).toContain(error.code);
      }
      expect(JSON.stringify(schema)).toBe(before);
    }),
    { numRuns: tries(300, 3000) },
  );
});

test('the order of members changes nothing, not even the order of errors', () => {
  const reversed = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(reversed);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each)
        .reverse()
        .map(([key, inner]) => [key, reversed(inner)]),
    );
  };
  fc.assert(
    fc.property(schemas('2020-12'), value, (schema, data) => {
      const [first, second] = [createSchemaValidator(), createSchemaValidator()];
      expect(second.validate(reversed(schema), data)).toEqual(first.validate(schema, data));
    }),
    { numRuns: 100 },
  );
});
