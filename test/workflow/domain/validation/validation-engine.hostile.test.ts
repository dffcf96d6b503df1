import { expect, test } from '@jest/globals';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';
import { deepFreeze } from '../../../../src/shared/deep-freeze.ts';

const engine = new ValidationEngine();

test.each([
  ['(a+)+$', `${'a'.repeat(262_143)}b`],
  ['(a|aa)+$', `${'a'.repeat(262_143)}b`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(262_144)],
  ['(.*)*x', 'a'.repeat(262_144)],
])('finishes with the catastrophic pattern %s', async (pattern, output) => {
  const { details } = await engine.validate(output, { type: 'regex', pattern, message: '' });
  expect(details.map(({ code }) => code)).toEqual(['PATTERN_MISMATCH']);
});

test('finishes with 500 rules on 256 KiB', async () => {
  const criteria = Array.from({ length: 500 }, (_, index) => ({
    type: 'contains' as const,
    value: `a${index}`,
    message: '',
  }));
  const { details } = await engine.validate('a'.repeat(262_144), criteria);
  expect(details).toHaveLength(500);
});

test.each([
  ['arrays', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ['objects', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`],
])('does not fall over a million %s within each other', async (_name, output) => {
  const ref = { $ref: '#' };
  const schema = { items: ref, additionalProperties: ref };
  const { details } = await engine.validate(output, { type: 'schema', schema, message: '' });
  expect(details.map(({ code }) => code)).toEqual(['SCHEMA_MISMATCH']);
});

test('never takes a compiled form for criteria that have changed', async () => {
  const schema: Record<string, unknown> = { type: 'string' };
  const rule = { type: 'schema' as const, schema, message: '' };
  const criteria = [rule, 'a'];
  expect((await engine.validate('"a"', criteria)).valid).toBe(true);
  schema['type'] = 'number';
  criteria[1] = 'b';
  expect((await engine.validate('"a"', criteria)).details.map(({ path }) => path)).toEqual(['/0', '/1']);
});

test('looks behind a frozen surface', async () => {
  const inner = { type: 'contains' as const, value: 'a', message: '' };
  const criteria = Object.freeze([inner]);
  expect((await engine.validate('a', criteria)).valid).toBe(true);
  inner.value = 'b';
  expect((await engine.validate('a', criteria)).valid).toBe(false);
});

test('checks frozen criteria each time, by output and context', async () => {
  const condition = { var: 'x', equals: 1 };
  const criteria = deepFreeze([{ type: 'regex' as const, pattern: 'a+', message: 'm', condition }]);
  expect((await engine.validate('b', criteria, { x: 1 })).valid).toBe(false);
  expect((await engine.validate('a', criteria, { x: 1 })).valid).toBe(true);
  expect((await engine.validate('b', criteria, { x: 2 })).valid).toBe(true);
});

test('goes on with more patterns and schemas than it keeps', async () => {
  for (let index = 0; index < 1100; index += 1) {
    const criteria = [
      `x${index}y`,
      { type: 'schema' as const, schema: { const: `x${index}y` }, message: '' },
    ];
    expect((await engine.validate(`"x${index % 550}y"`, criteria)).valid).toBe(index < 550);
  }
});
