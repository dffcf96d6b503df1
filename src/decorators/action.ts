import type { ActionOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { copyOptions } from './copy-options.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';
import type { HandlerDecorator } from './handler-types.ts';

/**
 * Makes a method an action of its tool.
 * The name is the method's name by default, and the input is the parameter that nothing else explains.
 * A handler whose only parameter or result cannot be what `input` and `output` declare does not compile.
 *
 * @example
 * @Action('Create a task')
 * create(input: CreateTask) {}
 */
export function Action<Input extends SchemaSource = SchemaSource, Output extends SchemaSource = SchemaSource>(
  options: string | ActionOptions<Input, Output> = {},
  ...further: never[]
): HandlerDecorator<Input, Output> {
  refuseFurther('@Action', 1, further, "@Action({ description: 'Create a task', name: 'create' })");
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return methodDecorator('@Action', (target, member, isStatic) => {
    appendRecord(target, { kind: 'action', member, isStatic, options: copy });
  });
}
