import type { PromptOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { copyOptions } from './copy-options.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

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
