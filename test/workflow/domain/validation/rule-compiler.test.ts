import { describe, expect, test } from '@jest/globals';
import { InvalidCriteriaError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { checkCriteria } from '../../../../src/workflow/domain/validation/compile-criteria.ts';
import { createRuleCompiler, schemaCost } from '../../../../src/workflow/domain/validation/rule-compiler.ts';
import { errorOf } from '../../../support/thrown.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';

const criteriaError = (work: () => unknown): InvalidCriteriaError => errorOf(work, InvalidCriteriaError);

const costly = (index: number): string => `(a{40}){10}${index}`;

describe('the budget of criteria', () => {
  test('ends at the regular expression that goes over it', () => {
    const { path, reason } = criteriaError(() =>
      checkCriteria(Array.from({ length: 500 }, (_, index) => costly(index))),
    );
    expect(Number(path.slice(1))).toBeGreaterThan(200);
    expect(reason).toMatch(/too large together; use fewer and smaller/);
  });

  test('holds for an engine as well, whatever it has compiled before', async () => {
    const engine = new ValidationEngine();
    const rules = Array.from({ length: 500 }, (_, index) => costly(index));
    for (let round = 0; round < 2; round += 1) {
      await expect(engine.validate('a', rules)).rejects.toMatchObject({ code: 'INVALID_CRITERIA' });
      expect((await engine.validate('a', rules.slice(0, 20))).details).toHaveLength(20);
    }
  });

  test('counts equal patterns and equal schemas once', () => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, true])),
    };
    const rules = Array.from({ length: 250 }, () => [costly(1), { type: 'schema', schema }]).flat();
    expect(checkCriteria(rules)).toBeUndefined();
  });

  test('is one for all criteria that share a compiler', () => {
    const compiler = createRuleCompiler();
    const half = (from: number): string[] => Array.from({ length: 200 }, (_, index) => costly(from + index));
    expect(checkCriteria(half(0), '', compiler)).toBeUndefined();
    expect(checkCriteria(half(0), '', compiler)).toBeUndefined();
    expect(criteriaError(() => checkCriteria(half(200), '/steps/1', compiler)).path).toMatch(
      /^\/steps\/1\/\d+$/,
    );
    expect(checkCriteria(['a'], '', compiler)).toBeUndefined();
  });

  test('counts again what failed before', () => {
    const compiler = createRuleCompiler();
    const broken = `${'a'.repeat(4000)}(`;
    const reasons = Array.from(
      { length: 100 },
      () => criteriaError(() => checkCriteria([broken], '', compiler)).reason,
    );
    expect(reasons[0]).toMatch(/cannot be compiled/);
    expect(reasons.at(-1)).toMatch(/too large together/);
  });

  test('counts the values of schemas, and the patterns in them', () => {
    const wide = { enum: Array.from({ length: 20_000 }, (_, index) => index) };
    expect(criteriaError(() => checkCriteria({ type: 'schema', schema: wide })).path).toBe('/schema');
    const patterns = {
      allOf: Array.from({ length: 400 }, (_, index) => ({ pattern: `(a{30}){30}${index}` })),
    };
    expect(criteriaError(() => checkCriteria({ type: 'schema', schema: patterns })).reason).toMatch(
      /too large together/,
    );
    const names = {
      patternProperties: Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`(a{30}){30}${i}`, true])),
    };
    expect(criteriaError(() => checkCriteria({ type: 'schema', schema: names })).reason).toMatch(
      /too large together/,
    );
  });
});

describe('schemaCost', () => {
  test('has a key that distinguishes schemas', () => {
    const schemas = [
      true,
      'true',
      {},
      [],
      { a: 1 },
      { a: '1' },
      { a: { b: 1 } },
      { a: {}, b: 1 },
      { a: [1, 2] },
      { a: [2, 1] },
    ];
    expect(new Set(schemas.map((schema) => schemaCost(schema).key)).size).toBe(schemas.length);
  });

  test('ends for a schema that contains itself', () => {
    const schema: Record<string, unknown> = {};
    schema['allOf'] = [schema, schema];
    expect(schemaCost(schema).cost).toBeGreaterThan(300_000);
  });
});
