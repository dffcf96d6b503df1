import { objectOf } from '../../shared/option-rules.ts';
import { TASK_RULES } from '../../runtime/tasks/task-options.ts';
import { feature } from '../feature.ts';
import { compileTask } from './call-as-task.ts';
import type {} from './call-fields.ts';
import { compileBegin, compileHandOver } from './hand-over.ts';
import { taskMethods } from './task-methods.ts';
import { TaskRunner } from './task-runner.ts';

/** Calls that become tasks, here or on a queue: `@Action({ task })` and the option `tasks`. */
export const taskFeature = feature({
  name: 'tasks',
  decorators: [],
  options: { application: { tasks: objectOf(TASK_RULES) } },

  stages: [
    { ring: 'conversation', place: 'task', compile: compileTask },
    { ring: 'attempt', place: 'queue', compile: compileHandOver },
    { ring: 'attempt', place: 'begin', compile: compileBegin },
  ],

  madeOf: ['tasks', 'name', 'secrets'],
  state: ({ server, secrets, telemetry, logger, options, ports: { queue, tasks: store } }) =>
    new TaskRunner({ ...(queue && { queues: queue }), ...options.tasks }, logger, {
      ...{ server, secrets, telemetry, store },
    }),
  methods: (tasks) => (tasks === undefined ? {} : taskMethods(tasks)),
  background: (tasks) => tasks,
  queueWork: (tasks) => tasks,
  stores: (tasks) => ({ tasks: [tasks?.store] }),
  changed: (change, _surface, tasks) => {
    // A clock that is far from this one is logged; nothing waits for that
    if (change === 'started') void tasks?.clock.known();
  },
});
