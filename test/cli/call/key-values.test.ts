import { describe, expect, test } from '@jest/globals';
import { applyKeyValues } from '../../../src/cli/call/key-values.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    either: { type: ['string', 'number'] },
    isOn: { type: 'boolean' },
    none: { type: ['integer', 'null'] },
    maybe: { type: ['string', 'null'] },
    level: { enum: [1, 2, 'high'] },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'number' } },
    owner: { $ref: '#/$defs/owner' },
    'a.b': { type: 'number' },
    union: { anyOf: [{ type: 'boolean' }, { type: 'number' }] },
  },
  $defs: { owner: { type: 'object', properties: { age: { type: 'number' }, name: { type: 'string' } } } },
} as const;

describe('key=value becomes what the schema says', () => {
  test.each([
    ['text=012', { text: '012' }],
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=true', { text: 'true' }],
    ['text={"a":1}', { text: '{"a":1}' }],
    ['count=5', { count: 5 }],
    ['count=-3', { count: -3 }],
    ['count=five', { count: 'five' }],
    ['count=', { count: '' }],
    ['either=5', { either: 5 }],
    ['either=05', { either: '05' }],
    ['isOn=yes', { isOn: true }],
    ['isOn=0', { isOn: false }],
    ['isOn=maybe', { isOn: 'maybe' }],
    ['none=null', { none: null }],
    ['none=5', { none: 5 }],
    ['maybe=null', { maybe: 'null' }],
    ['count=null', { count: 'null' }],
    ['level=1', { level: 1 }],
    ['level=high', { level: 'high' }],
    ['tags=a', { tags: ['a'] }],
    ['tags=["a","b"]', { tags: ['a', 'b'] }],
    ['numbers=1', { numbers: [1] }],
    ['owner={"age":3}', { owner: { age: 3 } }],
    ['owner.age=3', { owner: { age: 3 } }],
    ['a.b=1', { 'a.b': 1 }],
    ['union=1', { union: 1 }],
    ['union=true', { union: true }],
    ['unknown=1', { unknown: '1' }],
    ['__proto__.x=1', { ['__proto__']: { x: '1' } }],
  ])('%s', (given, expected) => {
    expect(applyKeyValues({}, [given], SCHEMA)).toEqual(expected);
  });

  test('a repeated key makes a list, and comes on top of the input', () => {
    expect(
      applyKeyValues(
        { text: 'old', owner: { name: 'Ada' } },
        ['numbers=1', 'numbers=2', 'owner.age=3'],
        SCHEMA,
      ),
    ).toEqual({ text: 'old', numbers: [1, 2], owner: { name: 'Ada', age: 3 } });
  });
});

test.each([
  ['title', /is not an argument of the form key=value/],
  ['=x', /is not an argument of the form key=value/],
  ['text.inner=1', /reaches into "text"/],
])('refuses %s', (given, message) => {
  expect(() => applyKeyValues({ text: 'x' }, [given], SCHEMA)).toThrow(message);
});
