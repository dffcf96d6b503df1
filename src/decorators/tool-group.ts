import type { ToolGroupOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { copyOptions } from './copy-options.ts';
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
