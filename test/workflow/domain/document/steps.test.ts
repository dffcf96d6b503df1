import { describe, expect, test } from '@jest/globals';
import {
  findStep,
  bodyOf,
  ownSteps,
  summaryOf,
  type LoopStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { fullDocument, releaseDocument } from './release-document.ts';

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
