import type { ActionOptions, PromptOptions, ResourceOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/records.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { copyOptions } from './copy-options.ts';
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

/**
 * Makes a method a prompt.
 * The name is the method's name by default, and the arguments are the fields of the parameter that nothing
 * else explains; without such a parameter it has none.
 *
 * @example
 * @Prompt('Explain a file')
 * explain(input: ImportFile) { return `Explain ${input.path}, please.`; }
 */
export function Prompt(options: string | PromptOptions = {}, ...further: never[]): MethodDecorator {
  refuseFurther('@Prompt', 1, further, "@Prompt({ description: 'Explain a file', name: 'explain' })");
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return methodDecorator('@Prompt', (target, member, isStatic) => {
    appendRecord(target, { kind: 'prompt', member, isStatic, options: copy });
  });
}

/**
 * Makes a method read a resource, or with an RFC 6570 template all resources whose URIs fit it.
 * The name is the method's name by default. A template's variables arrive as the class of the parameter that
 * nothing else explains, or as a plain object with `@Input()`.
 *
 * @example
 * @Resource('pages://{slug}', { mimeType: 'text/markdown', list: 'pages' })
 * page(@Input() variables: Record<string, string>) {}
 */
export function Resource(uri: string, options: ResourceOptions = {}, ...further: never[]): MethodDecorator {
  refuseFurther(
    '@Resource',
    2,
    further,
    "@Resource('pages://{slug}', { name: 'page', description: 'A page' })",
  );
  const copy = copyOptions(options);
  return methodDecorator('@Resource', (target, member, isStatic) => {
    appendRecord(target, { kind: 'resource', member, isStatic, uri, options: copy });
  });
}

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
