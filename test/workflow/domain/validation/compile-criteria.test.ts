import { expect, test } from '@jest/globals';
import { InvalidCriteriaError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { errorOf } from '../../../support/thrown.ts';
import { checkCriteria } from '../../../../src/workflow/domain/validation/compile-criteria.ts';

const rule = { type: 'contains', value: 'a', message: 'm' };

function refusalOf(criteria: unknown, path?: string): InvalidCriteriaError {
  return errorOf(() => checkCriteria(criteria, path), InvalidCriteriaError);
}

/** Wraps criteria in as many levels of the one or the other kind. */
function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let criteria: unknown = rule;
  for (let level = 0; level < levels; level += 1) criteria = wrap(criteria);
  return criteria;
}

test.each([
  ['no criteria', undefined],
  ['an empty array', []],
  ['an empty object', {}],
  ['legacy text', '^a+$'],
  ['a rule', rule],
  ['a rule without a message', { type: 'length', min: 0 }],
  [
    'every type of rule',
    [rule, { type: 'regex', pattern: '' }, { type: 'length', max: 3 }, { type: 'schema' }],
  ],
  ['all flags at once', { type: 'regex', pattern: 'a', flags: 'imsu' }],
  ['a condition', { ...rule, condition: { var: 'x', equals: 1 } }],
  ['members that are undefined', { ...rule, condition: undefined, and: undefined }],
  ['compositions in arrays in compositions', { and: [[{ or: [rule, 'b'] }], { not: rule }, []] }],
  ['a value that is not a text, at which every output fails', { type: 'contains', value: 3 }],
  ['64 levels of not', nest(64, (not) => ({ not }))],
  ['64 levels of arrays', nest(64, (inner) => [inner])],
  ['500 rules', Array.from({ length: 500 }, () => rule)],
])('accepts %s', (_name, criteria) => {
  expect(checkCriteria(criteria)).toBeUndefined();
});

test.each<[string, unknown, string]>([
  ['a number', 5, ''],
  ['null', null, ''],
  ['a boolean in an array', [rule, true], '/1'],
  ['null in an array', [null], '/0'],
  ['a hole in an array', [, rule], '/0'],
  ['an instance of a class', new Date(0), ''],
  ['an unknown type', { type: 'starts', message: '' }, '/type'],
  ['a type that every object has', { type: 'constructor', message: '' }, '/type'],
  ['a type that is null', [{ type: null }], '/0/type'],
  ['an unknown member', { ...rule, 'a/b': 1 }, '/a~1b'],
  ['a member of another type', { ...rule, pattern: 'a' }, '/pattern'],
  ['an operator beside a type', { ...rule, not: rule }, '/not'],
  ['a member of the name __proto__', JSON.parse('{"type":"schema","__proto__":1}'), '/__proto__'],
  ['a message that is not a text', { ...rule, message: 1 }, '/message'],
  ['a composition of two operators', { and: [rule], or: [rule] }, ''],
  ['a composition of none, within another', { and: [{}] }, '/and/0'],
  ['a member that is not an operator', { nor: [rule] }, '/nor'],
  ['an unknown member of a composition', { and: [rule], message: 'm' }, '/message'],
  ['and of nothing', { and: [] }, '/and'],
  ['or of something that is not an array', { or: rule }, '/or'],
  ['not of null', { not: null }, '/not'],
  ['a broken regular expression', { type: 'regex', pattern: '[bad' }, '/pattern'],
  ['a broken legacy text', { and: ['a', '(b'] }, '/and/1'],
  ['a regular expression without pattern', { type: 'regex', flags: 'i' }, ''],
  ['an unknown flag', { type: 'regex', pattern: 'a', flags: 'g' }, '/flags'],
  ['a flag that is there twice', { type: 'regex', pattern: 'a', flags: 'imi' }, '/flags'],
  ['flags that are no text', { type: 'regex', pattern: 'a', flags: ['i'] }, '/flags'],
  ['length without bounds', { type: 'length' }, ''],
  ['a bound that is negative', { type: 'length', min: -1 }, '/min'],
  ['a bound that is not a whole number', { type: 'length', max: 1.5 }, '/max'],
  ['a bound that is text', { type: 'length', max: '3' }, '/max'],
  ['bounds the wrong way round', { type: 'length', min: 3, max: 2 }, ''],
  ['a type that no schema has', { type: 'schema', schema: { type: 'invalid_type' } }, '/schema/type'],
  ['a schema that is a number', { type: 'schema', schema: 5 }, '/schema'],
  ['a schema as text', { type: 'schema', schema: '{}' }, '/schema'],
  [
    'a schema that leads elsewhere',
    { type: 'schema', schema: { $ref: 'https://example.org/s' } },
    '/schema/$ref',
  ],
  ['a malformed condition', [{ ...rule, condition: { var: 'x', is: 1 } }], '/0/condition/is'],
  ['a condition that is text', { ...rule, condition: 'x' }, '/condition'],
  ['65 levels of not', nest(65, (not) => ({ not })), ''],
  ['65 levels of arrays', nest(65, (inner) => [inner]), ''],
  ['501 rules', Array.from({ length: 501 }, () => 'a'), ''],
])('refuses %s', (_name, criteria, path) => {
  const error = refusalOf(criteria);
  expect(error.code).toBe('INVALID_CRITERIA');
  expect(error.path).toBe(path);
  expect(error.reason).toMatch(/\S.*\.$/);
});

test.each([
  ['look-ahead', 'a(?=b)', /look-around/],
  ['look-behind', '(?<!a)b', /look-around/],
  ['a back-reference', '(a)\\1', /back-reference/],
  ['a named back-reference', '(?<x>a)\\k<x>', /back-reference/],
  ['large repeat counts', '(a?){1000}(b?){1000}(c?){1000}', /smaller repeat counts/],
])('says why %s is refused', (_name, pattern, reason) => {
  expect(refusalOf({ type: 'regex', pattern }).reason).toMatch(reason);
});

test.each([
  ['contians', '"contians" is not a type of rule', '; did you mean "contains"?'],
  ['starts', '"starts" is not a type of rule', '.'],
  [7, '7 is not a type of rule', '.'],
  [null, 'null is not a type of rule', '.'],
])('says of the type %p what was given and what there is', (type, given, suggestion) => {
  const { reason } = refusalOf({ type, message: '' });
  expect(reason).toBe(`${given}; the types are contains, regex, length, schema${suggestion}`);
});

test('puts the pointer of the criteria before that of the fault', () => {
  const path = '/steps/3/validationCriteria';
  expect(refusalOf([rule, 1], path).path).toBe(`${path}/1`);
  expect(refusalOf([{ ...rule, condition: [] }], path).path).toBe(`${path}/0/condition`);
  expect(
    refusalOf(
      nest(70, (inner) => [inner]),
      path,
    ).path,
  ).toBe(path);
});

test('neither hangs nor overflows on a million levels', () => {
  expect(refusalOf(nest(1_000_000, (not) => ({ not }))).reason).toMatch(/64 levels/);
  expect(refusalOf(nest(1_000_000, (and) => ({ and }))).reason).toMatch(/64 levels/);
  expect(refusalOf({ ...rule, condition: nest(1_000_000, (not) => ({ not })) }).path).toMatch(/^\/condition/);
  expect(refusalOf({ type: 'schema', schema: nest(1_000_000, (not) => ({ not })) }).path).toBe('/schema');
});

test('neither hangs nor overflows on criteria that contain themselves', () => {
  const cyclic: unknown[] = ['a'];
  cyclic.push({ or: cyclic }, cyclic);
  expect(refusalOf(cyclic).reason).toMatch(/64 levels/);
  const schema: Record<string, unknown> = {};
  schema['not'] = schema;
  expect(refusalOf({ type: 'schema', schema }).path).toBe('/schema');
});

test('neither hangs nor overflows on parts that are shared on every level', () => {
  let shared: unknown = rule;
  for (let level = 0; level < 60; level += 1) shared = { and: [shared, shared] };
  expect(refusalOf(shared).reason).toMatch(/500 rules/);
});
