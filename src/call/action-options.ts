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

/** Marks an action as deprecated. The versions are semantic versions. */
export interface Deprecation {
  /** The version in which it was given up. */
  readonly since: string;
  /** The key of the action to call instead, of the same tool; its own key where a newer version of it is meant. */
  readonly use?: string;
  /** The first version without it. */
  readonly until?: string;
}

/** How a handler's value becomes text: indented JSON, a TOON table, or compact text. */
export type ResultFormat = 'json' | 'toon' | 'text';
