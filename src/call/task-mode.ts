/**
 * How an action becomes a task where the client knows tasks: always, always and by no other way, or when its
 * handler says so.
 */
export type TaskMode = 'optional' | 'required' | 'on-demand';

/** What an action may say of tasks; `false` is the same as nothing. */
export type TaskOption = boolean | 'required' | 'on-demand';

export function taskModeOf(option: TaskOption | undefined): TaskMode | undefined {
  if (option === undefined || option === false) return undefined;
  return option === true ? 'optional' : option;
}

/** Whether the actions of a tool can be called as tasks (spec 2025-11-25: basic/utilities/tasks, Tool-Level Negotiation). */
export type TaskSupport = 'optional' | 'required';
