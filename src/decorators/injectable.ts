import type { InjectableOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { copyOptions } from './copy-options.ts';
import { classDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Marks a class whose constructor parameters are injected; it may stand beside @ToolGroup.
 * The scope is `singleton` by default.
 *
 * @example
 * @Injectable({ scope: 'request' })
 * class CurrentUser { constructor(private readonly ctx: ToolContext) {} }
 */
export function Injectable(options: InjectableOptions = {}, ...further: never[]): ClassDecorator {
  refuseFurther('@Injectable', 1, further, "@Injectable({ scope: 'request' })");
  const copy = copyOptions(options);
  return classDecorator('@Injectable', (target) => {
    appendRecord(target, { kind: 'injectable', options: copy });
  });
}
