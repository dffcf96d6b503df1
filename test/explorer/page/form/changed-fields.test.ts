import { describe, expect, test } from '@jest/globals';
import { changedFields } from '../../../../src/explorer/page/form/changed-fields.ts';

const text = { type: 'string' };
const objectWith = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});

describe('the fields that another version changed', () => {
  test('are none where both are alike', () => {
    const schema = objectWith({ title: text });
    expect([...changedFields(schema, structuredClone(schema))]).toEqual([]);
  });

  test('are the new, the gone, those with other rules, and those that are required now', () => {
    const before = objectWith({ title: text, old: text, due: text, same: text }, ['title']);
    const after = objectWith({ title: { ...text, minLength: 3 }, due: text, same: text, extra: text }, [
      'title',
      'due',
    ]);
    expect(Object.fromEntries(changedFields(before, after))).toEqual({
      title: 'changed',
      old: 'gone',
      due: 'changed',
      extra: 'new',
    });
  });

  test('may have the names of what every object has', () => {
    const before = objectWith({ title: text, valueOf: text });
    const after = objectWith({ title: text, constructor: text });
    expect(Object.fromEntries(changedFields(before, after))).toEqual({ constructor: 'new', valueOf: 'gone' });
  });

  test('have the paths of the form, also behind references', () => {
    const version = (most: number) => ({
      ...objectWith({ owner: { $ref: '#/$defs/Owner' } }),
      $defs: { Owner: objectWith({ name: { ...text, maxLength: most }, id: text }) },
    });
    expect([...changedFields(version(5), version(6))]).toEqual([['owner.name', 'changed']]);
  });
});
