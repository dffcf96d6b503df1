import { expect, test } from '@jest/globals';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { StandardSchema } from '../../../src/shared/schema-source.ts';
import { check, issues } from '../../support/check-helpers.ts';

/** A library that makes all issues of a value, and counts its checks. */
function eagerLibrary(schema: JsonSchema): { readonly source: StandardSchema; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const validate = (value: unknown): object => {
    asked.push(value);
    const items = (value as { readonly items?: readonly unknown[] }).items ?? [];
    const found = items.flatMap((item, index) =>
      item === 'refused' ? [{ message: 'is refused', path: ['items', index] }] : [],
    );
    return found.length > 0 ? { issues: found } : { value };
  };
  const jsonSchema = { input: () => schema, output: () => schema };
  const source = { '~standard': { version: 1, vendor: 'eager', validate, jsonSchema } };
  return { source: source as unknown as StandardSchema, asked };
}

const LIST: JsonSchema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'string', format: 'email' } } },
};

test('a library that makes all issues is not asked about a large value that its schema refuses', () => {
  const { source, asked } = eagerLibrary(LIST);
  const found = issues(source, { items: Array.from({ length: 9000 }, (_, index) => index) });
  expect(asked).toHaveLength(0);
  expect(found).toHaveLength(200);
  expect(found[199]).toMatchObject({ path: 'items.199', expected: 'string (email)', received: 'number 199' });
});

test('it is asked about what its schema accepts, and about formats, which libraries read in their own ways', () => {
  const { source, asked } = eagerLibrary(LIST);
  const items = Array.from({ length: 9000 }, () => 'no e-mail address');
  expect(check(source, { items }).ok).toBe(true);
  expect(issues(source, { items: [...items, 'refused'] })).toMatchObject([{ path: 'items.9000' }]);
  expect(asked).toHaveLength(2);
});

test('it is asked about a small value alone', () => {
  const { source, asked } = eagerLibrary(LIST);
  expect(check(source, { items: [1, 2, 3] }).ok).toBe(true);
  expect(asked).toHaveLength(1);
});
