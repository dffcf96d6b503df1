import type { TaskOptions } from '../../runtime/tasks/task-options.ts';
import type { TaskStore } from '../../runtime/tasks/task-store.ts';
import type { WorkQueue } from '../../runtime/tasks/work-queue.ts';
import type { TaskRunner } from './task-runner.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** The tasks that calls become. */
    readonly tasks?: TaskRunner;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly tasks?: TaskOptions | undefined;
  }

  interface Ports {
    /** The tasks that actions have become. */
    readonly tasks?: TaskStore | undefined;
    /** Tasks for the processes that work on them. */
    readonly queue?: WorkQueue | undefined;
  }
}
