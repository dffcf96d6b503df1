import { describe, expect, test } from '@jest/globals';
import { settle } from '../../support/manual-clock.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';

describe('questions of a task', () => {
  async function asking(accepts?: (answer: object) => boolean) {
    const bench = taskBench();
    const running = bench.begin();
    const work = new Work();
    await running.start();
    await running.run(work.run);
    const ask = (name?: string): Promise<unknown> =>
      work.given.request(
        'elicitation/create',
        { message: 'Hm?' },
        { ...(name === undefined ? {} : { name }), ...(accepts === undefined ? {} : { accepts }) },
      );
    const open = async (): Promise<string[]> => {
      await settle();
      return Object.keys((await bench.tasks.find(running.taskId, undefined)).questions);
    };
    const answer = (key: string, value: unknown): Promise<void> =>
      bench.tasks.answer(running.taskId, undefined, { [key]: { value } });
    return { ...bench, running, work, ask, open, answer };
  }

  test('never have a key twice', async () => {
    const { ask, open, answer, work } = await asking();
    const keys: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const answered = ask('who');
      const [key = ''] = await open();
      keys.push(key);
      await answer(key, { count });
      expect(await answered).toEqual({ count });
    }
    expect(keys).toEqual(['who', 'who-2', 'who-3']);
    work.end();
  });

  test('are asked again three times, and then left to the handler', async () => {
    const { ask, open, answer, work } = await asking(() => false);
    const answered = ask();
    const values = [null, 7, {}, { last: true }];
    for (const value of values) {
      const [key = ''] = await open();
      await answer(key, value);
    }
    expect(await answered).toEqual({ last: true });
    work.end();
  });

  test('leave nothing of the answer behind in the store', async () => {
    const { ask, open, answer, work, tasks, running } = await asking();
    const answered = ask('secret');
    await open();
    await answer('secret', { pin: 1234 });
    await answered;
    await settle();
    const { status, questions, answers } = await tasks.find(running.taskId, undefined);
    expect({ status, questions, answers }).toEqual({ status: 'working', questions: {}, answers: {} });
    work.end();
  });

  test('fail with what stands in place of an answer', async () => {
    const { ask, open, work, tasks, running } = await asking();
    const both = Promise.allSettled([ask('a'), ask('b')]);
    await open();
    await tasks.answer(running.taskId, undefined, {
      a: { failure: { message: 'not today' } },
      b: { failure: { code: 'CLIENT_UNREACHABLE', message: 'gone' } },
    });
    expect(await both).toMatchObject([
      { reason: { message: 'not today' } },
      { reason: { code: 'CLIENT_UNREACHABLE', message: 'gone' } },
    ]);
    work.end();
  });

  test('of a task that is over or gone are no questions any more', async () => {
    const { ask, work, tasks, running, clock } = await asking();
    await tasks.cancel(running.taskId, undefined);
    await expect(ask()).rejects.toMatchObject({ code: 'CLIENT_UNREACHABLE' });
    await clock.advance(3_600_000);
    await expect(ask()).rejects.toMatchObject({ code: 'CLIENT_UNREACHABLE' });
    work.end();
  });
});
