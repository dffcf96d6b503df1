import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidCriteriaError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { checkCriteria } from '../../../../src/workflow/domain/validation/compile-criteria.ts';
import {
  createRuleCompiler,
  schemaCost,
  compilePattern,
} from '../../../../src/workflow/domain/validation/rule-compiler.ts';
import { errorOf } from '../../../support/thrown.ts';
import { ValidationEngine } from '../../../../src/workflow/domain/validation/validation-engine.ts';
import { matchesByStandard } from '../../../support/standard-match.ts';
import { tries } from '../../../support/thorough.ts';

const criteriaError = (work: () => unknown): InvalidCriteriaError => errorOf(work, InvalidCriteriaError);

const costly = (index: number): string => `(a{40}){10}${index}`;

describe('the budget of criteria', () => {
  test('ends at the regular expression that goes over it', () => {
    const { path, reason } = criteriaError(() =>
      checkCriteria(Array.from({ length: 500 }, (_, index) => costly(index))),
    );
    expect(Number(path.slice(1))).toBeGreaterThan(200);
    expect(reason).toMatch(/too large together; use fewer and smaller/);
  });

  test('holds for an engine as well, whatever it has compiled before', async () => {
    const engine = new ValidationEngine();
    const rules = Array.from({ length: 500 }, (_, index) => costly(index));
    for (let round = 0; round < 2; round += 1) {
      await expect(engine.validate('a', rules)).rejects.toMatchObject({ code: 'INVALID_CRITERIA' });
      expect((await engine.validate('a', rules.slice(0, 20))).details).toHaveLength(20);
    }
  });

  test('counts equal patterns and equal schemas once', () => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, true])),
    };
    const rules = Array.from({ length: 250 }, () => [costly(1), { type: 'schema', schema }]).flat();
    expect(checkCriteria(rules)).toBeUndefined();
  });

  test('is one for all criteria that share a compiler', () => {
    const compiler = createRuleCompiler();
    const half = (from: number): string[] => Array.from({ length: 200 }, (_, index) => costly(from + index));
    expect(checkCriteria(half(0), '', compiler)).toBeUndefined();
    expect(checkCriteria(half(0), '', compiler)).toBeUndefined();
    expect(criteriaError(() => checkCriteria(half(200), '/steps/1', compiler)).path).toMatch(
      /^\/steps\/1\/\d+$/,
    );
    expect(checkCriteria(['a'], '', compiler)).toBeUndefined();
  });

  test('counts again what failed before', () => {
    const compiler = createRuleCompiler();
    const broken = `${'a'.repeat(4000)}(`;
    const reasons = Array.from(
      { length: 100 },
      () => criteriaError(() => checkCriteria([broken], '', compiler)).reason,
    );
    expect(reasons[0]).toMatch(/cannot be compiled/);
    expect(reasons.at(-1)).toMatch(/too large together/);
  });

  test('counts the values of schemas, and the patterns in them', () => {
    const wide = { enum: Array.from({ length: 20_000 }, (_, index) => index) };
    expect(criteriaError(() => checkCriteria({ type: 'schema', schema: wide })).path).toBe('/schema');
    const patterns = {
      allOf: Array.from({ length: 400 }, (_, index) => ({ pattern: `(a{30}){30}${index}` })),
    };
    expect(criteriaError(() => checkCriteria({ type: 'schema', schema: patterns })).reason).toMatch(
      /too large together/,
    );
    const names = {
      patternProperties: Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`(a{30}){30}${i}`, true])),
    };
    expect(criteriaError(() => checkCriteria({ type: 'schema', schema: names })).reason).toMatch(
      /too large together/,
    );
  });
});

describe('schemaCost', () => {
  test('has a key that distinguishes schemas', () => {
    const schemas = [
      true,
      'true',
      {},
      [],
      { a: 1 },
      { a: '1' },
      { a: { b: 1 } },
      { a: {}, b: 1 },
      { a: [1, 2] },
      { a: [2, 1] },
    ];
    expect(new Set(schemas.map((schema) => schemaCost(schema).key)).size).toBe(schemas.length);
  });

  test('ends for a schema that contains itself', () => {
    const schema: Record<string, unknown> = {};
    schema['allOf'] = [schema, schema];
    expect(schemaCost(schema).cost).toBeGreaterThan(300_000);
  });
});

// The specification of what patterns mean is the engine of JavaScript, in its Unicode mode.
const character = fc.constantFrom(
  'a',
  'b',
  'Z',
  '0',
  '_',
  '-',
  ' ',
  '\n',
  '\u2028',
  'é',
  '😀',
  '\u00a0',
  '/',
);
const atom = fc.oneof(
  { weight: 3, arbitrary: character.map((text) => text.replace(/[/]/, '\\/').replace('-', '\\x2d')) },
  fc.constantFrom('.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '\\B', '\\.', '\\u{1F600}'),
  fc.constantFrom('\\uD83D\\uDE00', '\\u0061', '\\x5f', '\\n', '\\cJ', '\\p{L}', '\\P{Lu}', '\\$'),
  fc.constantFrom('[a-z]', '[^a-z]', '[\\s\\d]', '[^\\s]', '[\\S]', '[\\w.]', '[]', '[^]', '[😀b]', '[\\]/]'),
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?');
const ASSERTIONS = ['\\b', '\\B'];

const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
  const group = fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  );
  const item = fc
    .tuple(group, quantifier)
    .map(([inner, times]) => (ASSERTIONS.includes(inner) ? inner : `${inner}${times}`));
  const sequence = fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(''));
  return { pattern: fc.array(sequence, { minLength: 1, maxLength: 2 }).map((choices) => choices.join('|')) };
});
const anchored = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'))
  .map(([start, inner, end]) => (start + end === '' ? inner : `${start}(?:${inner})${end}`));
const text = fc.array(character, { maxLength: 8 }).map((parts) => parts.join(''));

test('means what JavaScript means by a pattern', () => {
  fc.assert(
    fc.property(anchored, fc.constantFrom('', 's', 'u', 'su'), text, (source, flags, subject) => {
      const native = new RegExp(source, flags.includes('u') ? flags : `${flags}u`);
      expect(compilePattern(source, flags).test(subject)).toBe(matchesByStandard(native, subject));
    }),
    { numRuns: tries(500, 5000) },
  );
});

test('ignores case as JavaScript does', () => {
  const letters = fc.constantFrom(
    'a',
    'B',
    'z',
    'É',
    'é',
    'ß',
    'σ',
    'ς',
    'Σ',
    '0',
    '-',
    '.',
    '[A-C]',
    '[^b]',
    '\\d',
  );
  const source = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  const subject = fc.array(fc.constantFrom('A', 'b', 'Z', 'É', 'é', 'Σ', 'ς', '0', '-'), { maxLength: 6 });
  fc.assert(
    fc.property(source, subject, (pattern_, parts) => {
      const joined = parts.join('');
      expect(compilePattern(pattern_, 'i').test(joined)).toBe(new RegExp(pattern_, 'iu').test(joined));
    }),
    { numRuns: tries(300, 3000) },
  );
});

test('ends lines with m at line feeds, as JavaScript does with those', () => {
  const source = fc
    .tuple(fc.constantFrom('', '^'), fc.constantFrom('a', 'a*', '.', 'b+', ''), fc.constantFrom('', '$'))
    .map((parts) => parts.join(''));
  const subject = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(source, subject, (inner, joined) => {
      expect(compilePattern(inner, 'm').test(joined)).toBe(new RegExp(inner, 'mu').test(joined));
    }),
    { numRuns: tries(100, 1000) },
  );
});

test('differs where only whole characters and line feeds count', () => {
  expect(compilePattern('^.$', '').test('😀')).toBe(true);
  expect(/^.$/.test('😀')).toBe(false);
  expect(compilePattern('^a$', 'm').test('a\r\nb')).toBe(false);
  expect(/^a$/m.test('a\r\nb')).toBe(true);
});
