import { createCopy } from '../plain-values.ts';
import type { CheckPlan } from '../plan/check-plan.ts';
import type { RunCheck } from '../run-check.ts';
import { createConstants } from './constants.ts';
import { writeClass, writeItemsFunction } from './write-class.ts';
import type { Writing } from './write-conversion.ts';

/** Writes a check as code. Undefined where the platform allows no code that is made at run time. */
export function generateCheck({ root, classes, unknownFields }: CheckPlan): RunCheck | undefined {
  const constants = createConstants();
  const writing: Writing = {
    use: constants.use,
    copy: createCopy(unknownFields),
    numberOf: (plan) => classes.indexOf(plan),
    isStrict: unknownFields === 'strict',
  };
  const functions = classes.flatMap((plan) => [writeClass(plan, writing), writeItemsFunction(plan, writing)]);
  // names that every object inherits would be taken for members of the input
  const source = `"use strict"; ${constants.declaration('values')}
${functions.join('\n')}
return function check(v) {
for (const k in {}) return undefined;
return check${String(classes.indexOf(root))}(v, 0);
};`;
  return evaluate(source, constants.values);
}

function evaluate(source: string, values: readonly unknown[]): RunCheck | undefined {
  try {
    // The text holds names as JSON strings, numbers of this file and the code of rules; every other value is
    // handed in.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    return (new Function('values', source) as (values: readonly unknown[]) => RunCheck)(values);
  } catch (error) {
    // an EvalError mostly; a text that is no code would be a mistake made here
    if (error instanceof SyntaxError) throw error;
    return undefined;
  }
}
