import { isObject } from '../shared/json.ts';

/**
 * How an action becomes a task where the client knows tasks: always, always and by no other way, or when its
 * handler says so.
 */
export type TaskMode = 'optional' | 'required' | 'on-demand';

/** A task that other processes of the application run: those that work on its queue. */
export interface QueuedTask {
  /** Letters, digits, dots, dashes and underscores, at most 100. Actions may share a queue. */
  readonly queue: string;
}

/** What an action may say of tasks; `false` is the same as nothing. */
export type TaskOption = boolean | 'required' | 'on-demand' | QueuedTask;

export function taskModeOf(option: TaskOption | undefined): TaskMode | undefined {
  if (option === undefined || option === false) return undefined;
  return typeof option === 'string' ? option : 'optional';
}

/** The queue that tasks of an action are put on; undefined where they run in the process that is called. */
export function queueOf(option: TaskOption | undefined): string | undefined {
  return isObject(option) ? (option as QueuedTask).queue : undefined;
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

/** How a handler's value becomes text: JSON, a TOON table, or compact text. */
export type ResultFormat = 'json' | 'toon' | 'text';

/** The `_meta` key of a call that says which versions it takes, and of a listed tool that says which ones there are. */
export const VERSIONS_META_KEY = 'toolwright/versions';

/** The `_meta` key of a result that carries the version of the action that ran. */
export const VERSION_META_KEY = 'toolwright/version';

/** The `_meta` key of a result for the deprecation of its action. */
export const DEPRECATED_META_KEY = 'toolwright/deprecated';

/**
 * Which versions of actions a call takes, as npm ranges: one for whichever action is called, or one for each key.
 * Actions that it does not name run in the version that is listed.
 */
export type VersionConstraints = string | Readonly<Record<string, string>>;
