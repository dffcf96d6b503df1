import { appendRecord, type Mark } from '../metadata/records.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Says that an action changes nothing.
 * Actions are not read-only by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('List the open tasks') @ReadOnly() list() {}
 */
export function ReadOnly(...further: never[]): MethodDecorator {
  return markDecorator('@ReadOnly', 'readOnly', further);
}

/**
 * Says that an action may destroy something.
 * Actions are not destructive by default; a tool is, if any of its actions is.
 *
 * @example
 * @Action('Delete a task for good') @Destructive() delete(input: TaskRef) {}
 */
export function Destructive(...further: never[]): MethodDecorator {
  return markDecorator('@Destructive', 'destructive', further);
}

/**
 * Says that running an action twice has the effect of running it once.
 * Actions are not idempotent by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('Close a task') @Idempotent() close(input: TaskRef) {}
 */
export function Idempotent(...further: never[]): MethodDecorator {
  return markDecorator('@Idempotent', 'idempotent', further);
}

/**
 * Says that an action talks to an open world, such as the web or mail.
 * Nothing is said about it by default.
 *
 * @example
 * @Action('Search the web') @OpenWorld() search(input: Query) {}
 */
export function OpenWorld(...further: never[]): MethodDecorator {
  return markDecorator('@OpenWorld', 'openWorld', further);
}

function markDecorator(name: string, mark: Mark, further: readonly unknown[]): MethodDecorator {
  refuseFurther(name, 0, further, `${name}()`);
  return methodDecorator(name, (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark });
  });
}
