import { describe, expect, test } from '@jest/globals';
import { loadWorkflow } from '../../../../src/workflow/domain/document/load-workflow.ts';
import { loadError, loadFaults } from './faults-of.ts';
import { fullDocument, plainStep, releaseDocument } from './release-document.ts';

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

describe('loadWorkflow', () => {
  test('gives a copy, frozen in every part, with its hash', () => {
    const definition = loadWorkflow(fullDocument);
    const { hash, ...rest } = definition;
    expect(rest).toEqual(fullDocument);
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(isFrozen(definition)).toBe(true);
    expect(isFrozen(fullDocument)).toBe(false);
  });

  test('takes JSON text and the value that it stands for alike', () => {
    expect(loadWorkflow(JSON.stringify(fullDocument))).toEqual(loadWorkflow(fullDocument));
  });

  test('does not change with the value that it was given', () => {
    const steps = [plainStep('write-notes')];
    const definition = loadWorkflow(releaseDocument({ steps }));
    steps.push(plainStep('another'));
    expect(definition.steps).toHaveLength(1);
  });

  test('keeps the order of members, and what a condition compares with, as they are', () => {
    const text = JSON.stringify(releaseDocument({ steps: [] })).replace(
      '"steps":[]',
      '"steps":[{"title":"T","id":"one","prompt":"P","runCondition":{"var":"x","equals":{"__proto__":{"b":[],"a":-0.5}}}}]',
    );
    const { hash: _hash, ...document } = loadWorkflow(text);
    expect(JSON.stringify(document)).toBe(text);
  });

  test('leaves members out that are undefined', () => {
    const definition = loadWorkflow(releaseDocument({ category: undefined, foo: undefined }));
    expect(Object.keys(definition)).toEqual(['id', 'name', 'description', 'version', 'steps', 'hash']);
  });

  test('names the workflow and every fault in its error', () => {
    const error = loadError(releaseDocument({ name: 123, foo: 1 }));
    expect(error.code).toBe('INVALID_WORKFLOW');
    expect(error.message).toContain('"release"');
    expect(error.details).toMatchObject({
      workflowId: 'release',
      issues: [expect.stringContaining('foo'), expect.stringContaining('string')],
      details: [
        { code: 'UNKNOWN_PROPERTY', path: '/foo' },
        { code: 'WRONG_TYPE', path: '/name' },
      ],
    });
    expect(error.retryable).toBe(false);
    expect(loadError(releaseDocument({ id: 'No' })).details).not.toHaveProperty('workflowId');
  });

  test.each([[undefined], [null], [5], [true], [[]], [[releaseDocument()]], [() => 1], [10n], [Symbol('x')]])(
    'refuses %p',
    (json) => {
      expect(loadFaults(json)).toEqual(['WRONG_TYPE ']);
    },
  );

  test.each([
    ['', 'CONTENT_EMPTY '],
    [' \n\t', 'CONTENT_EMPTY '],
    ['{', 'INVALID_JSON '],
    ['\u0000', 'INVALID_JSON '],
    [`\uFEFF${JSON.stringify(releaseDocument())}`, 'INVALID_JSON '],
    ['"release"', 'WRONG_TYPE '],
  ])('refuses the text %j', (text, fault) => {
    expect(loadFaults(text)).toEqual([fault]);
  });

  test('takes a document of a million bytes, and no larger one', () => {
    const filled = (bytes: number): object => {
      const empty = JSON.stringify(releaseDocument({ steps: [plainStep('one', { guidance: [''] })] }));
      const text =
        'é'.repeat(Math.floor((bytes - empty.length) / 2)) + (bytes % 2 === empty.length % 2 ? '' : 'e');
      return releaseDocument({ steps: [plainStep('one', { guidance: [text] })] });
    };
    expect(Buffer.byteLength(JSON.stringify(filled(1_000_000)))).toBe(1_000_000);
    expect(loadWorkflow(filled(1_000_000)).id).toBe('release');
    expect(loadWorkflow(JSON.stringify(filled(1_000_000))).id).toBe('release');
    expect(loadFaults(filled(1_000_001))).toEqual(['TOO_LARGE ']);
    expect(loadFaults(JSON.stringify(filled(1_000_001)))).toEqual(['TOO_LARGE ']);
    expect(loadFaults('x'.repeat(5_000_000))).toEqual(['TOO_LARGE ']);
  });

  test('refuses values that contain themselves, or are far larger than they look', () => {
    const ring: Record<string, unknown> = { ...releaseDocument() };
    ring.preconditions = ring;
    expect(loadFaults(ring)).toContain('WRONG_TYPE /preconditions');
    const wide: unknown[] = [];
    wide.push(wide, wide);
    expect(loadFaults(releaseDocument({ steps: wide }))).toEqual(['TOO_LARGE ']);
    expect(loadFaults(releaseDocument({ steps: new Array(4_000_000_000) }))).toEqual(['TOO_LARGE ']);
  });

  test('refuses what JSON does not have, where it stands', () => {
    const withOperand = (equals: unknown): object =>
      releaseDocument({ steps: [plainStep('one', { runCondition: { var: 'x', equals } })] });
    for (const operand of [
      NaN,
      Infinity,
      1n,
      () => 1,
      new Date(),
      new Map(),
      [undefined],
      '\uD800',
      { '\uDC00': 1 },
    ]) {
      const [fault, ...others] = loadFaults(withOperand(operand));
      expect(fault).toMatch(/^INVALID_CONDITION \/steps\/0\/runCondition\/equals/);
      expect(others).toEqual([]);
    }
    expect(loadFaults(JSON.stringify(withOperand('\uD800')))).toHaveLength(1);
    expect(loadFaults(JSON.stringify(withOperand(1)).replace(':1}', ':1e999}'))).toHaveLength(1);
    expect(loadFaults(releaseDocument({ name: 'a\uDFFF' }))).toEqual(['WRONG_TYPE /name']);
    expect(
      loadFaults(releaseDocument({ steps: [plainStep('one', { title: '😀' })], name: new Date() })),
    ).toEqual(['WRONG_TYPE /name']);
  });

  test('refuses what cannot be read', () => {
    const trap = {
      get name(): string {
        throw new Error('no');
      },
    };
    expect(loadFaults(trap)).toContain('WRONG_TYPE ');
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(loadFaults(proxy)).toEqual(['WRONG_TYPE ']);
    expect(loadFaults(releaseDocument({ steps: [proxy] }))).toEqual(['WRONG_TYPE /steps/0']);
  });

  test.each(['__proto__', 'constructor', 'toString'])('knows no member %s', (name) => {
    const text = JSON.stringify(releaseDocument()).replace('{', `{"${name}":{"x":1},`);
    expect(loadFaults(text)).toEqual([`UNKNOWN_PROPERTY /${name}`]);
    const inStep = JSON.stringify(releaseDocument()).replace('[{', `[{"${name}":{"x":1},`);
    expect(loadFaults(inStep)).toEqual([`UNKNOWN_PROPERTY /steps/0/${name}`]);
  });

  test('compiles patterns of any kind without being held up by them', () => {
    const criteria = [
      '(a+)+$',
      { type: 'regex', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', message: '' } as const,
    ];
    expect(
      loadWorkflow(releaseDocument({ steps: [plainStep('one', { validationCriteria: criteria })] })).id,
    ).toBe('release');
  });

  test('takes 500 rules in one step, and no more', () => {
    const withRules = (count: number): object =>
      releaseDocument({
        steps: [plainStep('one', { validationCriteria: Array.from({ length: count }, () => 'x') })],
      });
    expect(loadWorkflow(withRules(500)).id).toBe('release');
    expect(loadFaults(withRules(501))).toEqual(['INVALID_CRITERIA /steps/0/validationCriteria']);
  });

  test('takes 500 steps, and no more', () => {
    const withSteps = (count: number): object =>
      releaseDocument({ steps: Array.from({ length: count }, (_, index) => plainStep(`step-${index}`)) });
    expect(loadWorkflow(withSteps(500)).steps).toHaveLength(500);
    expect(loadFaults(withSteps(501))).toEqual(['TOO_LARGE /steps']);
    expect(loadFaults(withSteps(0))).toEqual(['TOO_FEW_ITEMS /steps']);
  });
});

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
    expect(loadFaults(releaseDocument({ steps }))).toEqual([
      'DUPLICATE_STEP_ID /steps/2/id',
      'DUPLICATE_STEP_ID /steps/3/id',
      'DUPLICATE_STEP_ID /steps/3/body/0/id',
    ]);
  });

  test('wants the body of a loop to be a top-level step that is not a loop, in one loop only', () => {
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
    expect(loadFaults(releaseDocument({ steps }))).toEqual(
      [2, 3, 4, 5, 7].map((n) => `INVALID_REFERENCE /steps/${n}/body`),
    );
  });

  test('wants no loop within a loop', () => {
    const steps = [loop('outer', [loop('inner', [plainStep('one')])])];
    expect(loadFaults(releaseDocument({ steps }))).toContain('UNKNOWN_PROPERTY /steps/0/body/0/type');
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
      loadFaults(releaseDocument({ steps: [loop('again', [plainStep('one')], { loop: settings })] })),
    ).toEqual([fault]);
  });

  test.each([
    [[], 'TOO_FEW_ITEMS /steps/0/body'],
    ['no-such-step', 'INVALID_REFERENCE /steps/0/body'],
    [5, 'WRONG_TYPE /steps/0/body'],
    [undefined, 'MISSING_FIELD /steps/0/body'],
    [[5], 'WRONG_TYPE /steps/0/body/0'],
  ])('refuses the body %j of a loop', (body, fault) => {
    expect(loadFaults(releaseDocument({ steps: [loop('again', body)] }))).toEqual([fault]);
  });
});
