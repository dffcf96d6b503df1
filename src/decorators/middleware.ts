import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import { appendRecord } from '../metadata/record-store.ts';
import type { Class } from '../shared/class-type.ts';
import { classOrMethodDecorator } from './decorator-target.ts';

/**
 * Runs something around one action, or around all actions of a class and of the groups below it.
 * The first one is the outermost; of stacked decorators the upper one is. Classes come from the container.
 *
 * @example
 * @Action('Delete a task') @Middleware(OwnersOnly, async (call, next) => next())
 * delete(input: TaskRef) {}
 */
export function Middleware(
  ...middleware: readonly (MiddlewareFunction | MiddlewareObject | Class<MiddlewareObject>)[]
): ClassDecorator & MethodDecorator {
  const copy = Object.freeze([...middleware]);
  return classOrMethodDecorator('@Middleware', (target, member) => {
    appendRecord(target, { kind: 'middleware', member, middleware: copy });
  });
}
