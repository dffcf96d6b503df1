import { appendRecord } from '../metadata/record-store.ts';
import { methodDecorator } from './decorator-target.ts';

/**
 * Makes a method complete one argument of a prompt, or one variable of a resource template, that another
 * method of the same class declares. It gets the text typed so far and a CompletionContext.
 *
 * @example
 * @Complete('review', 'path')
 * paths(value: string, context: CompletionContext) { return ['README.md']; }
 */
export function Complete(member: string, argument: string): MethodDecorator {
  return methodDecorator('@Complete', (target, completing) => {
    appendRecord(target, { kind: 'complete', member: completing, of: member, argument });
  });
}
