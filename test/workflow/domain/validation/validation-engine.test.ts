import { expect, test } from '@jest/globals';
import type { WorkflowContext } from '../../../../src/workflow/domain/conditions/condition.ts';
import type {
  ValidationCriteria,
  ValidationResult,
} from '../../../../src/workflow/domain/validation/output-validator.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';

const engine = new ValidationEngine();
const VALID = { valid: true, issues: [], suggestions: [], details: [] };

function validate(output: unknown, criteria: unknown, context?: WorkflowContext): Promise<ValidationResult> {
  return engine.validate(output, criteria as ValidationCriteria, context);
}

async function faults(output: unknown, criteria: unknown, context?: WorkflowContext): Promise<string[]> {
  const { valid, issues, suggestions, details } = await validate(output, criteria, context);
  expect(valid).toBe(details.length === 0);
  expect(issues).toEqual(details.map(({ message }) => message));
  expect(suggestions.length > 0).toBe(!valid);
  return details.map(({ code, path }) => `${code} ${path}`);
}

const contains = (value: string): object => ({ type: 'contains', value, message: '' });
const regex = (pattern: string, flags?: string): object => ({ type: 'regex', pattern, flags, message: '' });
const when = { var: 'strict', equals: true };

test.each([[undefined], [null], [[]], [{}]])(
  'wants visible text where the criteria are %j',
  async (criteria) => {
    expect(await validate('some output', criteria)).toEqual(VALID);
    expect(await faults('', criteria)).toEqual(['EMPTY_OUTPUT ']);
    expect(await faults(' \n\t\u00a0', criteria)).toEqual(['EMPTY_OUTPUT ']);
  },
);

test.each([[undefined], [null], [5], [{}], [['text']]])('takes the output %j for empty', async (output) => {
  expect(await faults(output, undefined)).toEqual(['EMPTY_OUTPUT ']);
  expect(await faults(output, { type: 'contains', value: '' })).toEqual(['EMPTY_OUTPUT ']);
});

test('lets the rules alone decide about blank output', async () => {
  expect(await validate('', { type: 'length', max: 5 })).toEqual(VALID);
  expect(await validate('', [{ ...contains('x'), condition: when }])).toEqual(VALID);
});

test('searches for regular expressions', async () => {
  expect(await faults('abc', regex('\\d{3}'))).toEqual(['PATTERN_MISMATCH ']);
  expect(await validate('ABC', regex('b', 'i'))).toEqual(VALID);
  expect(await validate('Total $12.50', regex('\\$\\d+\\.\\d{2}'))).toEqual(VALID);
  expect(await validate('a\nb', regex('^b$', 'm'))).toEqual(VALID);
  expect(await validate('a\nb', regex('a.b', 's'))).toEqual(VALID);
  expect(await validate('x', '')).toEqual(VALID);
});

test('rejects with the pointer to what is malformed, wherever it is', async () => {
  const malformed = [
    [regex('[bad'), '/pattern'],
    [{ type: 'schema', schema: { type: 'invalid_type' }, message: '' }, '/schema/type'],
    [{ or: ['a', { ...contains('b'), condition: { x: 1 } }] }, '/or/1/condition/x'],
    [{ and: ['a'], or: ['a'] }, ''],
    [7, ''],
  ] as const;
  for (const [criteria, path] of malformed) {
    await expect(validate('a', criteria)).rejects.toMatchObject({ code: 'INVALID_CRITERIA', path });
  }
});

test('checks the criteria before it looks at the output', async () => {
  await expect(validate(undefined, ['(', 'a'])).rejects.toMatchObject({ path: '/0' });
});

test('lists every failure of an array', async () => {
  const criteria = [contains('a'), regex('b'), { type: 'length', min: 9, message: '' }];
  expect(await faults('x', criteria)).toEqual(['CONTAINS_MISSING /0', 'PATTERN_MISMATCH /1', 'TOO_SHORT /2']);
});

test('parses the output for schemas', async () => {
  const schema = { type: 'object', required: ['name', 'age'], properties: { age: { type: 'integer' } } };
  const rule = { type: 'schema', schema, message: '' };
  expect(await validate('{"name":"A","age":3}', rule)).toEqual(VALID);
  expect(await faults('{"name":"A"}', rule)).toEqual(['SCHEMA_MISMATCH ']);
  expect(await faults('{"name":', rule)).toEqual(['NOT_JSON ']);
  expect(await faults('{}', { type: 'schema', message: '' })).toEqual(['SCHEMA_MISSING ']);
  expect(await faults('{}', { type: 'schema', schema: null })).toEqual(['SCHEMA_MISSING ']);
  expect(await validate('3', { type: 'schema', schema: true })).toEqual(VALID);
  expect(await validate('null', { type: 'schema', schema: { type: 'null' } })).toEqual(VALID);
});

test('reports what a schema found in text, info and suggestions', async () => {
  const schema = { type: 'object', required: ['name'], properties: { age: { type: 'integer' } } };
  const { issues, details, suggestions } = await validate('{"age":"x"}', { type: 'schema', schema });
  expect(details[0]?.info).toEqual(["must have required property 'name'", '/age must be integer']);
  expect(issues[0]).toContain('/age must be integer');
  expect(suggestions).toEqual([
    'Add the member "name" to the JSON.',
    'Correct the JSON at /age: it must be integer.',
  ]);
});

test('keeps the list short where every item is wrong', async () => {
  const rule = { type: 'schema', schema: { items: { type: 'string' } } };
  const { details, suggestions } = await validate(JSON.stringify(Array.from({ length: 900 }, () => 1)), rule);
  expect((details[0]?.info as string[]).at(-1)).toBe('and 850 more');
  expect(suggestions).toHaveLength(5);
});

test('lets an unknown format pass', async () => {
  const rule = { type: 'schema', schema: { type: 'string', format: 'phone' }, message: '' };
  expect(await validate('"no number"', rule)).toEqual(VALID);
  const known = { type: 'schema', schema: { type: 'string', format: 'email' }, message: '' };
  expect(await faults('"nobody"', known)).toEqual(['SCHEMA_MISMATCH ']);
});

test('skips a rule whose condition does not hold', async () => {
  const rule = { ...contains('x'), condition: when };
  expect(await faults('a', rule, { strict: true })).toEqual(['CONTAINS_MISSING ']);
  expect(await validate('a', rule, { strict: false })).toEqual(VALID);
  expect(await validate('a', rule)).toEqual(VALID);
  expect(await validate('a', { not: { ...contains('a'), condition: when } })).toEqual(VALID);
  expect(await validate('a', { not: { not: rule } })).toEqual(VALID);
});

test('lets or pass at the first, and lists all when none passes', async () => {
  expect(await validate('b', { or: [contains('a'), contains('b')] })).toEqual(VALID);
  expect(await faults('x', { or: [contains('a'), 'b', { and: ['c', 'd'] }] })).toEqual([
    'CONTAINS_MISSING /or/0',
    'PATTERN_MISMATCH /or/1',
    'PATTERN_MISMATCH /or/2/and/0',
    'PATTERN_MISMATCH /or/2/and/1',
  ]);
  const skipped = { ...contains('a'), condition: when };
  expect(await faults('x', { or: [skipped, contains('b')] })).toEqual(['CONTAINS_MISSING /or/1']);
});

test('names leaves in compositions', async () => {
  const criteria = { and: [contains('a'), { or: [contains('b'), contains('c')] }] };
  expect(await validate('a c', criteria)).toEqual(VALID);
  expect(await faults('a', criteria)).toEqual([
    'CONTAINS_MISSING /and/1/or/0',
    'CONTAINS_MISSING /and/1/or/1',
  ]);
  const mixed = [contains('a'), { or: [contains('b'), contains('c')] }];
  expect(await validate('ab', mixed)).toEqual(VALID);
  expect(await faults('b', mixed)).toEqual(['CONTAINS_MISSING /0']);
  expect(await faults('a', mixed)).toEqual(['CONTAINS_MISSING /1/or/0', 'CONTAINS_MISSING /1/or/1']);
});

test('names what matched beneath not', async () => {
  const skipped = { ...contains('a'), condition: when };
  expect(await faults('ab', { not: { and: ['a', 'b', skipped] } })).toEqual([
    'FORBIDDEN_MATCH /not/and/0',
    'FORBIDDEN_MATCH /not/and/1',
  ]);
  expect(await validate('a', { not: ['a', 'b'] })).toEqual(VALID);
});

test('names every alternative that matched beneath not', async () => {
  const skipped = { ...contains('a'), condition: when };
  const criteria = { not: { or: [contains('x'), 'b', skipped, { and: ['a', 'x'] }, { or: ['x', 'a'] }] } };
  expect(await faults('ab', criteria)).toEqual([
    'FORBIDDEN_MATCH /not/or/1',
    'FORBIDDEN_MATCH /not/or/4/or/1',
  ]);
  expect(await faults('ab', { not: { not: { not: { or: ['a', 'b'] } } } })).toEqual([
    'FORBIDDEN_MATCH /not/not/not/or/0',
    'FORBIDDEN_MATCH /not/not/not/or/1',
  ]);
});

test('turns a rule round twice beneath two nots', async () => {
  expect(await validate('a', { not: { not: 'a' } })).toEqual(VALID);
  expect(await faults('x', { not: { not: 'a' } })).toEqual(['PATTERN_MISMATCH /not/not']);
});

test('counts length in UTF-16 units, both ends included', async () => {
  const rule = { type: 'length', min: 2, max: 3, message: '' };
  expect(await validate('😀', rule)).toEqual(VALID);
  expect(await validate('abc', rule)).toEqual(VALID);
  expect(await faults('a', rule)).toEqual(['TOO_SHORT ']);
  expect(await faults('😀😀', rule)).toEqual(['TOO_LONG ']);
});

test('looks for text as it is', async () => {
  expect(await faults('done', contains('DONE'))).toEqual(['CONTAINS_MISSING ']);
  expect(await validate('', contains(''))).toEqual(VALID);
  expect(await faults('3', { type: 'contains', value: 3, message: '' })).toEqual(['CONTAINS_MISSING ']);
});

test.each([
  [contains('x'), 'output must contain "x"', 'contains'],
  [regex('x+', 'i'), 'output must match /x+/i', 'regex'],
  ['x+', 'output must match /x+/', 'regex'],
  [{ type: 'length', min: 5 }, 'output is shorter than 5 characters', 'length'],
  [{ type: 'length', max: 1 }, 'output is longer than 1 characters', 'length'],
  [{ not: contains('a') }, 'output must not contain "a"', 'contains'],
  [{ not: regex('a') }, 'output must not match /a/', 'regex'],
  [{ not: { type: 'length', max: 9 } }, 'output must not have 0 to 9 characters', 'length'],
])('has a default text for %j', async (criteria, text, ruleType) => {
  const { issues, details } = await validate('abc', criteria);
  expect(issues).toEqual([text]);
  expect(details[0]?.ruleType).toBe(ruleType);
});

test('reports the message of the rule where there is one', async () => {
  const { issues } = await validate('a', [
    { ...contains('b'), message: 'Name b.' },
    { not: { ...contains('a'), message: 'No a.' } },
  ]);
  expect(issues).toEqual(['Name b.', 'No a.']);
});

test('says how much is missing or too much', async () => {
  expect((await validate('abc', { type: 'length', min: 10 })).suggestions[0]).toContain(
    'at least 7 characters',
  );
  expect((await validate('abcd', { type: 'length', max: 1 })).suggestions[0]).toContain(
    'at least 3 characters',
  );
});

test('does not give the same suggestion twice', async () => {
  expect((await validate('x', ['a', 'a'])).suggestions).toHaveLength(1);
});

test('says of alternatives that one is enough', async () => {
  const either = { or: [contains('a'), { and: [contains('b'), contains('c')] }] };
  expect((await validate('x', ['y', either])).suggestions.at(-1)).toBe(
    'Of the alternatives at /1/or, one is enough.',
  );
  expect((await validate('x', { or: [{ and: ['b', 'c'] }] })).suggestions).toHaveLength(2);
});

test('does not call one enough where none may match', async () => {
  expect((await validate('ab', { not: { or: ['a', 'b'] } })).suggestions).toHaveLength(2);
  expect((await validate('ab', { not: { or: ['a', { not: { or: ['x', 'y'] } }] } })).suggestions).toEqual([
    'Take everything that matches the regular expression /a/ out of the output.',
    'Change the output so that some part of it matches the regular expression /x/.',
    'Change the output so that some part of it matches the regular expression /y/.',
    'Of the alternatives at /not/or/1/not/or, one is enough.',
  ]);
});

test('asks the validator that it is given, with the schema and the value', async () => {
  const asked: unknown[] = [];
  const own = new ValidationEngine({
    schemaValidator: {
      validate: (schema, data) => {
        asked.push([schema, data]);
        const error = { path: '/isbn', keyword: 'format', message: 'must be an ISBN', params: {} };
        return data === 1 ? { valid: true, errors: [] } : { valid: false, errors: [error] };
      },
    },
  });
  const schema = { type: 'object', properties: { isbn: { format: 'isbn' } } };
  const criteria = [{ type: 'schema', schema, message: '' }] as never;
  expect((await own.validate('1', criteria)).valid).toBe(true);
  const { valid, issues } = await own.validate('{"isbn":"x"}', criteria);
  expect([valid, issues.join()]).toEqual([false, expect.stringContaining('must be an ISBN')]);
  expect(asked).toEqual([
    [schema, 1],
    [schema, { isbn: 'x' }],
  ]);
});
