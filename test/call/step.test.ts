import { expect, test } from '@jest/globals';
import type * as Step from '../../src/call/step.ts';
import { refuseInStep, runStep } from '../../src/call/step.ts';

type StepModule = typeof Step;

test('a step of one copy of the package is seen by another copy', async () => {
  const specifier = '../../src/call/step.ts?another-copy';
  const copy = (await import(specifier)) as StepModule;
  expect(copy.runStep).not.toBe(runStep);
  const context = {};
  const inStep = (refuse: StepModule['refuseInStep']) => {
    return runStep(context, 'charge', () => {
      refuse(context, 'ctx.ask()');
      return 1;
    });
  };
  await expect(inStep(refuseInStep)).rejects.toThrow('TW_STEP_NESTED');
  await expect(inStep(copy.refuseInStep)).rejects.toThrow('TW_STEP_NESTED');
  expect(() => copy.refuseInStep(context, 'ctx.ask()')).not.toThrow();
});
