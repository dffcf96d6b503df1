import { appendRecord } from '../metadata/record-store.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Says that running an action twice has the effect of running it once.
 * Actions are not idempotent by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('Close a task') @Idempotent() close(input: TaskRef) {}
 */
export function Idempotent(...further: never[]): MethodDecorator {
  refuseFurther('@Idempotent', 0, further, '@Idempotent()');
  return methodDecorator('@Idempotent', (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'idempotent' });
  });
}
