import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSchemaValidator } from 'toolwright/formats';
import {
  loadWorkflow,
  validateWorkflowJson,
} from '../../../../src/workflow/domain/document/load-workflow.ts';
import { workflowSchema } from '../../../../src/workflow/domain/document/workflow-schema.ts';
import { fullDocument } from './release-document.ts';
import { tries } from '../../../support/thorough.ts';

type Container = Record<string, unknown>;

const schema = createSchemaValidator().compile(workflowSchema);

/** What no schema can say: between steps, or about the insides of patterns, bounds and schemas. */
const SEMANTIC = new Set(['DUPLICATE_STEP_ID', 'INVALID_REFERENCE']);
const SEMANTIC_REASONS = /regular expression|is greater than|the schema|repeat/;

function containersIn(value: unknown): readonly Container[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Container, ...Object.values(value).flatMap(containersIn)];
}

const names = [
  ...new Set(containersIn(fullDocument).flatMap((each) => (Array.isArray(each) ? [] : Object.keys(each)))),
];
const parts = [
  ...containersIn(fullDocument),
  ...containersIn(fullDocument).flatMap((each) => Object.values(each)),
];

/** One change somewhere in a document. */
const mutations = fc.record({
  place: fc.nat(),
  member: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'add'),
  name: fc.constantFrom('foo', '__proto__', 'constructor', ...names),
  value: fc.oneof(
    fc.constantFrom(...parts),
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      1,
      -1,
      2.5,
      1e6,
      '',
      'x',
      'abc',
      [],
      {},
      [[]],
      [{}],
      'loop',
      'for',
      'while',
    ),
  ),
});

type Mutation = typeof mutations extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(document: unknown, { place, member, kind, name, value }: Mutation): void {
  const containers = containersIn(document);
  const container = containers[place % containers.length]!;
  const keys = Object.keys(container);
  const key = keys[member % Math.max(1, keys.length)];
  const copy = structuredClone(value);
  const put = (at: string): void => {
    const settings = { value: copy, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(container, at, settings);
  };
  if (kind === 'add' && Array.isArray(container)) container.push(copy);
  else if (kind === 'add') put(name);
  else if (key !== undefined && kind === 'replace') put(key);
  else if (key !== undefined && Array.isArray(container)) container.splice(Number(key), 1);
  else if (key !== undefined) Reflect.deleteProperty(container, key);
}

function documentAfter(changes: readonly Mutation[]): unknown {
  const document = structuredClone(fullDocument) as unknown;
  for (const change of changes) mutate(document, change);
  return document;
}

describe('workflowSchema', () => {
  test('is a frozen JSON Schema 2020-12', () => {
    expect(workflowSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(containersIn(workflowSchema).every((each) => Object.isFrozen(each))).toBe(true);
  });

  test('allows exactly what the checks allow, apart from what it cannot say', () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.array(mutations, { minLength: 1, maxLength: 2 }), (changes) => {
        const document = documentAfter(changes);
        const { details } = validateWorkflowJson(JSON.stringify(document));
        const faults = details.filter(
          ({ code, message }) => !SEMANTIC.has(code) && !SEMANTIC_REASONS.test(message),
        );
        const isAllowed = schema.validate(document).valid;
        valid += Number(isAllowed);
        expect(isAllowed ? faults : []).toEqual([]);
        expect(isAllowed || details.length > 0).toBe(true);
      }),
      { numRuns: tries(50, 400) },
    );
    expect(valid).toBeGreaterThan(tries(2, 20));
  });

  test('goes with a check that loads text and values alike, and never fails', () => {
    const outcome = (json: unknown): unknown => {
      try {
        return loadWorkflow(json);
      } catch (error) {
        return (error as { details: unknown }).details;
      }
    };
    fc.assert(
      fc.property(fc.array(mutations, { maxLength: 3 }), (changes) => {
        const document = documentAfter(changes);
        expect(outcome(document)).toEqual(outcome(JSON.stringify(document)));
      }),
      { numRuns: tries(50, 200) },
    );
  });

  test('goes with a check that takes anything', () => {
    const anything = fc.oneof(fc.string(), fc.json(), fc.anything());
    fc.assert(
      fc.property(anything, (content) => {
        const { valid, issues, suggestions, details } = validateWorkflowJson(content);
        expect(valid).toBe(false);
        expect(issues).toHaveLength(details.length);
        expect(suggestions).not.toHaveLength(0);
        expect(() => loadWorkflow(content)).toThrow(expect.objectContaining({ code: 'INVALID_WORKFLOW' }));
      }),
      { numRuns: tries(50, 200) },
    );
  });
});
