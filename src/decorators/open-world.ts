import { appendRecord } from '../metadata/record-store.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Says that an action talks to an open world, such as the web or mail.
 * Nothing is said about it by default.
 *
 * @example
 * @Action('Search the web') @OpenWorld() search(input: Query) {}
 */
export function OpenWorld(...further: never[]): MethodDecorator {
  refuseFurther('@OpenWorld', 0, further, '@OpenWorld()');
  return methodDecorator('@OpenWorld', (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'openWorld' });
  });
}
