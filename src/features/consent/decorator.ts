import { copyOptions } from '../../metadata/copy-options.ts';
import { methodDecorator, refuseFurther } from '../../metadata/decorator-target.ts';
import { appendRecord } from '../../metadata/records.ts';
import type { DestructiveOptions } from './destructive.ts';

/**
 * Says that an action may destroy something. With `confirm`, a person is asked before each call.
 * Actions are not destructive by default; a tool is, if any of its actions is.
 *
 * @example
 * @Action('Delete a task for good') @Destructive({ confirm: true }) delete(input: TaskRef) {}
 */
export function Destructive(options?: DestructiveOptions, ...further: never[]): MethodDecorator {
  const decorator = '@Destructive';
  refuseFurther(decorator, 1, further, '@Destructive({ confirm: true })');
  const copy = options === undefined ? undefined : copyOptions(options);
  return methodDecorator(decorator, (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'destructive' });
    if (copy === undefined) return;
    appendRecord(target, { kind: 'feature', feature: 'consent', decorator, member, options: copy });
  });
}
