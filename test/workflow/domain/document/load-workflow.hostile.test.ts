import { describe, expect, test } from '@jest/globals';
import { validateWorkflowJson } from '../../../../src/workflow/domain/document/load-workflow.ts';
import { jsonFaults } from './faults-of.ts';
import { plainStep, releaseDocument } from './release-document.ts';

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
