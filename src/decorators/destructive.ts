import { appendRecord } from '../metadata/record-store.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Says that an action may destroy something.
 * Actions are not destructive by default; a tool is, if any of its actions is.
 *
 * @example
 * @Action('Delete a task for good') @Destructive() delete(input: TaskRef) {}
 */
export function Destructive(...further: never[]): MethodDecorator {
  refuseFurther('@Destructive', 0, further, '@Destructive()');
  return methodDecorator('@Destructive', (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'destructive' });
  });
}
