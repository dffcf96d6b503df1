import { expect, test } from '@jest/globals';
import { InMemoryTaskStore, type TaskStore } from '../../../src/runtime/tasks/task-store.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';

test('closing aborts the handlers even if the store does not answer', async () => {
  const clock = new ManualClock();
  const memory = new InMemoryTaskStore(clock);
  let hangs = false;
  const hanging: TaskStore = {
    create: (task, limits) => memory.create(task, limits),
    get: (taskId) => (hangs ? new Promise(() => undefined) : memory.get(taskId)),
    update: (task) => memory.update(task),
    list: (subject, page) => memory.list(subject, page),
    delete: (taskId) => memory.delete(taskId),
  };
  const { begin, tasks } = taskBench({ store: hanging }, clock);
  const running = begin();
  const work = new Work();
  await running.start();
  await running.run(work.run);
  hangs = true;
  const closed = tasks.close();
  await settle();
  expect(work.given.signal.aborted).toBe(false);
  await clock.advance(2000);
  await closed;
  expect(work.given.signal.reason).toMatchObject({ message: 'The server was shut down' });
  work.end();
});
