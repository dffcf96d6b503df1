import { appendRecord } from '../metadata/record-store.ts';
import { methodDecorator } from './decorator-target.ts';

/**
 * Says that an action changes nothing.
 * Actions are not read-only by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('List the open tasks') @ReadOnly() list() {}
 */
export function ReadOnly(): MethodDecorator {
  return methodDecorator('@ReadOnly', (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'readOnly' });
  });
}
