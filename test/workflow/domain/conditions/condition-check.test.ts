import { describe, expect, test } from '@jest/globals';
import { validateCondition } from '../../../../src/workflow/domain/conditions/condition-check.ts';
import { InvalidConditionError } from '../../../../src/workflow/domain/errors/workflow-error.ts';

function faultOf(condition: unknown, path?: string): InvalidConditionError {
  try {
    validateCondition(condition, path);
  } catch (error) {
    if (error instanceof InvalidConditionError) return error;
    throw error;
  }
  throw new Error('The condition is fine');
}

describe('validateCondition', () => {
  test.each([[undefined], [null], [{}], [{ var: 'x', gt: 'no number' }], [{ and: [{ not: { or: [] } }] }]])(
    'accepts %j',
    (condition) => {
      expect(() => validateCondition(condition)).not.toThrow();
    },
  );

  test('lists unknown members at any depth, in document order', () => {
    const error = faultOf({ and: [{ xor: 1, not: { b: 2 } }, { var: 'x' }], a: 3, or: [{ nand: { c: 1 } }] });
    expect(error.operators).toEqual(['xor', 'b', 'a', 'nand']);
    expect(error.path).toBe('/and/0/xor');
    expect(error.code).toBe('INVALID_CONDITION');
    expect(error.details).toEqual({ path: '/and/0/xor', operators: ['xor', 'b', 'a', 'nand'] });
  });

  test.each([
    [[], ''],
    ['x', ''],
    [{ var: 1 }, '/var'],
    [{ gt: 1 }, '/gt'],
    [{ and: {} }, '/and'],
    [{ var: 'x', or: [{}, null] }, '/or/1'],
    [{ not: { not: null } }, '/not/not'],
    [{ 'a/b~c': 1 }, '/a~1b~0c'],
    [{ equals: 1, foo: 2 }, '/equals'],
  ])('points at the first fault of %j: "%s"', (condition, path) => {
    expect(faultOf(condition).path).toBe(path);
    expect(faultOf(condition, '/steps/0').path).toBe(`/steps/0${path}`);
  });

  test('lists the unknown members below the last level as well', () => {
    let condition: unknown = { foo: 1 };
    for (let level = 0; level < 10_000; level += 1) condition = { not: condition };
    const error = faultOf(condition);
    expect(error.path).toBe('/not'.repeat(64));
    expect(error.operators).toEqual(['foo']);
    expect(error.message).toContain('deeper than 64 levels');
  });

  test('refuses what contains itself and what cannot be read', () => {
    const ring: Record<string, unknown> = {};
    ring.not = ring;
    expect(faultOf(ring).path).toBe('/not'.repeat(64));
    const trap = {
      get var(): string {
        throw new Error('no');
      },
    };
    expect(faultOf({ and: [trap] }).message).toContain('cannot be read');
  });

  test('reports what is wrong, where, and that another try of the same does not help', () => {
    const error = faultOf({ and: 5 });
    expect(error.message).toContain('"/and" has to be an array of conditions');
    expect(error.retryable).toBe(false);
    expect(error.suggestions).not.toHaveLength(0);
  });
});
