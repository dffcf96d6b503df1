import { appendRecord } from '../metadata/record-store.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Says that an action changes nothing.
 * Actions are not read-only by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('List the open tasks') @ReadOnly() list() {}
 */
export function ReadOnly(...further: never[]): MethodDecorator {
  refuseFurther('@ReadOnly', 0, further, '@ReadOnly()');
  return methodDecorator('@ReadOnly', (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'readOnly' });
  });
}
