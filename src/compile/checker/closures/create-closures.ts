import { createCopy } from '../plain-values.ts';
import type { CheckPlan, ClassPlan } from '../plan/check-plan.ts';
import type { RunCheck } from '../run-check.ts';
import { createClassCheck, type CheckClass, type ClassChecks } from './create-class-check.ts';

const NOTHING = {};

/** The check of a DTO for platforms that allow no code made at run time. */
export function createClosures({ root, classes, unknownFields }: CheckPlan): RunCheck {
  const made = new Map<ClassPlan, CheckClass>();
  const checks: ClassChecks = {
    checkOf: (plan) => made.get(plan) as CheckClass,
    copy: createCopy(unknownFields),
    isStrict: unknownFields === 'strict',
  };
  for (const plan of classes) made.set(plan, createClassCheck(plan, checks));
  const checkRoot = checks.checkOf(root);
  return (value) => {
    // names that every object inherits would be taken for members of the input
    for (const name in NOTHING) return undefined;
    return checkRoot(value, 0);
  };
}
