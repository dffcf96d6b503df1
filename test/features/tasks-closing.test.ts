import { describe, expect, test } from '@jest/globals';
import { InMemoryTaskStore, type TaskStore } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';
import { filledIn, TaskRequests } from '../support/task-requests.ts';

function requestsOf(app: TestApplication): TaskRequests {
  return new TaskRequests((request) => app.app.fetch(request));
}

function appOn(store: TaskStore, drainTimeout?: number): Promise<TestApplication> {
  return createTestApplication(JobsModule, {
    logger: new MemoryLogger(),
    tasks: { store, pollInterval: 5 },
    ...(drainTimeout === undefined ? {} : { drainTimeout }),
  });
}

/** The same store without news of changes, as one over a plain database would be. */
function silent(store: TaskStore): TaskStore {
  return {
    create: (task, limits) => store.create(task, limits),
    get: (taskId) => store.get(taskId),
    update: (task) => store.update(task),
    list: (subject, page) => store.list(subject, page),
    delete: (taskId) => store.delete(taskId),
  };
}

describe('two applications over one store', () => {
  test.each(['with', 'without'])('one knows the tasks of the other, %s news of changes', async (news) => {
    const memory = new InMemoryTaskStore();
    const store = news === 'with' ? memory : silent(memory);
    const [runs, asks] = await Promise.all([appOn(store), appOn(store)]);
    const [here, there] = [requestsOf(runs), requestsOf(asks)];

    const waiting = await here.begin('jobs_slow', { label: 'a' });
    expect(await there.get(waiting)).toMatchObject({ status: 'working' });
    runs.get(Gates).open('a');
    expect(await there.end(waiting)).toMatchObject({ result: { content: [{ text: 'done a' }] } });

    const asking = await here.begin('jobs_remove', { label: 'b' });
    const { inputRequests } = await there.until(asking, 'input_required');
    const [key = ''] = Object.keys(inputRequests as object);
    await there.update(asking, { [key]: filledIn({ confirm: true }) });
    expect(await here.end(asking)).toMatchObject({ result: { content: [{ text: 'deleted b' }] } });

    const cancelled = await here.begin('jobs_slow', { label: 'c' });
    await there.result('tasks/cancel', { taskId: cancelled });
    expect(await here.get(cancelled)).toMatchObject({ status: 'cancelled' });
    const { aborted } = runs.get(JobsController);
    while (aborted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(aborted).toEqual(['c: The task was cancelled']);
    await Promise.all([runs.close(), asks.close()]);
  });
});

describe('closing an application with tasks', () => {
  test('waits for running tasks', async () => {
    const store = new InMemoryTaskStore();
    const app = await appOn(store);
    const taskId = await requestsOf(app).begin('jobs_slow', { label: 'a' });
    const closed = app.close();
    app.get(Gates).open('a');
    await closed;
    expect(await store.get(taskId)).toMatchObject({ status: 'completed' });
  });

  test('cancels what takes longer than it may', async () => {
    const store = new InMemoryTaskStore();
    const app = await appOn(store, 0);
    const taskId = await requestsOf(app).begin('jobs_slow', { label: 'a' });
    const jobs = app.get(JobsController);
    await app.close();
    expect(await store.get(taskId)).toMatchObject({
      status: 'cancelled',
      statusMessage: 'The server was shut down',
    });
    expect(jobs.aborted).toEqual(['a: The server was shut down']);
  });
});
