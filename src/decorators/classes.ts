import type { ToolGroupOptions } from '../metadata/options.ts';
import type { ModuleOptions, InjectableOptions } from '../metadata/module-options.ts';
import { appendRecord } from '../metadata/records.ts';
import { copyOptions, copyModuleOptions, copyValue } from '../metadata/copy-options.ts';
import { classDecorator, refuseFurther, classOrMethodDecorator } from '../metadata/decorator-target.ts';
import type { MiddlewareFunction, MiddlewareObject, UserDecorator } from '../call/middleware.ts';
import type { Class } from '../shared/class-type.ts';

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

/**
 * Runs something around one action, or around all actions of a class and of the groups below it.
 * The first one is the outermost; of stacked decorators the upper one is. Classes come from the container.
 *
 * @example
 * @Action('Delete a task') @Middleware(OwnersOnly, async (call, next) => next())
 * delete(input: TaskRef) {}
 */
export function Middleware(
  ...middleware: readonly (MiddlewareFunction | MiddlewareObject | Class<MiddlewareObject>)[]
): ClassDecorator & MethodDecorator {
  const copy = Object.freeze([...middleware]);
  return classOrMethodDecorator('@Middleware', (target, member) => {
    appendRecord(target, { kind: 'middleware', member, middleware: copy });
  });
}

/**
 * Says whether actions reach an open world, such as the web, mail or any other place that their users do not control:
 * for one action, or for all of a class, of the groups below it, or of the controllers of a module. The nearest counts,
 * and the option `openWorld` of the application is the furthest. A tool is open if any of its actions is, and closed if
 * all are; where an action says nothing, the tool says nothing, and clients and directories differ in what they assume.
 *
 * @param isOpen false: they stay in a closed world, such as the application's own database
 * @example
 * @Action('Search the web') @OpenWorld() search(input: Query) {}
 */
export function OpenWorld(isOpen = true, ...further: never[]): ClassDecorator & MethodDecorator {
  refuseFurther('@OpenWorld', 1, further, '@OpenWorld(false)');
  return classOrMethodDecorator('@OpenWorld', (target, member) => {
    appendRecord(target, { kind: 'openWorld', member, isOpen });
  });
}

/**
 * Makes a decorator of your own for classes and methods; middleware reads it with `call.metadata(decorator)`.
 * A method's value wins over its class's, and that over the parent group's.
 *
 * @example
 * const Roles = createDecorator<readonly string[]>('Roles');
 * // on a method: @Roles(['admin']); in middleware: call.metadata(Roles)
 */
export function createDecorator<T>(name: string): UserDecorator<T> {
  const decorator = (value: T): ClassDecorator & MethodDecorator => {
    const copy = copyValue(value);
    return classOrMethodDecorator(`@${name}`, (target, member) => {
      appendRecord(target, {
        kind: 'user',
        member,
        decorator: made as UserDecorator<unknown>,
        value: copy,
      });
    });
  };
  const made: UserDecorator<T> = Object.freeze(Object.assign(decorator, { decoratorName: name }));
  return made;
}
