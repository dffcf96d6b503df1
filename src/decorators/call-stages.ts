import type { MiddlewareFunction, MiddlewareObject, UserDecorator } from '../call/middleware.ts';
import { appendRecord } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { classOrMethodDecorator } from './decorator-target.ts';
import { copyValue } from './copy-options.ts';

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

/**
 * Ends a call with `TIMED_OUT` when it takes longer, and aborts `ctx.signal`. It counts for one action, prompt or
 * resource, or for all of a class and of the groups below it; the nearest wins, and `Infinity` lifts an outer limit.
 * Waiting for a person does not count.
 *
 * @example
 * @Action('Search the archive') @Timeout(5_000)
 * search(input: Query, ctx: ToolContext) {
 *   return fetch(`https://archive.example/?q=${input.text}`, { signal: ctx.signal }).then((found) => found.json());
 * }
 */
export function Timeout(milliseconds: number): ClassDecorator & MethodDecorator {
  return classOrMethodDecorator('@Timeout', (target, member) => {
    appendRecord(target, { kind: 'timeout', member, milliseconds });
  });
}

/**
 * Makes a decorator of your own for classes and methods; middleware reads it with `call.metadata(decorator)`.
 * A method's value wins over its class's, and that over the parent group's.
 *
 * @example
 * const Roles = createDecorator<readonly string[]>('Roles');
 * // on a method: @Roles(['admin']); in middleware: call.metadata(Roles)
 */
export function createDecorator<T>(name: string): UserDecorator<T> {
  const decorator = (value: T): ClassDecorator & MethodDecorator => {
    const copy = copyValue(value);
    return classOrMethodDecorator(`@${name}`, (target, member) => {
      appendRecord(target, {
        kind: 'user',
        member,
        decorator: made as UserDecorator<unknown>,
        value: copy,
      });
    });
  };
  const made: UserDecorator<T> = Object.freeze(Object.assign(decorator, { decoratorName: name }));
  return made;
}
