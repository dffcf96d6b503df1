import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryTaskStore, type TaskStore } from '../../../src/runtime/tasks/task-store.ts';
import type { TaskRecord } from '../../../src/runtime/tasks/task-record.ts';
import type { TaskRunner } from '../../../src/features/tasks/task-runner.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';

/** Every operation takes as many turns as the test says, so that others come in between. */
function slowed(store: TaskStore, turns: () => number, seen: TaskRecord[]): TaskStore {
  const wait = async (): Promise<void> => {
    for (let turn = turns(); turn > 0; turn -= 1) await Promise.resolve();
  };
  return {
    create: async (task, limits) => {
      await wait();
      seen.push(task);
      return store.create(task, limits);
    },
    get: async (taskId) => {
      const task = await store.get(taskId);
      await wait();
      return task;
    },
    update: async (task) => {
      await wait();
      const isStored = await store.update(task);
      if (isStored) seen.push(task);
      return isStored;
    },
    list: (subject, page) => store.list(subject, page),
    delete: (taskId) => store.delete(taskId),
    watch: async (taskId, listener) => (await store.watch?.(taskId, listener)) ?? (() => undefined),
  };
}

/** Each of them from one process or the other, as it would be. */
function actions(there: TaskRunner, taskId: string, work: Work) {
  return {
    get: () => there.find(taskId, undefined),
    answer: () => there.answer(taskId, undefined, { q: { value: {} } }),
    'wrong answer': () => there.answer(taskId, undefined, { x: { value: 1 } }),
    cancel: () => there.cancel(taskId, undefined),
    report: async () => work.given.report('on it'),
    // Nobody may ever answer, and the task may be over
    ask: async () => {
      work.given.request('roots/list', {}, { name: 'q' }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'CLIENT_UNREACHABLE' });
      });
    },
    complete: async () => work.end(),
    fail: async () => work.fail(new Error('broken')),
  };
}

const step = fc.constantFrom(
  'get',
  'answer',
  'wrong answer',
  'cancel',
  'report',
  'ask',
  'complete',
  'fail',
  'pause',
);

describe('whatever two processes do to a task at the same time', () => {
  test('its versions follow each other, and its status never leaves a final one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }),
        async (steps, delays) => {
          const clock = new ManualClock();
          const seen: TaskRecord[] = [];
          let operation = 0;
          const turns = (): number => delays[(operation += 1) % delays.length] ?? 0;
          const store = slowed(new InMemoryTaskStore(clock), turns, seen);
          const here = taskBench({ store }, clock);
          const there = taskBench({ store }, clock);
          const work = new Work();
          const running = here.begin();
          await running.start();
          const { taskId } = running;
          await running.run(work.run);
          const doing: Promise<unknown>[] = [];
          for (const name of steps) {
            if (name === 'pause') await settle();
            else doing.push(actions(there.tasks, taskId, work)[name]());
          }
          await Promise.all(doing);
          work.end();
          await running.ended;
          expect(seen.map((task) => task.version)).toEqual(seen.map((_task, index) => index + 1));
          const end = seen.findIndex((task) => ['completed', 'failed', 'cancelled'].includes(task.status));
          expect(end).toBe(seen.length - 1);
          const last = seen.at(-1);
          expect(await there.tasks.find(taskId, undefined)).toEqual(last);
          await here.tasks.close();
          await there.tasks.close();
        },
      ),
      { numRuns: 150 },
    );
  });
});
