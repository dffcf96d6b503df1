import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  ValidationCriteria,
  ValidationResult,
} from '../../../../src/workflow/domain/validation/output-validator.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';
import { context, leavesOf, letters, tree, verdict, type Leaf, type Tree } from './criteria-model.ts';
import { deepFreeze } from '../../../../src/shared/deep-freeze.ts';
import { tries } from '../../../support/thorough.ts';

const engine = new ValidationEngine();
const LENGTH = 262_144;
const output = 'ab'.repeat(LENGTH / 2);
/** About 1200 instructions: too many for the output, even alone. */
const COSTLY = '(a?b?){300}x';
/** About 600 instructions: not too many alone, though too many twice. */
const HALF = '(a?b?){150}x';

const contains = (value: string): object => ({ type: 'contains', value, message: '' });
const off = { var: 'off' };

function validate(text: string, criteria: unknown): Promise<ValidationResult> {
  return engine.validate(text, criteria as ValidationCriteria, context);
}

async function faults(criteria: unknown): Promise<string[]> {
  const { valid, details, suggestions } = await validate(output, criteria);
  expect(valid).toBe(details.length === 0);
  expect(suggestions.length > 0).toBe(!valid);
  return details.map(({ code, path }) => `${code} ${path}`);
}

test('refuses what it cannot check beside everything else that is wrong', async () => {
  expect(await faults([contains('z'), COSTLY, 'a', 'y', { and: [COSTLY] }])).toEqual([
    'CONTAINS_MISSING /0',
    'TOO_LONG /1',
    'PATTERN_MISMATCH /3',
    'TOO_LONG /4/and/0',
  ]);
});

test('says of what it could not check why, and not that the rule failed', async () => {
  const rule = { type: 'regex', pattern: COSTLY, flags: 'i', message: 'Name x.' };
  const { details, suggestions } = await validate(output, [rule]);
  const max = (details[0]?.info as { max: number }).max;
  expect(details).toEqual([
    {
      code: 'TOO_LONG',
      path: '/0',
      ruleType: 'regex',
      message: `output is longer than ${max} characters, too long to be searched for /${COSTLY}/i`,
      info: { length: LENGTH, max },
    },
  ]);
  expect(suggestions).toEqual([
    'Make the output shorter, or have the regular expressions of this step made simpler.',
  ]);
  expect((await validate(output.slice(0, max), [rule])).issues).toEqual(['Name x.']);
});

test('reports how long an output may be for all regular expressions up to one', async () => {
  const criteria = Array.from({ length: 100 }, (_, index) => `${COSTLY}${index}`);
  const { details, suggestions } = await validate(output, criteria);
  expect(details.map(({ code, path }) => `${code} ${path}`)).toEqual(
    criteria.map((_, index) => `TOO_LONG /${index}`),
  );
  expect(suggestions).toHaveLength(1);
  const { max } = details.at(-1)?.info as { max: number };
  const { details: shorter } = await validate(output.slice(0, max), criteria);
  expect(new Set(shorter.map(({ code }) => code))).toEqual(new Set(['PATTERN_MISMATCH']));
});

test('goes on with what is left after something that was too much', async () => {
  expect(await faults([COSTLY, HALF, `${HALF}1`, 'y'])).toEqual([
    'TOO_LONG /0',
    'PATTERN_MISMATCH /1',
    'TOO_LONG /2',
    'PATTERN_MISMATCH /3',
  ]);
});

test('counts no rule that is skipped', async () => {
  const skipped = { type: 'regex', pattern: COSTLY, message: '', condition: off };
  expect(await faults(skipped)).toEqual([]);
  expect(await faults([skipped, { not: skipped }, { or: [skipped] }, 'a'])).toEqual([]);
  expect(await faults([{ ...skipped, pattern: HALF }, `${HALF}1`])).toEqual(['PATTERN_MISMATCH /1']);
});

test('counts no alternative after the first that passes', async () => {
  expect(await faults({ or: ['a', COSTLY] })).toEqual([]);
  expect(await faults([{ or: ['a', HALF] }, `${HALF}1`])).toEqual(['PATTERN_MISMATCH /1']);
});

test('needs no alternative that it cannot check if another passes', async () => {
  expect(await faults({ or: [COSTLY, 'a'] })).toEqual([]);
  expect(await faults({ or: [COSTLY, 'y'] })).toEqual(['TOO_LONG /or/0', 'PATTERN_MISMATCH /or/1']);
});

test('takes nothing for a pass because it cannot be checked', async () => {
  expect(await faults({ not: COSTLY })).toEqual(['TOO_LONG /not']);
  expect(await faults({ not: { not: COSTLY } })).toEqual(['TOO_LONG /not/not']);
  expect(await faults({ not: { or: ['y', COSTLY] } })).toEqual(['TOO_LONG /not/or/1']);
  expect(await faults({ not: ['a', COSTLY] })).toEqual(['FORBIDDEN_MATCH /not/0', 'TOO_LONG /not/1']);
  expect(await faults({ not: { or: ['a', COSTLY] } })).toEqual([
    'FORBIDDEN_MATCH /not/or/0',
    'TOO_LONG /not/or/1',
  ]);
  expect(await faults({ not: ['y', COSTLY] })).toEqual([]);
});

test('checks the longest output of a run by twenty everyday regular expressions', async () => {
  const everyday = [
    'https?://\\S+',
    '\\d{4}-\\d{2}-\\d{2}',
    '[\\w.+-]+@[\\w-]+\\.[\\w.]+',
    '- \\[[ x]\\] .+',
    '^# .+',
    '^## Summary',
    '\\$\\d+(\\.\\d{2})?',
    '\\b(TODO|FIXME)\\b',
    'v?\\d+\\.\\d+\\.\\d+',
    '```[a-z]*\\n',
    '[A-Z]{2,}-\\d+',
    '\\b[0-9a-f]{7,40}\\b',
    '\\d{1,3}(\\.\\d{1,3}){3}',
    '\\d{2}:\\d{2}(:\\d{2})?',
    '\\+?\\d[\\d -]{7,14}\\d',
    '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '^\\s*[-*] .+$',
    '\\[[^\\]]+\\]\\([^)]+\\)',
    '(yes|no|maybe)',
    '\\d+%',
  ];
  const criteria = everyday.map((pattern) => ({ type: 'regex', pattern, flags: 'im', message: '' }));
  const prose = 'It is as it was. '.repeat(LENGTH / 16).slice(0, LENGTH);
  for (const text of [prose, 'a'.repeat(LENGTH), '1'.repeat(LENGTH)]) {
    const { details } = await validate(text, criteria);
    expect(new Set(details.map(({ code }) => code))).toEqual(new Set(['PATTERN_MISMATCH']));
  }
  const answers =
    '# A\n## Summary\n- [x] TODO v1.2.3 AB-1 $1.50 10% 10:30 +41 44 123 45 67 yes 127.0.0.1 2024-01-31\n' +
    '```ts\n a.b@c.org [a](b) https://example.org 01234567-0123-0123-0123-0123456789ab 0123456\n';
  expect((await validate(`${prose.slice(answers.length + 1)}\n${answers}`, criteria)).details).toEqual([]);
});

/** The tree with something too costly in place of the leaves that look for d. */
function withCostly(node: Tree): unknown {
  if (Array.isArray(node)) return node.map(withCostly);
  if ('and' in node) return { and: node.and.map(withCostly) };
  if ('or' in node) return { or: node.or.map(withCostly) };
  if ('not' in node) return { not: withCostly(node.not) };
  const { value, ...rest } = node;
  return value === 'd' ? { ...rest, type: 'regex', pattern: COSTLY } : node;
}

/** Whether the output is valid, for every way in which the leaves that look for d may end. */
function possibilities(criteria: Tree, text: string): Set<boolean> {
  const unknown = leavesOf(criteria).filter(({ value }) => value === 'd');
  const passes = (leaf: Leaf, way: number): boolean =>
    leaf.value === 'd' ? Math.floor(way / 2 ** unknown.indexOf(leaf)) % 2 === 1 : text.includes(leaf.value);
  const ways = Array.from({ length: 2 ** unknown.length }, (_, way) => way);
  return new Set(ways.map((way) => verdict(criteria, (leaf) => passes(leaf, way)) !== -1));
}

test('calls an output valid exactly when nothing that it could not check can change that', async () => {
  await fc.assert(
    fc.asyncProperty(tree, letters, async (criteria, text) => {
      fc.pre(!(Array.isArray(criteria) && criteria.length === 0));
      fc.pre(leavesOf(criteria).filter(({ value }) => value === 'd').length <= 6);
      const possible = possibilities(criteria, text);
      const { valid, details } = await validate(text.padEnd(LENGTH, '-'), withCostly(criteria));
      expect(valid).toBe(!possible.has(false));
      const isOpen = possible.size === 2;
      if (isOpen) expect(details.map(({ code }) => code)).toContain('TOO_LONG');
      expect(details.length > 0).toBe(!valid);
    }),
    { numRuns: tries(100, 1000) },
  );
});

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
