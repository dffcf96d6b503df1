import { describe, expect, test } from '@jest/globals';
import { evaluateCondition } from '../../../../src/workflow/domain/conditions/evaluate-condition.ts';

function nested(levels: number, innermost: unknown = {}): unknown {
  let condition = innermost;
  for (let level = 1; level < levels; level += 1)
    condition = level % 2 ? { not: condition } : { and: [condition] };
  return condition;
}

describe('evaluateCondition', () => {
  test('compares a variable with a text', () => {
    const condition = { var: 'taskScope', equals: 'small' };
    expect(evaluateCondition(condition, { taskScope: 'small' })).toBe(true);
    expect(evaluateCondition(condition, { taskScope: 'large' })).toBe(false);
  });

  test.each([
    [{ lt: 100 }, true],
    [{ lte: 85 }, true],
    [{ lte: 80 }, false],
    [{ gt: 85 }, false],
    [{ gte: 85, lt: 86 }, true],
    [{ gte: 85, lt: 85 }, false],
    [{ gt: '80' }, false],
    [{ gt: NaN }, false],
    [{ lt: Infinity }, false],
  ])('finds of a score of 85 that %j is %s', (comparators, expected) => {
    expect(evaluateCondition({ var: 'score', ...comparators }, { score: 85 })).toBe(expected);
  });

  test('compares numbers only, and converts nothing', () => {
    expect(evaluateCondition({ var: 'score', gt: 80 }, { score: '85' })).toBe(false);
    expect(evaluateCondition({ var: 'score', lt: 1 }, { score: null })).toBe(false);
    expect(evaluateCondition({ var: 'score', lt: 1 }, { score: -Infinity })).toBe(false);
    expect(evaluateCondition({ var: 'score', lte: 1 }, {})).toBe(false);
  });

  test('turns a condition that does not hold around', () => {
    expect(evaluateCondition({ not: { var: 'x', equals: 1 } }, { x: 2 })).toBe(true);
  });

  test('lets a missing variable equal nothing, not even null', () => {
    expect(evaluateCondition({ var: 'x', equals: 1 }, {})).toBe(false);
    expect(evaluateCondition({ var: 'x', equals: null }, {})).toBe(false);
    expect(evaluateCondition({ var: 'x', not_equals: 1 }, {})).toBe(true);
    expect(evaluateCondition({ var: 'x', not_equals: null }, {})).toBe(true);
    expect(evaluateCondition({ var: 'x', equals: null }, { x: null })).toBe(true);
  });

  test.each([
    [true, true],
    [false, false],
    ['', false],
    ['test', true],
    [0, false],
    [[], true],
    [null, false],
  ])('takes a variable that is %j alone as %s', (x, expected) => {
    expect(evaluateCondition({ var: 'x' }, { x })).toBe(expected);
  });

  test('takes the name of a variable as one key', () => {
    expect(evaluateCondition({ var: 'a.b' }, { a: { b: 1 } })).toBe(false);
    expect(evaluateCondition({ var: 'a.b' }, { 'a.b': 1 })).toBe(true);
  });

  test('looks at own members of the context only', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      expect(evaluateCondition({ var: name }, {})).toBe(false);
    }
    expect(evaluateCondition({ var: 'x' }, Object.create({ x: true }))).toBe(false);
    expect(evaluateCondition({ var: '__proto__' }, JSON.parse('{"__proto__": 1}'))).toBe(true);
    expect(evaluateCondition({ var: 'x' }, Object.assign(Object.create(null) as object, { x: 1 }))).toBe(
      true,
    );
  });

  test.each([[undefined], [null], [5], ['x'], [['x']], [() => 'x']])(
    'takes the context %p as empty',
    (context) => {
      expect(evaluateCondition({ var: 'length' }, context)).toBe(false);
      expect(evaluateCondition({ var: 'length', not_equals: 1 }, context)).toBe(true);
    },
  );

  test('wants every operator of one object to hold', () => {
    const condition = { var: 'x', equals: 1, and: [{ var: 'y', equals: 2 }] };
    expect(evaluateCondition(condition, { x: 1, y: 2 })).toBe(true);
    expect(evaluateCondition(condition, { x: 1, y: 3 })).toBe(false);
    expect(evaluateCondition(condition, { x: 2, y: 2 })).toBe(false);
    expect(evaluateCondition({ or: [{}], not: {} }, {})).toBe(false);
    expect(evaluateCondition({ var: 'x', or: [{}] }, { x: false })).toBe(false);
  });

  test('holds without a condition, and for an empty one on any level', () => {
    for (const condition of [undefined, null, {}, { and: [] }, { and: [{}] }, { not: { or: [] } }]) {
      expect(evaluateCondition(condition, {})).toBe(true);
    }
    expect(evaluateCondition({ or: [] }, {})).toBe(false);
    expect(evaluateCondition({ not: {} }, {})).toBe(false);
  });

  test.each([
    [[]],
    [[{}]],
    ['var'],
    [5],
    [true],
    [{ foo: 1 }],
    [{ equals: 1 }],
    [{ var: 5 }],
    [{ var: null }],
    [{ and: {} }],
    [{ or: 'x' }],
    [{ and: [null] }],
    [{ and: [undefined] }],
    [{ not: null }],
    [{ not: [] }],
    [{ or: [{}, { foo: 1 }] }],
    [{ or: [{ foo: 1 }, {}] }],
    [{ not: { not: { equals: 1 } } }],
    [{ not: { foo: 1 } }],
    [new Date()],
    [new Map()],
    [JSON.parse('{"__proto__": {}}') as unknown],
  ])('does not hold when it is malformed anywhere: %j', (condition) => {
    expect(evaluateCondition(condition, {})).toBe(false);
    expect(evaluateCondition({ or: [{}, { not: condition }] }, {})).toBe(false);
  });

  test('takes 64 levels, and no more', () => {
    expect(evaluateCondition(nested(64), {})).toBe(true);
    expect(evaluateCondition(nested(65), {})).toBe(false);
    expect(evaluateCondition({ or: [{}, nested(64)] }, {})).toBe(false);
  });

  test.each([10_000, 1_000_000])('refuses %d levels without calling itself', (levels) => {
    expect(evaluateCondition(nested(levels), {})).toBe(false);
    expect(evaluateCondition({ or: [{}, nested(levels)] }, {})).toBe(false);
  });

  test('refuses a condition that contains itself, however often', () => {
    const ring: Record<string, unknown> = {};
    ring.or = [{}, ring, ring, { and: [ring, ring] }];
    expect(evaluateCondition(ring, {})).toBe(false);
  });

  test('takes no longer for parts that are shared on every level', () => {
    let condition: unknown = { var: 'x' };
    for (let level = 1; level < 64; level += 1) condition = { and: [condition, condition, condition] };
    expect(evaluateCondition(condition, { x: true })).toBe(true);
    expect(evaluateCondition({ not: condition }, { x: true })).toBe(false);
  });

  test('counts a member that is undefined as absent', () => {
    expect(evaluateCondition({ var: 'x', equals: undefined, foo: undefined }, { x: 5 })).toBe(true);
    expect(evaluateCondition({ and: undefined, not: undefined }, {})).toBe(true);
    expect(evaluateCondition({ equals: undefined }, {})).toBe(true);
  });

  test('does not throw where reading does', () => {
    const trap = {
      get var(): string {
        throw new Error('no');
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(evaluateCondition(trap, {})).toBe(false);
    expect(evaluateCondition({ or: [{}, trap] }, {})).toBe(false);
    expect(evaluateCondition(proxy, {})).toBe(false);
    expect(evaluateCondition({ or: [{}, proxy] }, {})).toBe(false);
    expect(evaluateCondition({ var: 'var' }, trap)).toBe(false);
    expect(evaluateCondition({ var: 'var' }, proxy)).toBe(false);
  });

  test('sees what became of a condition that is not frozen in every part', () => {
    const inner: Record<string, unknown> = {};
    const condition = Object.freeze({ and: Object.freeze([inner]) });
    expect(evaluateCondition(condition, {})).toBe(true);
    inner.foo = 1;
    expect(evaluateCondition(condition, {})).toBe(false);
  });

  test('gives the same answer again for a frozen condition', () => {
    const condition = Object.freeze({ var: 'x', equals: 1 });
    expect([1, 2, 1].map((x) => evaluateCondition(condition, { x }))).toEqual([true, false, true]);
  });
});
