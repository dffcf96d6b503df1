import type { ModuleOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { classDecorator, refuseFurther } from './decorator-target.ts';
import { copyModuleOptions } from './copy-options.ts';

/**
 * Says what belongs together: controllers, the providers they need, and what other modules may use.
 * All lists are empty by default; nothing is visible outside unless it is exported.
 *
 * @example
 * @Module({ imports: [StorageModule], controllers: [TasksController], providers: [Clock] })
 * class AppModule {}
 */
export function Module(options: ModuleOptions = {}, ...further: never[]): ClassDecorator {
  refuseFurther('@Module', 1, further, '@Module({ controllers: [TasksController], providers: [Clock] })');
  const copy = copyModuleOptions(options);
  return classDecorator('@Module', (target) => {
    appendRecord(target, { kind: 'module', options: copy });
  });
}
