import type { TaskMode, TaskSupport } from '../../call/task-mode.ts';

/**
 * What a tool says of the modes of its actions; undefined says that no call may be a task.
 * It requires tasks only if every action does: a client without them can still call the others.
 */
export function taskSupport(modes: readonly (TaskMode | undefined)[]): TaskSupport | undefined {
  if (modes.every((mode) => mode === undefined)) return undefined;
  return modes.every((mode) => mode === 'required') ? 'required' : 'optional';
}
