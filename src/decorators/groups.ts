import type { ToolGroupOptions } from '../metadata/options.ts';
import type { ModuleOptions, InjectableOptions } from '../metadata/module-options.ts';
import { appendRecord } from '../metadata/records.ts';
import { copyOptions, copyModuleOptions } from './copy-options.ts';
import { classDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Makes a class a tool, or with `parent` a group of actions inside one.
 * The name is the class name by default, without `Controller`, `Tools`, `ToolGroup` or `Group` at its end,
 * in kebab-case.
 *
 * @example
 * @ToolGroup({ name: 'tasks', description: 'Manage the tasks of a workspace', common: Workspace })
 * class TasksController {}
 */
export function ToolGroup(options: string | ToolGroupOptions = {}, ...further: never[]): ClassDecorator {
  refuseFurther('@ToolGroup', 1, further, "@ToolGroup({ name: 'tasks', description: 'Manage tasks' })");
  const copy = copyOptions(typeof options === 'string' ? { name: options } : options);
  return classDecorator('@ToolGroup', (target) => {
    appendRecord(target, { kind: 'toolGroup', options: copy });
  });
}

/**
 * Groups controllers, the providers they need, and the exports for other modules.
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
