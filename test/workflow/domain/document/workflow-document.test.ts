import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  hashOfDocument,
  findStep,
  bodyOf,
  ownSteps,
  summaryOf,
  type LoopStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { loadWorkflow } from '../../../../src/workflow/domain/document/load-workflow.ts';
import { fullDocument, plainStep, releaseDocument } from './release-document.ts';

function shuffled(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const start = seed % Math.max(1, entries.length);
  const turned = [...entries.slice(start), ...entries.slice(0, start)].reverse();
  return Object.fromEntries(turned.map(([name, member]) => [name, shuffled(member, seed * 7 + 1)]));
}

describe('hashOfDocument', () => {
  test('is the SHA-256 of the canonical JSON', () => {
    const canonical =
      '{"description":"Bring a version out","id":"release","name":"Release","steps":[{"id":"write-notes",' +
      '"prompt":"Write the release notes.","title":"Notes"}],"version":"1.0.0"}';
    const expected = `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
    expect(hashOfDocument(releaseDocument())).toBe(expected);
    expect(loadWorkflow(releaseDocument()).hash).toBe(expected);
  });

  test('is the same for a definition and its document', () => {
    const definition = loadWorkflow(fullDocument);
    expect(hashOfDocument(definition)).toBe(definition.hash);
    expect(hashOfDocument(fullDocument)).toBe(definition.hash);
  });

  test('does not depend on the order of members or the way that numbers are written', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const text = JSON.stringify(shuffled(fullDocument, seed), null, seed % 3).replace(
          /:( ?)20\b/g,
          ':$12.0e1',
        );
        expect(loadWorkflow(text).hash).toBe(loadWorkflow(fullDocument).hash);
      }),
      { numRuns: 50 },
    );
  });

  test('changes with everything that a document says', () => {
    const documents = [
      releaseDocument(),
      releaseDocument({ version: '1.0.1' }),
      releaseDocument({ category: 'default' }),
      releaseDocument({ preconditions: ['a', 'b'] }),
      releaseDocument({ preconditions: ['b', 'a'] }),
    ];
    expect(new Set(documents.map(hashOfDocument)).size).toBe(documents.length);
  });

  test('takes the deepest document that is valid', () => {
    const levels = 1000 - 4;
    const operand = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    const withOperand = (equals: unknown): object =>
      releaseDocument({ steps: [plainStep('one', { runCondition: { var: 'x', equals } })] });
    expect(loadWorkflow(withOperand(operand)).hash).toMatch(/^sha256:/);
    expect(() => loadWorkflow(withOperand([operand]))).toThrow('nested deeper than 1000 levels');
  });
});

function bodyIds(id: string): readonly string[] {
  return bodyOf(fullDocument, findStep(fullDocument, id) as LoopStep).map((step) => step.id);
}

describe('the steps of a document', () => {
  test('run by themselves unless a loop names them', () => {
    const ids = ownSteps(fullDocument).map(({ id }) => id);
    expect(ids).toEqual(['write-notes', 'fix-all', 'publish-often', 'wait']);
  });

  test('are the body of a loop when they stand in it or are named by it', () => {
    expect(bodyIds('fix-all')).toEqual(['fix-one', 'test-one']);
    expect(bodyIds('publish-often')).toEqual(['publish']);
  });

  test('are found by their ids, in bodies as well', () => {
    for (const id of ['write-notes', 'publish', 'fix-all', 'fix-one', 'test-one', 'look']) {
      expect(findStep(fullDocument, id)?.id).toBe(id);
    }
    expect(findStep(fullDocument, 'nope')).toBeUndefined();
    expect(findStep(fullDocument, '__proto__')).toBeUndefined();
  });
});

describe('summaryOf', () => {
  test('leaves the steps out', () => {
    expect(summaryOf(fullDocument)).toEqual({
      id: 'release',
      name: 'Release',
      description: 'Bring a version out',
      category: 'shipping',
      version: '2.10.0-rc.1+build.5',
    });
  });

  test('fills the category in', () => {
    expect(summaryOf(releaseDocument()).category).toBe('default');
  });
});
