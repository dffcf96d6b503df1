import { describe, expect, test } from '@jest/globals';
import { faultsOf } from './faults-of.ts';
import { plainStep, releaseDocument } from './release-document.ts';

function loop(id: string, body: unknown, more: object = {}): object {
  return {
    id,
    type: 'loop',
    title: 'Again',
    loop: { type: 'for', count: 2, maxIterations: 5 },
    body,
    ...more,
  };
}

describe('the steps of a loaded workflow', () => {
  test('wants the ids of all steps to differ, those of bodies included', () => {
    const steps = [plainStep('one'), plainStep('two'), plainStep('one'), loop('two', [plainStep('one')])];
    expect(faultsOf(releaseDocument({ steps }))).toEqual([
      'DUPLICATE_STEP_ID /steps/2/id',
      'DUPLICATE_STEP_ID /steps/3/id',
      'DUPLICATE_STEP_ID /steps/3/body/0/id',
    ]);
  });

  test('wants the body of a loop to be a top-level step that is no loop, in one loop only', () => {
    const steps = [
      plainStep('one'),
      loop('first', 'one'),
      loop('second', 'one'),
      loop('third', 'third'),
      loop('fourth', 'first'),
      loop('fifth', 'inner'),
      loop('sixth', [plainStep('inner')]),
      loop('seventh', 'toString'),
    ];
    expect(faultsOf(releaseDocument({ steps }))).toEqual(
      [2, 3, 4, 5, 7].map((n) => `INVALID_REFERENCE /steps/${n}/body`),
    );
  });

  test('wants no loop within a loop', () => {
    const steps = [loop('outer', [loop('inner', [plainStep('one')])])];
    expect(faultsOf(releaseDocument({ steps }))).toContain('UNKNOWN_PROPERTY /steps/0/body/0/type');
  });

  test.each([
    [{ type: 'for', maxIterations: 5 }, 'MISSING_FIELD /count'],
    [{ type: 'for', maxIterations: 5, count: 2.5 }, 'WRONG_TYPE /count'],
    [{ type: 'for', maxIterations: 5, count: -1 }, 'OUT_OF_RANGE /count'],
    [{ type: 'for', maxIterations: 5, count: 1001 }, 'OUT_OF_RANGE /count'],
    [{ type: 'for', maxIterations: 5, count: '' }, 'TOO_SHORT /count'],
    [{ type: 'for', maxIterations: 5, count: 1, items: 'x' }, 'UNKNOWN_PROPERTY /items'],
    [{ type: 'for', maxIterations: 0, count: 1 }, 'OUT_OF_RANGE /maxIterations'],
    [{ type: 'for', maxIterations: 1001, count: 1 }, 'OUT_OF_RANGE /maxIterations'],
    [{ type: 'for', count: 1 }, 'MISSING_FIELD /maxIterations'],
    [{ type: 'while', maxIterations: 5 }, 'MISSING_FIELD /condition'],
    [{ type: 'until', maxIterations: 5, condition: { foo: 1 } }, 'INVALID_CONDITION /condition/foo'],
    [{ type: 'until', maxIterations: 5, condition: 5 }, 'INVALID_CONDITION /condition'],
    [{ type: 'forEach', maxIterations: 5 }, 'MISSING_FIELD /items'],
    [{ type: 'forEach', maxIterations: 5, items: [1] }, 'WRONG_TYPE /items'],
    [{ type: 'repeat', maxIterations: 5 }, 'OUT_OF_RANGE /type'],
    [{ maxIterations: 5 }, 'MISSING_FIELD /type'],
  ])('refuses the loop %j', (settings, expected) => {
    const fault = expected.replace(' ', ' /steps/0/loop');
    expect(
      faultsOf(releaseDocument({ steps: [loop('again', [plainStep('one')], { loop: settings })] })),
    ).toEqual([fault]);
  });

  test.each([
    [[], 'TOO_FEW_ITEMS /steps/0/body'],
    ['no-such-step', 'INVALID_REFERENCE /steps/0/body'],
    [5, 'WRONG_TYPE /steps/0/body'],
    [undefined, 'MISSING_FIELD /steps/0/body'],
    [[5], 'WRONG_TYPE /steps/0/body/0'],
  ])('refuses the body %j of a loop', (body, fault) => {
    expect(faultsOf(releaseDocument({ steps: [loop('again', body)] }))).toEqual([fault]);
  });
});
