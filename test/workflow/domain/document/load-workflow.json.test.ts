import { describe, expect, test } from '@jest/globals';
import type { ValidationResult } from '../../../../src/workflow/domain/validation/output-validator.ts';
import { validateWorkflowJson } from '../../../../src/workflow/domain/document/load-workflow.ts';
import { jsonFaults } from './faults-of.ts';
import { fullDocument, plainStep, releaseDocument } from './release-document.ts';

function check(document: unknown): ValidationResult {
  return validateWorkflowJson(JSON.stringify(document));
}

function withStep(more: object): object {
  return releaseDocument({ steps: [{ ...plainStep('write-notes'), ...more }] });
}

const VALID = { valid: true, issues: [], suggestions: [], details: [] };

describe('validateWorkflowJson', () => {
  test('accepts the smallest document, and one with everything', () => {
    expect(check(releaseDocument())).toEqual(VALID);
    expect(check(fullDocument)).toEqual(VALID);
  });

  test.each([[null], [undefined], [5], [{}], [releaseDocument()], [['{}']]])(
    'wants text, not %j',
    (content) => {
      expect(validateWorkflowJson(content).details).toMatchObject([{ code: 'CONTENT_REQUIRED', path: '' }]);
    },
  );

  test.each(['', ' \r\n\t', '\uFEFF'])('wants more than blanks', (content) => {
    expect(validateWorkflowJson(content).details).toMatchObject([{ code: 'CONTENT_EMPTY', path: '' }]);
  });

  test('gives the message of the parser for broken JSON', () => {
    const { details, issues, suggestions } = validateWorkflowJson('{"id": }');
    expect(details).toMatchObject([{ code: 'INVALID_JSON', path: '' }]);
    expect(issues[0]).toMatch(/Unexpected token/);
    expect(suggestions).not.toHaveLength(0);
  });

  test('names the type that is expected', () => {
    const { details, issues } = check(releaseDocument({ name: 123 }));
    expect(details).toMatchObject([{ code: 'WRONG_TYPE', path: '/name' }]);
    expect(issues).toEqual([expect.stringContaining('string')]);
  });

  test('names a member that is not known', () => {
    const { details, issues } = check(releaseDocument({ foo: 1 }));
    expect(details).toMatchObject([{ code: 'UNKNOWN_PROPERTY', path: '/foo' }]);
    expect(issues).toEqual([expect.stringContaining('foo')]);
  });

  test('refuses a composition with two operators', () => {
    expect(jsonFaults(withStep({ validationCriteria: { and: ['a'], or: ['b'] } }))).toEqual([
      'INVALID_CRITERIA /steps/0/validationCriteria',
    ]);
  });

  test('lists all faults at once, each with a pointer to the member itself', () => {
    expect(jsonFaults({ steps: [{ id: 'x', extra: 1 }] })).toEqual([
      'MISSING_FIELD /id',
      'MISSING_FIELD /name',
      'MISSING_FIELD /description',
      'MISSING_FIELD /version',
      'MISSING_FIELD /steps/0/title',
      'MISSING_FIELD /steps/0/prompt',
      'UNKNOWN_PROPERTY /steps/0/extra',
      'TOO_SHORT /steps/0/id',
    ]);
  });

  test.each([
    [{ id: 'Release' }, 'PATTERN_MISMATCH /id'],
    [{ id: 'a'.repeat(65) }, 'TOO_LONG /id'],
    [{ name: '' }, 'TOO_SHORT /name'],
    [{ name: '😀'.repeat(129) }, 'TOO_LONG /name'],
    [{ description: 'd'.repeat(513) }, 'TOO_LONG /description'],
    [{ version: '1.0' }, 'PATTERN_MISMATCH /version'],
    [{ version: 'v1.0.0' }, 'PATTERN_MISMATCH /version'],
    [{ version: '1.0.0\n' }, 'PATTERN_MISMATCH /version'],
    [{ version: '01.0.0' }, 'PATTERN_MISMATCH /version'],
    [{ version: '1.0.0-01' }, 'PATTERN_MISMATCH /version'],
    [{ category: '' }, 'TOO_SHORT /category'],
    [{ preconditions: ['a', 'b', 'a'] }, 'DUPLICATE_ITEM /preconditions/2'],
    [{ metaGuidance: [''] }, 'TOO_SHORT /metaGuidance/0'],
    [{ clarificationPrompts: 'Which?' }, 'WRONG_TYPE /clarificationPrompts'],
    [{ steps: [] }, 'TOO_FEW_ITEMS /steps'],
    [{ steps: {} }, 'WRONG_TYPE /steps'],
    [{ steps: [null] }, 'WRONG_TYPE /steps/0'],
    [{ 'a/b': 1 }, 'UNKNOWN_PROPERTY /a~1b'],
  ])('finds the fault in %j', (more, fault) => {
    expect(jsonFaults(releaseDocument(more))).toEqual([fault]);
  });

  test.each([['0.0.0'], ['1.2.3-beta.1+linux.01'], ['99999999999999999999.0.0'], ['1.0.0-x-y-z.--']])(
    'takes the version %s',
    (version) => {
      expect(check(releaseDocument({ version }))).toEqual(VALID);
    },
  );

  test('counts characters, not units', () => {
    expect(check(releaseDocument({ name: '😀'.repeat(128) }))).toEqual(VALID);
  });

  test.each([
    [{ agentRole: 'too short' }, 'TOO_SHORT /agentRole'],
    [{ guidance: [1] }, 'WRONG_TYPE /guidance/0'],
    [{ askForFiles: 'yes' }, 'WRONG_TYPE /askForFiles'],
    [{ type: 'plain' }, 'UNKNOWN_PROPERTY /type'],
    [{ requireConfirmation: 'yes' }, 'WRONG_TYPE /requireConfirmation'],
    [{ requireConfirmation: { not: { foo: 1 } } }, 'INVALID_CONDITION /requireConfirmation/not/foo'],
    [{ runCondition: 5 }, 'INVALID_CONDITION /runCondition'],
    [{ runCondition: null }, 'INVALID_CONDITION /runCondition'],
    [{ runCondition: { equals: 1 } }, 'INVALID_CONDITION /runCondition/equals'],
    [{ runCondition: { and: [{}, null] } }, 'INVALID_CONDITION /runCondition/and/1'],
    [{ validationCriteria: null }, 'INVALID_CRITERIA /validationCriteria'],
    [{ validationCriteria: 5 }, 'INVALID_CRITERIA /validationCriteria'],
    [{ validationCriteria: ['[bad'] }, 'INVALID_CRITERIA /validationCriteria/0'],
    [{ validationCriteria: { not: { type: 'length' } } }, 'INVALID_CRITERIA /validationCriteria/not'],
    [
      { validationCriteria: { type: 'contains', value: 'x', message: '', condition: { foo: 1 } } },
      'INVALID_CRITERIA /validationCriteria/condition/foo',
    ],
  ])('finds the fault in a step with %j', (more, fault) => {
    expect(jsonFaults(withStep(more))).toEqual([fault.replace(' ', ' /steps/0')]);
  });

  test('points into an invalid JSON Schema', () => {
    const [fault] = jsonFaults(
      withStep({ validationCriteria: { type: 'schema', schema: { type: 'invalid_type' }, message: '' } }),
    );
    expect(fault).toMatch(/^INVALID_CRITERIA \/steps\/0\/validationCriteria\/schema/);
  });

  test('lists every fault of a condition', () => {
    expect(jsonFaults(withStep({ runCondition: { foo: 1, and: [{ bar: 1 }, 5], gt: 1 } }))).toEqual(
      ['foo', 'and/0/bar', 'and/1', 'gt'].map((path) => `INVALID_CONDITION /steps/0/runCondition/${path}`),
    );
  });

  test.each([
    [{ id: 'Bad Id' }, 'lowercase letters, digits, hyphens'],
    [{ id: undefined }, 'lowercase letters, digits, hyphens'],
    [{ steps: [plainStep('Bad Id')] }, 'lowercase letters, digits, hyphens'],
    [{ version: '1' }, 'semantic version'],
    [{ version: undefined }, 'semantic version'],
    [{ steps: [] }, 'at least one step'],
    [{ steps: undefined }, 'at least one step'],
    [{ steps: [plainStep('one'), plainStep('one')] }, 'id of its own'],
    [{ foo: 1 }, '/foo'],
  ])('suggests for %j: %s', (more, suggestion) => {
    const { suggestions } = check(releaseDocument(more));
    expect(suggestions).toEqual([expect.stringContaining(suggestion)]);
  });

  test.each([
    ['runCondition', '{"not":', 10_000, 'INVALID_CONDITION'],
    ['runCondition', '{"and":[', 10_000, 'INVALID_CONDITION'],
    ['validationCriteria', '{"and":[', 10_000, 'INVALID_CRITERIA'],
    ['validationCriteria', '[', 400_000, 'INVALID_CRITERIA'],
    ['prompt', '[', 400_000, 'WRONG_TYPE'],
    ['foo', '[', 400_000, 'UNKNOWN_PROPERTY'],
  ])('refuses %s with %s nested %d times', (member, opening, levels, code) => {
    const closing = opening.includes('[') ? (opening.startsWith('{') ? ']}' : ']') : '}';
    const value = `${opening.repeat(levels)}{}${closing.repeat(levels)}`;
    const step = JSON.stringify({ ...plainStep('one'), [member]: 'HERE' }).replace('"HERE"', value);
    const { details } = validateWorkflowJson(
      JSON.stringify(releaseDocument({ steps: ['STEP'] })).replace('"STEP"', step),
    );
    expect(details).toHaveLength(1);
    expect(details[0]?.code).toBe(code);
    expect(details[0]?.path.startsWith(`/steps/0/${member}`)).toBe(true);
  });

  test('refuses values to compare with, and embedded schemas, that are nested without end', () => {
    const deep = (): string => `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const check = (member: string, value: object): readonly string[] => {
      const step = JSON.stringify({ ...plainStep('one'), [member]: value }).replace('"HERE"', deep());
      const text = JSON.stringify(releaseDocument({ steps: ['STEP'] })).replace('"STEP"', step);
      return validateWorkflowJson(text).details.map(({ code }) => code);
    };
    expect(check('runCondition', { var: 'x', equals: 'HERE' })).toEqual(['INVALID_CONDITION']);
    expect(check('validationCriteria', { type: 'schema', schema: { enum: 'HERE' } })).toEqual([
      'INVALID_CRITERIA',
    ]);
    expect(check('validationCriteria', { type: 'contains', value: 'HERE' })).toEqual(['INVALID_CRITERIA']);
  });

  test('lists a thousand faults, and says that there are more', () => {
    const { details, issues } = check(withStep({ guidance: Array.from({ length: 5000 }, () => 1) }));
    expect(details).toHaveLength(1001);
    expect(details.at(-1)).toMatchObject({ code: 'TOO_LARGE', path: '' });
    expect(issues.at(-1)).toContain('more than 1000 faults');
  });

  test('ends for a document of nothing but faults', () => {
    const { valid, details } = check(withStep({ guidance: Array.from({ length: 450_000 }, () => 1) }));
    expect(valid).toBe(false);
    expect(details.length).toBeLessThanOrEqual(1001);
  });
});

function range<Item>(length: number, make: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => make(index));
}

function withCriteria(steps: readonly unknown[]): object {
  return releaseDocument({
    steps: steps.map((validationCriteria, index) => ({ ...plainStep(`step-${index}`), validationCriteria })),
  });
}

describe('validateWorkflowJson', () => {
  test('accepts 500 steps of a few rules each, and fifty schemas', () => {
    const criteria = range(500, (index) => [
      { type: 'contains', value: `v${index}` },
      `^#{1,3} \\w+ ${index}`,
      { type: 'regex', pattern: `^(feat|fix)${index}(\\(.+\\))?: .{1,72}$`, flags: 'im' },
      {
        type: 'schema',
        schema: { type: 'object', required: [`p${index % 50}`], properties: { a: { minimum: 0 } } },
      },
    ]);
    expect(jsonFaults(withCriteria(criteria))).toEqual([]);
  });

  test('says of too many steps that they are too many, and looks at the first of them', () => {
    expect(jsonFaults(releaseDocument({ steps: range(100_000, () => null) }))).toEqual([
      'TOO_LARGE /steps',
      ...range(500, (index) => `WRONG_TYPE /steps/${index}`),
    ]);
  });

  test.each([
    ['at the top level', range(100_000, () => ({}))],
    ['in a body', [{ ...plainStep('loop'), type: 'loop', body: range(100_000, () => ({})) }]],
    ['in many bodies', range(400, () => ({ type: 'loop', body: range(200, () => ({})) }))],
  ])('lists at most a thousand faults of empty steps %s', (_name, steps) => {
    const faults = jsonFaults(releaseDocument({ steps }));
    expect(faults).toHaveLength(1001);
    expect(faults.at(-1)).toBe('TOO_LARGE ');
  });

  test('compiles no more than a budget allows, and points to where it ends', () => {
    const patterns = range(20, (step) => range(50, (index) => `((a{9}){9}){9}${step}x${index}`));
    const [first] = validateWorkflowJson(JSON.stringify(withCriteria(patterns))).details;
    expect(first?.code).toBe('INVALID_CRITERIA');
    expect(first?.path).toMatch(/^\/steps\/\d+\/validationCriteria\/\d+$/);
    expect(first?.message).toContain('too large together');
  });

  test('compiles no more schemas than a budget allows', () => {
    const schemas = range(4, (step) =>
      range(400, (index) => ({ type: 'schema', schema: { const: [step, index] } })),
    );
    const faults = jsonFaults(withCriteria(schemas));
    expect(faults.length).toBeGreaterThan(0);
    expect(
      faults.every((fault) => /^INVALID_CRITERIA \/steps\/\d\/validationCriteria\/\d+\/schema$/.test(fault)),
    ).toBe(true);
  });

  test('ends for a thousand faults at the end of pointers that are very long', () => {
    const value = `${`{"${'k'.repeat(400)}":`.repeat(900)}[${'"\\ud800",'.repeat(2000)}1]${'}'.repeat(900)}`;
    const text = JSON.stringify(withCriteria([{ type: 'contains', value: 'HERE' }])).replace('"HERE"', value);
    const { details } = validateWorkflowJson(text);
    expect(details.length).toBeGreaterThan(0);
    expect(new Set(details.map(({ code }) => code))).toEqual(new Set(['INVALID_CRITERIA']));
  });
});
