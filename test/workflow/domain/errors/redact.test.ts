import { expect, test } from '@jest/globals';
import { redact } from '../../../../src/workflow/domain/errors/redact.ts';

test('leaves a value as it is, and gives a copy', () => {
  const value = { keys: [1, null, 'a'], list: [[], {}], Token: 'x' };
  expect(redact(value)).toEqual({ keys: [1, null, 'a'], list: [[], {}], Token: '[REDACTED]' });
  expect(value.Token).toBe('x');
  expect(redact(5)).toBe(5);
  expect(redact(null)).toBeNull();
});

test('cuts what is nested a million times', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 1_000_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
  expect(JSON.stringify(redact({ deep }))).toContain('[…]');
});

test('ends for a value that contains itself twice', () => {
  const value: Record<string, unknown> = { secret: 'x' };
  Object.assign(value, { left: value, right: [value] });
  expect(redact(value)).toMatchObject({ secret: '[REDACTED]' });
});

test('keeps a member of the name __proto__ a member', () => {
  const copy = redact(JSON.parse('{"__proto__":{"token":1}}')) as object;
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"token":"[REDACTED]"}}');
});
