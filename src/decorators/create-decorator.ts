import type { UserDecorator } from '../call/middleware.ts';
import { appendRecord } from '../metadata/records.ts';
import { copyValue } from './copy-options.ts';
import { classOrMethodDecorator } from './decorator-target.ts';

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
