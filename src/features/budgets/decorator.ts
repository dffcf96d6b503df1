import { copyOptions } from '../../metadata/copy-options.ts';
import { classOrMethodDecorator } from '../../metadata/decorator-target.ts';
import { appendRecord } from '../../metadata/records.ts';
import type { BudgetOptions } from './budget.ts';

/**
 * Limits how large a result may be, for one action, or for all of a class and of the groups below it. The nearest budget
 * counts, for bytes and for tokens each; `Infinity` lifts an outer one. A larger result loses elements of its `@Page()`
 * list, or is stored and linked, or is cut if it is plain text, or becomes a `RESULT_TOO_LARGE`. An application has 1 MiB.
 *
 * @example
 * @Action('Read the comments of a task') @Budget({ tokens: 10_000 })
 * comments(input: TaskRef) {}
 */
export function Budget(options: BudgetOptions): ClassDecorator & MethodDecorator {
  const copy = copyOptions(options);
  return classOrMethodDecorator('@Budget', (target, member) => {
    appendRecord(target, {
      kind: 'feature',
      feature: 'budgets',
      decorator: '@Budget',
      member,
      options: copy,
    });
  });
}
