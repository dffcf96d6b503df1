import type { ActionOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { copyOptions } from './copy-options.ts';
import { methodDecorator } from './decorator-target.ts';

/**
 * Makes a method an action of its tool.
 * The name is the method's name by default, and the input is the parameter that nothing else explains.
 *
 * @example
 * @Action('Create a task')
 * create(input: CreateTask) {}
 */
export function Action(options: string | ActionOptions = {}): MethodDecorator {
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return methodDecorator('@Action', (target, member, isStatic) => {
    appendRecord(target, { kind: 'action', member, isStatic, options: copy });
  });
}
