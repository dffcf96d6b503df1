import type { WorkflowContext } from '../conditions/condition.ts';
import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import type { Loop } from '../document/workflow-document.ts';

/** The values that a loop reads from the context once, when the run reaches it. */
export interface LoopPlan {
  /** The number of iterations, which `maxIterations` may cut short. Unknown for `while` and `until`. */
  readonly total?: number;
  /** The items of a `forEach` loop. */
  readonly items?: readonly unknown[];
  /** Why the loop has no iterations. */
  readonly reason?: 'LOOP_INPUT_INVALID';
}

const INVALID: LoopPlan = Object.freeze({ reason: 'LOOP_INPUT_INVALID' });

export function planLoop(loop: Loop, context: WorkflowContext): LoopPlan {
  switch (loop.type) {
    case 'for': {
      const count = typeof loop.count === 'string' ? variable(context, loop.count) : loop.count;
      // Adding 0 turns -0 into 0, as JSON does
      return isCount(count) ? { total: count + 0 } : INVALID;
    }
    case 'forEach': {
      const items = variable(context, loop.items);
      return Array.isArray(items) ? { total: items.length, items } : INVALID;
    }
    case 'while':
    case 'until':
      return {};
  }
}

/** The variables that shadow the context during an iteration; they are never stored. */
export function loopVariables(loop: Loop, iteration: number, items?: readonly unknown[]): WorkflowContext {
  const { iterationVar = 'currentIteration', indexVar = 'currentIndex', itemVar = 'currentItem' } = loop;
  const index = iteration - 1;
  // fromEntries, because assigning `__proto__` would change the prototype
  return Object.fromEntries([
    [iterationVar, iteration],
    [indexVar, index],
    ...(items === undefined ? [] : [[itemVar, items[index]] as const]),
  ]);
}

/** Whether an iteration may begin, and if not, why. A limit is the reason only if the loop would otherwise go on. */
export function beginsIteration(
  loop: Loop,
  iteration: number,
  { total = 0 }: LoopPlan,
  context: WorkflowContext,
): true | 'LOOP_DONE' | 'LOOP_LIMIT' {
  if (!goesOn(loop, iteration, total, context)) return 'LOOP_DONE';
  return iteration > loop.maxIterations ? 'LOOP_LIMIT' : true;
}

function goesOn(loop: Loop, iteration: number, total: number, context: WorkflowContext): boolean {
  switch (loop.type) {
    case 'while':
      return evaluateCondition(loop.condition, context);
    case 'until':
      return !evaluateCondition(loop.condition, context);
    case 'for':
    case 'forEach':
      return iteration <= total;
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** As for conditions, a context that is not an object counts as empty. */
function variable(context: unknown, name: string): unknown {
  if (typeof context !== 'object' || context === null || !Object.hasOwn(context, name)) return undefined;
  return (context as WorkflowContext)[name];
}
